"""A list of questions: made where it stands, solved and pressed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpcore.base.types import asked_together
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.targets.together import MOST_PARTS
from pages.experiment import preview
from pages.experiment.listed.accuracy import Accuracy
from pages.experiment.listed.question_list import QuestionList, question_of
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.release import receipt
from pages.release.listed import questions
from pages.release.summary import ways
from pages.shared import exports
from pages.shared.escape import escaped
from pages.shared.pins import side_by_side
from pages.state import programs
from pages.state.link import REFUSED
from pages.state.listed import changes, current_list, link, wanted
from pages.state.listed.offered import Asked, offered
from pages.wording.question_words import question_of as words_of
from pages.wording.sentences import plain

# One more question: an everyday one by its words, or the one that is set up on Explore.


def show_adding(table: Table, made: QuestionList | None = None) -> None:
    """Both ways; without a list the first question begins one. Nothing where the list is full."""
    if made is not None and len(made.questions) >= MOST_PARTS:
        st.markdown(f"A list holds {MOST_PARTS} questions, and this one is full.")
        return
    offered = _offered(table)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.selectbox(
            "Add a question",
            list(offered),
            index=None,
            key="list_add",
            placeholder="Type or choose, such as “mean”",
            on_change=lambda: _add(table),
            width=420,
        )
        if made is not None:
            _shown(made, table)


def _add(table: Table) -> None:
    """The question that was chosen; the box is empty again, and what can be changed of the question stands open."""
    chosen, st.session_state["list_add"] = st.session_state["list_add"], None
    if chosen is not None:
        changes.add_asked(table, _offered(table)[chosen])


def _offered(table: Table) -> dict[str, tuple[Asked, ...]]:
    """Worked out once for a table as it is declared."""
    kept: tuple[Table, dict[str, tuple[Asked, ...]]] | None = st.session_state.get("list_offered")
    if kept is None or kept[0] is not table:
        kept = st.session_state["list_offered"] = (table, offered(table))
    return kept[1]


def _shown(made: QuestionList, table: Table) -> None:
    shown = question_of(changes.as_chosen(table), table)
    if all((one.target, one.columns) != (shown.target, shown.columns) for one in made.questions):
        what = escaped(words_of(shown.target, shown.columns, table))
        st.button(
            f"Add “{what}”, from Explore", key="list_add_shown", icon=":material/add:", on_click=partial(changes.add_shown, table)
        )


def show_title(made: QuestionList, table: Table) -> None:
    """Above the list: what a change of it leaves as it is. A box that is open is closed before anything is changed."""
    questions.show_style()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("## Questions", width="stretch")
        exports.show_link((), (side_by_side.show_what_is_too_long,))
        exports.show_code("list", partial(programs.of_the_list, made, table))
        ways.show()
        st.button(
            "Ask one alone",
            key="list_drop",
            type="tertiary",
            on_click=partial(current_list.change, table, None, "The list is gone."),
        )


def show(made: QuestionList, table: Table) -> Callable[[], None]:
    """The questions over the width of the page; what is given back shows the receipt."""
    st.markdown(_why(made, sampled=not _proved(made, table)), help=_PART_OF_SHARED if len(made.joined) > 1 else None)
    st.markdown(f":small[{_MEANT[made.jointly]} Press a question to change it.]")
    found = _near(made, table)
    questions.show(made, table, found)
    show_adding(table, made)
    return partial(receipt.show_list, made, table, "" if found is None else _problem(made, found))


_MEANT = {
    False: "In 95 of 100 releases an answer is no further off than its ±.",
    True: "In 95 of 100 releases no number is further off than its ±: all at once.",
}
_PART_OF_SHARED = (
    "Answers that are numbers share one ε, which is less than the sum of what they would cost alone. Beside each stands its "
    "part: without that question every other ± would be smaller by so much, or ε would."
)


def _proved(made: QuestionList, table: Table) -> bool:
    """Whether the noise on the numbers is sized to their proved worst case."""
    together = (one for one in current_list.lines(made, table) if asked_together(one.target))
    return made.worst_case and all(preview.worst_case(one) is not None for one in together)


def _why(made: QuestionList, *, sampled: bool) -> str:
    """What a list saves; where nothing is sampled there is no γ."""
    count, and_gamma = len(made.joined), " and one γ" * sampled
    if count < 2:
        one_by_one = "Asked one by one they cost the sums." if sampled else "Asked one by one they cost the sum."
        return f"Add questions: all answers that are numbers cost one ε{and_gamma} together. {one_by_one}"
    every, cost, sums = "Both" if count == 2 else f"All {count}", f"ε = {made.epsilon:g}", f"ε = {figure(count * made.epsilon)}"
    if not sampled:
        return f"{every} answers that are numbers cost {cost} together. One by one, at that ε they would cost {sums}."
    return (
        f"{every} answers that are numbers cost {cost} and γ = {made.gamma:g} together. One by one, at that ε they would cost "
        f"{sums} and γ = {figure(min(1.0, count * made.gamma))}."
    )


def fitting(made: QuestionList, table: Table) -> QuestionList | None:
    """The list, where the table still has what every question asks of it, which is looked at once for both; else what does not
    fit, and the way without it.

    Records of a table that was declared confidential since are no oracle any more: then the first laws that suit it are.
    """
    if fits(made, table):
        return made
    left, said = link.checked(link.to_plain(made), table, "Your")
    for sentence in said:
        st.error(escaped(sentence), icon=":material/error:")
    if said:
        st.markdown("The table was declared anew since. Declare it as it was on the page Your data, or go on without these.")
        st.button("Go on without", key="list_mend", on_click=partial(current_list.change, table, left))
        return None
    if isinstance(made.oracle, TableRecords) and left is not None and not table.public:
        st.warning("The table is confidential now, so its own rows are no oracle: each column has the first law that suits it.")
        current_list.adopt(table.name, left)
        return left
    st.session_state["list_fits"] = (made.questions, table)
    return made


def fits(made: QuestionList, table: Table) -> bool:
    """Whether it is known that it does: in a list that was looked at for this table, only what is new since is looked at."""
    looked, of = st.session_state.get("list_fits", ((), None))
    if of is not table or (isinstance(made.oracle, TableRecords) and not table.public):
        return False
    new = [one for one in made.questions if not any(one is before for before in looked)]
    try:
        current_list.lines(made, table)
        if not all(link.suits(one.target, one.columns, table) for one in new):
            return False
    except REFUSED:
        return False
    st.session_state["list_fits"] = (made.questions, table)
    return True


def _near(made: QuestionList, table: Table) -> Accuracy | None:
    if not made.joined:
        return None
    try:
        found = wanted.accuracy(made, table)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
        return None
    if found is None:
        st.markdown(
            ":material/hourglass_empty: How close these answers are takes long to work out: it is known after the release."
        )
    return found


def _problem(made: QuestionList, found: Accuracy) -> str:
    try:
        return wanted.too_small(made, found)
    except DpcoreError as error:
        return plain(error)


def await_first(table: Table) -> None:
    """A list that has no question yet."""
    show_adding(table)
    with st.container(horizontal=True):
        st.button(
            "Release the question that Explore shows instead",
            key="list_not_awaited",
            type="tertiary",
            on_click=current_list.await_first,
            args=(None,),
        )
        ways.show()


def begin(scenario: Scenario, table: Table) -> None:
    """The question that is shown on Explore, and the ways to a list, which begins with it."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{escaped(words_of(scenario.target, scenario.columns, table))}**", width="content")
        st.button(
            "Change it here",
            key="list_begin",
            icon=":material/edit:",
            type="tertiary",
            on_click=partial(changes.begin, table),
            help="With this question as the first of a list. All its numbers together cost one ε and one γ, and get less noise.",
        )
        ways.show()
    show_adding(table)
