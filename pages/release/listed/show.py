"""A list of questions in the place of the single receipt: made, solved and pressed."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.base.types import asked_together
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.workbench import preview
from dpcore.workbench.listed.accuracy import Accuracy
from dpcore.workbench.listed.question_list import QuestionList
from dpcore.workbench.scenario import Scenario, TableRecords
from dpcore.workbench.tables import Table
from pages.release.listed import adding, questions, receipt, sharing
from pages.shared import code
from pages.shared import links as link_box
from pages.shared.escape import escaped
from pages.shared.pins import settings_file
from pages.shared.receipt import WORST
from pages.state import programs
from pages.state.listed import changes, here, link, near, wanted
from pages.wording.sentences import plain


def show(made: QuestionList, scenario: Scenario, table: Table) -> None:
    """The questions, what they share, the receipt."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("## Questions", width="stretch")
        link_box.show((), (settings_file.show,))
        code.show("list", partial(programs.of_the_list, made, table))
        st.button(
            "Ask one alone", key="list_drop", type="tertiary", on_click=partial(here.change, table, None, "The list is gone.")
        )
    fitting = _fitting(made, table)
    if fitting is None:
        return
    made = fitting
    st.markdown(_why(made, sampled=not _proved(made, table)))
    sharing.show(made, table)
    found = _near(made, table)
    questions.show(made, table, found)
    adding.show(made, scenario, table)
    receipt.show(made, table, "" if found is None else _problem(made, found))


def _proved(made: QuestionList, table: Table) -> bool:
    """Whether the noise on the numbers is sized to their proved worst case."""
    together = (one for one in made.lines(table) if asked_together(one.target))
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
        f"{sums} and γ = {figure(min(1.0, count * made.gamma))}, in a plan."
    )


def _fitting(made: QuestionList, table: Table) -> QuestionList | None:
    """The list, where the table still has what every question asks of it; else what does not fit, and the way without it.

    Records of a table that was declared confidential since are no oracle any more: then the first laws that suit it are.
    """
    left, said = link.checked(link.to_plain(made), table, "Your")
    for sentence in said:
        st.error(escaped(sentence), icon=":material/error:")
    if said:
        st.markdown("The table was declared anew since. Declare it as it was on the page Your data, or go on without these.")
        st.button("Go on without", key="list_mend", on_click=partial(here.change, table, left))
        return None
    if isinstance(made.oracle, TableRecords) and left is not None and not table.public:
        st.warning(
            "The table is confidential now, so its own records are no oracle: each column has the first law that suits it."
        )
        here.adopt(table.name, left)
        return left
    return made


def _near(made: QuestionList, table: Table) -> Accuracy | None:
    if not made.joined:
        return None
    try:
        found = near.accuracy(made, table)
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


def begin(table: Table) -> None:
    """Under the single receipt: the way to a list."""
    st.button(
        "Ask several questions at once",
        key="list_begin",
        icon=":material/playlist_add:",
        on_click=partial(changes.begin, table, worst_case=st.session_state.get("way") == WORST),
        help="With this question as the first of a list. All its numbers together cost one ε and one γ, and get less noise.",
    )
