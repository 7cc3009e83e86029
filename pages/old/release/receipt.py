"""The receipt: what one press will do and what it will promise, for one question or for a list of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee, RandomDP
from dpcore.guarantees.words import figure
from dpcore.ledger.accounting import Line
from pages import state
from pages.experiment import blocks
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger import press
from pages.ledger import session as ledger
from pages.ledger.book import Book
from pages.ledger.session import BLOCKS, SAMPLED, WORST
from pages.old.experiment import preview
from pages.old.experiment.listed.question_list import QuestionList
from pages.old.release import another_press, receipt_words
from pages.old.shared import standing_words
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import control
from pages.old.state import place, unfolded
from pages.old.state.draws import Exploration
from pages.old.state.listed import current_list, settings
from pages.old.wording import blocks_words
from pages.old.wording.sentences import plain
from pages.server.pool import lane

_LINE = "open_receipt"


# Which way of a release is preselected where nobody chose one, and why.


def _why_the_worst_case(scenario: Scenario, table: Table) -> str:
    """Why the worst case is, as the end of a sentence that says so; empty where the sampled way is: of a public table, and where
    none is proved."""
    proved = preview.worst_case(scenario)
    if proved is None:
        return ""
    if not table.public:
        return "whatever the table, and so needs no oracle to be right"
    drawn = Exploration(scenario, table).at_hand()
    if drawn is None:
        return ""
    if preview.nearly_free(proved, drawn.at(scenario.point).order_statistic):
        return "for at most a fifth more noise"
    return "and it costs next to no accuracy" if Exploration(scenario, table).worst_case_is_free(drawn) else ""


def _sampled_instead(scenario: Scenario, table: Table) -> str:
    """How much less noise the weaker guarantee would need, by trials that are at hand or quickly made; empty where none are.
    They come of the oracle alone, so it is known whatever the table holds."""
    proved, drawn = preview.worst_case(scenario), Exploration(scenario, table).at_hand()
    if proved is None or drawn is None:
        return ""
    sampled = drawn.at(scenario.point).order_statistic
    return _smaller(proved.value / sampled if sampled > 0 else None)


def _smaller(times: float | None) -> str:
    """What the sampled way would give, where the worst case is so many times what trials say; empty where that is not known."""
    if times is None:
        return ""
    if times <= 1:
        return "The sampled sensitivity would give no smaller noise, and random DP, the weaker guarantee."
    less = figure(float(f"{times:.2g}"))
    return f"The sampled sensitivity would give noise about {less} times smaller, and random DP, the weaker guarantee."


def show(scenario: Scenario, table: Table, bar: Any) -> None:
    """Show the receipt of one question: the choice of the noise, what one press does, and what earlier answers do to it.

    Args:
        scenario: The question.
        table: Its table.
        bar: Container of the line with the button.
    """
    st.markdown("## Receipt")
    in_blocks = blocks.in_blocks(scenario, table)
    try:
        way = _way_of_one(scenario, table, in_blocks)
        scenario = in_blocks if way == BLOCKS and in_blocks is not None else scenario
        ticket = ledger.ticket("", (scenario,), table, way)
        asked = _same_receipt(ticket, lambda: press.of_one(ticket, scenario, table, worst_case=way != SAMPLED))
        _show(asked, table, bar)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")


def show_list(made: QuestionList, table: Table, bar: Any) -> None:
    """Show the receipt of a list of questions; arguments as for ``show``."""
    st.markdown("## Receipt")
    way = _way_of_list(made, table)
    try:
        ticket = ledger.ticket("_list", current_list.lines(made, table), table, way)
        asked = _same_receipt(ticket, lambda: press.of_list(ticket, made, table))
        _show(asked, table, bar, len(made.questions))
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")


def _same_receipt(ticket: str, made: Callable[[], press.Press]) -> press.Press:
    """Kept while the receipt is the same: its lines take a look at the whole oracle, which may be a table."""
    kept: press.Press | None = st.session_state.get("press")
    if kept is None or kept.ticket != ticket:
        kept = st.session_state["press"] = made()
    return kept


def _show(asked: press.Press, table: Table, bar: Any, questions: int = 0) -> None:
    """``questions``: how many a list has; 0 of one question by itself."""
    book = ledger.book()
    spent = asked.ticket in book.spent
    presses = [one.line for one in asked.lines]
    made = [entry.line for entry in book.entries if entry.ticket in {one.ticket for one in asked.lines} and entry.line]
    lines = made if spent else _foreseen(book, table, presses)
    st.markdown("\n\n".join(receipt_words.lines_of(asked, table, questions, spent=spent)))
    if not spent and lines:
        _promises(asked, lines, table)
    refused = "" if spent else book.refusal(table, presses)
    with st.container(key="limits_before"):
        if incomplete := book.incomplete(table):
            st.markdown(f":material/draft: {incomplete}")
        if refused:
            st.warning(escaped(refused))
    if not refused:
        another_press.show(book, table, lines, presses, spent=spent)
    with bar:
        name = "_list" if questions else ""
        st.markdown(_sums(book, table, lines), width="stretch")
        if spent:
            st.button("Release again", key=f"another{name}", on_click=partial(ledger.another, name))
        st.button(
            _label(lines, len(presses), spent=spent),
            key=f"release{name}",
            disabled=spent or bool(refused),
            icon=":material/verified_user:",
            type="primary",
            on_click=partial(_press, asked if spent else asked.shown(lines) if lines else asked),
        )
    with unfolded.box(place.OPEN, (_LINE,), _LINE, "What is fixed before the press?", "receipt_long"):
        details = receipt_words.details_of(asked, lines, table, questions, spent=spent)
        st.markdown("\n".join(f"- {one}" for one in details))


def _label(lines: Sequence[Line], count: int, *, spent: bool) -> str:
    """Return the button's label, with what the release spends."""
    if spent:
        return "Released"
    answers = f"Release {counted(count, ' answers')}"
    total = press.totals(lines) if lines else None
    return answers if total is None else f"{answers} (spends {_spent(total)})"


