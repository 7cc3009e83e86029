"""A list of questions: made where it stands, solved and pressed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import MOST_QUESTIONS, QuestionList, question_of
from pages.old.release import receipt
from pages.old.release.listed import questions
from pages.old.shared import exports
from pages.old.shared.escape import escaped
from pages.old.state.link import REFUSED
from pages.old.state.listed import changes, current_list, link
from pages.old.state.listed.offered import Asked, offered
from pages.old.wording.question_words import question_of as words_of
from pages.old.wording.sentences import plain

# One more question: an everyday one by its words, or the one that is set up on Explore.


def show_adding(table: Table, made: QuestionList | None = None) -> None:
    """Both ways; without a list the first question begins one. Nothing where the list is full."""
    if made is not None and len(made.questions) >= MOST_QUESTIONS:
        st.markdown(f"A list holds {MOST_QUESTIONS} questions, and this one is full.")
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
        exports.show_link(())
        st.button(
            "Ask one alone",
            key="list_drop",
            type="tertiary",
            on_click=partial(current_list.change, table, None, "The list is gone."),
        )


def show(made: QuestionList, table: Table, bar: Any) -> Callable[[], None]:
    """The questions over the width of the page; what is given back shows the receipt."""
    try:
        lines = current_list.lines(made, table)
        st.markdown(_why(made, sampled=sum(not made.is_proved(line) for line in lines)))
        st.markdown(":small[In 95% of releases an answer is no further off than its ±. Click a question to change it.]")
        questions.show(made, table)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
    show_adding(table, made)
    return partial(receipt.show_list, made, table, bar)


def _why(made: QuestionList, *, sampled: int) -> str:
    """How ε and γ are divided."""
    count = len(made.questions)
    if count == 1:
        return "Add questions: one click releases all of them."
    said = f"These {count} questions share ε = {figure(made.total)}: each has its own share and its own noise."
    if sampled > 1:
        said += f" The {sampled} that are sized by trials also share γ = {made.gamma:g} equally."
    return said


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
            help="Begin a list with this question. One click then releases all of its questions.",
        )
    show_adding(table)
