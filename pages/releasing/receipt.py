"""The receipt: what one click publishes and promises, the kind of noise, and the button."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees import descriptions
from dpcore.guarantees.descriptions import figure
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.ledger.accounting import Line
from dpcore.ledger.spending import Spent
from pages import state
from pages.escape import escaped
from pages.experiment import blocks
from pages.experiment.error_sentences import plain
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Noise, Scenario
from pages.files.tables import Table
from pages.ledger import press
from pages.ledger import session as ledger
from pages.ledger.book import Book, left_of
from pages.releasing import current_list, details
from pages.server.pool import lane
from pages.widgets import guarantees
from pages.widgets.controls import control

LABELS = {
    Noise.WORST_CASE: "proved worst case: differential privacy",
    Noise.SAMPLED: "sampled: random DP, a weaker guarantee",
    Noise.BLOCKS: "sample and aggregate: differential privacy",
}
_WITH_BOUNDS = (
    "With public bounds of the column, set under Options on Explore, sample and aggregate would give differential privacy."
)
_NONE_PROVED = "No worst case is proved for these questions."


def show(made: QuestionList, table: Table, bar: Any) -> None:
    """Show the receipt of a list.

    Args:
        made: The list.
        table: Its table.
        bar: Container of the line with the button.
    """
    st.markdown("## Receipt")
    if not made.questions:
        st.markdown("Add a question. Then the receipt says what one click publishes, and what that promises.")
        return
    if current_list.released(made, table) is None:
        _show_noise(made, table)
    try:
        asked = current_list.asked(made, table)
        _show(made, asked, table, bar)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")


def _show(made: QuestionList, asked: press.Press, table: Table, bar: Any) -> None:
    book = ledger.book()
    spent = asked.ticket in book.spent
    presses = [one.line for one in asked.lines]
    tickets = {one.ticket for one in asked.lines}
    charged = [entry.line for entry in book.entries if entry.ticket in tickets and entry.line]
    lines = charged if spent else _foreseen(book, table, presses)
    refused = "" if spent else book.refusal(table, presses)
    total = press.totals(lines) if lines else None
    with bar:
        st.markdown(_sums(book, table, lines, total), width="stretch")
        if spent:
            st.button("New release", key="another", icon=":material/add:", on_click=current_list.begin_again)
        st.button(
            _label(total, len(presses), spent=spent),
            key="release",
            disabled=spent or bool(refused),
            icon=":material/verified_user:",
            type="primary",
            on_click=partial(_release, asked.shown(lines) if lines and not spent else asked),
        )
    if not spent:
        _show_not_offered(made, asked, table)
    with st.container(key="limits_before"):
        if incomplete := book.incomplete(table):
            st.markdown(f":material/draft: {incomplete}")
        if refused:
            st.warning(escaped(refused))
    if lines:
        _show_sentences(asked, lines, lines[0].guarantee if len(lines) == 1 else total, table, spent=spent)
    box = st.expander("What is fixed before the click?", key="open_receipt", on_change="rerun", icon=":material/receipt_long:")
    if box.open:
        box.markdown("\n".join(f"- {one}" for one in details.of(asked, table)))


def _show_noise(made: QuestionList, table: Table) -> None:
    """Show the choice of the noise."""
    kinds = current_list.kinds_of_noise(made, table)
    if len(kinds) > 1:
        by_label = {LABELS[kind]: kind for kind in kinds}
        control(
            st.radio,
            "Noise of all answers",
            list(by_label),
            key="noise_of_all",
            holds=LABELS[made.noise],
            act=lambda label: current_list.settle(table, noise=by_label[label]),
        )


def _show_not_offered(made: QuestionList, asked: press.Press, table: Table) -> None:
    """Show why a kind of noise is not offered."""
    guarantees.show_why_not_sampled(table)
    first = asked.lines[0].scenario
    if all(not one.worst_case for one in asked.lines) and Noise.WORST_CASE not in current_list.kinds_of_noise(made, table):
        lacking = _WITH_BOUNDS if blocks.lacks_bounds(first, table) else None
        st.markdown("No worst case is proved for this question." if len(asked.lines) == 1 else _NONE_PROVED, help=lacking)
    elif made.noise is not Noise.SAMPLED and (sampled := [str(one.number) for one in asked.lines if not one.worst_case]):
        st.markdown(f"No worst case is proved for question {', '.join(sampled)}: its noise is sampled.")


def _show_sentences(asked: press.Press, lines: Sequence[Line], total: Guarantee | None, table: Table, *, spent: bool) -> None:
    """Show what is published, who is protected, from what, who is not, what it spends, and that it cannot be undone."""
    if total is None:
        st.error("No guarantee covers all answers together: the shares γ of unprotected changes sum to 1 or more.")
        return
    adjacency, count = lines[0].adjacency, len(asked.lines)
    answers = "This release published" if spent else "One click publishes"
    kind = "public" if table.public else "confidential"
    of = f"{whose(asked.lines[0].scenario)} of {escaped(table.title or table.name)} ({kind})"
    name = descriptions.name(total)
    said = [
        f"{answers} {counted(count, ' answers')} about {of}.",
        _one_sentence(escaped(descriptions.protected(table.unit, total, adjacency))),
        f"An attacker who guesses from the answers {descriptions.guessed(adjacency)} is right {descriptions.guess(total)} "
        "(at random: 50).",
        _not_protected(total, lines),
        f"**{name[0].upper()}{name[1:]}** is spent in full, even if a question fails, and holds if you chose questions, bounds "
        "and oracle without using this table (not verified).",
        "A release cannot be undone.",
    ]
    with st.container(key="limits_receipt"):
        st.markdown("\n\n".join(said))
        for nameless in dict.fromkeys(one.table.persons.words for one in asked.lines if one.table.persons):
            st.markdown(f":small[{escaped(nameless)}]")
    guarantees.show_in_full(total, table.unit, adjacency)


def _not_protected(total: Guarantee, lines: Sequence[Line]) -> str:
    """Return who is not protected, in one sentence."""
    if not isinstance(total, RandomDP):
        return f"This holds for every change of {descriptions.unit_of(lines[0].adjacency)}, however unusual."
    things = descriptions.counted_in(lines[0].adjacency)
    left = _one_sentence(descriptions.unprotected(total, lines[0].adjacency)).rstrip(".")
    return f"{left}; unusual {things} are among them, and if the oracle is wrong, more changes may be unprotected."


def _one_sentence(text: str) -> str:
    first, *rest = text.rstrip(".").split(". ")
    return "; ".join([first, *(one[:1].lower() + one[1:] for one in rest)]) + "."


def whose(scenario: Scenario) -> str:
    """Return how many records or people a question is about; a number of people that is not public was stated."""
    things = descriptions.counted_in(scenario.adjacency)
    if scenario.adjacency.removes:
        which = "which" if scenario.adjacency.of_records else "whom"
        return f"the {things}, of {which} you state that they are about {scenario.n:,},"
    return f"the {scenario.n:,} {things}"


def _label(total: Guarantee | None, count: int, *, spent: bool) -> str:
    """Return the button's label, with what the release spends."""
    if spent:
        return "Released"
    answers = f"Release {counted(count, ' answers')}"
    return answers if total is None else f"{answers} (spends {_spent(total)})"