def _spent(guarantee: Guarantee) -> str:
    """Return ε, and δ and γ if there are any."""
    numbers = {"ε": guarantee.epsilon, "δ": facts(guarantee).delta, "γ": facts(guarantee).gamma}
    return ", ".join(f"{name} = {figure(value)}" for name, value in numbers.items() if value)


def _sums(book: Book, table: Table, lines: Sequence[Line]) -> str:
    """Return the line beside the button: the table, the guarantee of this release, and what is spent and left."""
    now, budget = press.totals(lines) if lines else None, book.budgets.get(book.name_of(table))
    said = [f"**{escaped(table.title or table.name)}**:"]
    if now is not None:
        weaker = ", which is weaker than differential privacy," * isinstance(now, RandomDP)
        said.append(f"{words.name(now)}{weaker} for {words.unit_of(lines[0].adjacency)}.")
    said.append(f"Spent so far: {_spent_so_far(book, table)}.")
    said.append("No budget is set." if budget is None else f"The budget is {_spent(budget)}.")
    return " ".join(said)


def _spent_so_far(book: Book, table: Table) -> str:
    """Return what the table's ledger holds; never nothing if that is not known."""
    name = book.name_of(table)
    total, lines = book.total(name), book.ledger(table).lines
    if lines and total is None:
        return "more than any guarantee covers"
    spent = "nothing" if total is None else _spent(total)
    return f"{spent} in this ledger, which may lack releases" if book.incomplete(table) else spent


def _foreseen(book: Book, table: Table, presses: Sequence[Line]) -> list[Line]:
    """The lines as they would be charged; none if they would be refused, and the warning says why."""
    try:
        return book.foresee(table, presses)
    except DpcoreError:
        return []


def _press(asked: press.Press) -> None:
    """The press calls nothing of Streamlit until all responses are in the book: a rerun could part the two."""
    current, executor = ledger.book(), lane()
    refused = press.press(current, asked, executor)
    state.begin()  # nothing that was released can be undone
    if refused:
        state.say(refused)


def _way_of_one(scenario: Scenario, table: Table, in_blocks: Scenario | None) -> str:
    """A choice made by hand stays; else the stronger guarantee of a confidential table, where it is nearly free, or alone."""
    proved = preview.worst_case(scenario) is not None
    if proved and blocks.blocks_of(scenario) is not None:  # it is asked for what is proved of it
        st.markdown(f":material/grid_view: {blocks_words.dealt(scenario)}\n\n{blocks_words.near(scenario, table)}")
        return WORST
    by_hand, released = ledger.way_by_hand(scenario), ledger.released_way(scenario, table)
    why_not = "" if released == SAMPLED else standing_words.why_not_sampled(table)  # a press stays as it was, whatever it changed
    ways = [*[SAMPLED] * (not why_not), *[WORST] * proved, *[BLOCKS] * (in_blocks is not None)]
    _beside(why_not)
    if not ways:
        return SAMPLED  # which the receipt refuses
    settled = by_hand if by_hand in ways else released
    because = "" if settled or why_not else _why_the_worst_case(scenario, table)
    chosen = settled if settled in ways else WORST if because else ways[0]
    lacking = _WITH_BOUNDS if blocks.lacks_bounds(scenario, table) else None
    chosen = _radio("way", chosen, lambda way: ledger.choose_way(scenario, way), ways, lacking)
    if chosen == BLOCKS and in_blocks is not None:
        st.markdown(f":material/grid_view: {blocks_words.dealt(in_blocks)}\n\n{blocks_words.near(in_blocks, table)}")
    if blocks.needs_single_rows(scenario):
        st.markdown(_OF_SINGLE_ROWS)
    instead = _sampled_instead(scenario, table) if chosen == WORST and not table.public and not why_not else ""
    said = f"The worst case is preselected: it gives differential privacy itself, {because}." * bool(chosen == WORST and because)
    _beside(f"{said} {instead}")
    return chosen


def _way_of_list(made: QuestionList, table: Table) -> str:
    proved = any(preview.worst_case(scenario) is not None for scenario in current_list.lines(made, table))
    if not current_list.may_be_sampled(made, table):
        _beside(standing_words.why_not_sampled(table))
        return WORST
    chosen = WORST if made.worst_case and proved else SAMPLED
    ways = [SAMPLED, WORST] if proved else [SAMPLED]
    return _radio("list_way", chosen, lambda way: settings.settle(table, worst_case=way == WORST), ways)


_WITH_BOUNDS = "With public bounds of the column, set under Options on Explore, blocks would give differential privacy itself."

_OF_SINGLE_ROWS = "Blocks are asked of tables of single rows. Here a person can have many, so this question has no blocks."


def _radio(key: str, chosen: str, take: Callable[[str], None], ways: list[str], lacking: str | None = None) -> str:
    """The switch between the ways; a sentence where there is one. ``lacking``: what would bring another."""
    if len(ways) < 2:
        if ways == [SAMPLED]:
            st.markdown("No worst case is proved for this question: unusual changes can be left out.", help=lacking)
        return ways[0]
    return str(control(st.radio, "Size the noise to the", ways, key=key, holds=chosen, act=take))


def _beside(said: str) -> None:
    if said.strip():
        st.markdown(f":material/verified_user: {said}")


def _promises(asked: press.Press, lines: Sequence[Line], table: Table) -> None:
    """The guarantee of the one line, or of all together."""
    with st.container(key="limits_oracle"):
        st.markdown(receipt_words.limits_of(asked))
    total = lines[0].guarantee if len(lines) == 1 else press.totals(lines)
    if total is None:
        st.error("No promise is left for all together: the shares γ of changes left out sum to 1 or more.")
    else:
        standing_words.show_promise(total, table.unit, lines[0].adjacency, key="line_0" if len(lines) == 1 else "total_0")