def _spent(guarantee: Guarantee) -> str:
    """Return ε, and δ and γ if there are any."""
    numbers = {"ε": guarantee.epsilon, "δ": facts(guarantee).delta, "γ": facts(guarantee).gamma}
    return ", ".join(f"{name} = {figure(value)}" for name, value in numbers.items() if value)


def _sums(book: Book, table: Table, lines: Sequence[Line], now: Guarantee | None) -> str:
    """Return the line beside the button: the table, the guarantee of this release, and what is spent and left."""
    budget = book.budgets.get(book.name_of(table))
    said = [f"**{escaped(table.title or table.name)}**:"]
    if now is not None:
        weaker = ", which is weaker than differential privacy," * isinstance(now, RandomDP)
        said.append(f"{descriptions.name(now)}{weaker} for {descriptions.unit_of(lines[0].adjacency)}.")
    said.append(f"Spent so far: {_spent_so_far(book, table)}.")
    said.append("No budget is set." if budget is None else f"The budget is {_spent(budget)}; {_left(budget, book, table)}.")
    return " ".join(said)


def _left(budget: Guarantee, book: Book, table: Table) -> str:
    """Return how much of a budget is left."""
    spent = Spent.by(book.ledger(table).lines)
    names = {"epsilon": "ε", "delta": "δ", "gamma": "γ"}
    left = [f"{names[one]} = {figure(left_of(budget, one, spent))}" for one in names if getattr(budget, one, 0)]
    return f"{', '.join(left)} is left"


def _spent_so_far(book: Book, table: Table) -> str:
    """Return what the table's ledger holds; never nothing if that is not known."""
    name = book.name_of(table)
    total, lines = book.total(name), book.ledger(table).lines
    if lines and total is None:
        return "more than any guarantee covers"
    spent = "nothing" if total is None else _spent(total)
    return f"{spent} in this ledger, which may lack releases" if book.incomplete(table) else spent


def _foreseen(book: Book, table: Table, presses: Sequence[Line]) -> list[Line]:
    """Return the lines as they would be charged; none if they would be refused, and the warning says why."""
    try:
        return book.foresee(table, presses)
    except DpcoreError:
        return []


def _release(asked: press.Press) -> None:
    """Release. Nothing of Streamlit is called until all responses are in the book: a rerun could part the two."""
    current, executor = ledger.book(), lane()
    refused = press.press(current, asked, executor)
    state.begin()  # nothing that was released can be undone
    st.session_state["clicked_release"] = True
    if refused:
        state.say(refused)
