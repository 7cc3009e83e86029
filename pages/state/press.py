"""A press of the button Release: all that was on the receipt, one line or many, is refused as a whole or made line by line.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from dpcore.base.types import Oracle, asked_together, person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line
from dpcore.ledger.of_one_table import planned
from pages.experiment import cost, preview
from pages.experiment.in_blocks import blocks_of
from pages.experiment.listed.distances import refused
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.state.book import Book
from pages.state.listed import current_list
from pages.state.released_line import AskedLine, Terms, leave_out, make
from pages.wording.question_words import questions
from pages.wording.sentences import plain

RELEASE_SECONDS = 900.0  # of draws that one press may ask the server for
_OPEN = "Another release of this tab is being drawn: nothing was drawn or charged for this one. Press again after it."
_ANEW = "Nothing was drawn or charged: the table says anew whose its rows are. Ask again on Explore, or begin the list again."
_CHANGED = (
    "Nothing was drawn or charged: since this receipt was shown, an answer about the table came, perhaps in another tab, and it "
    "changes what would be promised. Read the receipt again, then press."
)
_NOT_ASKED = (
    "This part of the list was not asked, because the draws before it were ended. If the list was fixed before the first answer, "
    "it stays in the plan, and its γ counts there."
)


@final
@dataclass(frozen=True, eq=False)
class Press:
    """What was on a receipt: its lines, with one ticket for all."""

    ticket: str
    lines: tuple[AskedLine, ...]

    def shown(self, stands: Sequence[Line]) -> Press:
        """With what the receipt says of each: if it is another at the press, there is no release."""
        return replace(self, lines=tuple(replace(one, shown=_terms(line)) for one, line in zip(self.lines, stands, strict=True)))


def of_one(ticket: str, scenario: Scenario, table: Table, *, worst_case: bool) -> Press:
    """One question by itself."""
    return Press(ticket, (AskedLine(ticket, scenario, table, worst_case),))


def of_list(ticket: str, made: QuestionList, table: Table) -> Press:
    """The lines of a list; those that share the list's oracle draw from one and the same."""
    scenarios = current_list.lines(made, table)
    shared = _shared_oracle([scenario for scenario in scenarios if scenario.oracle is made.oracle], table)
    lines = tuple(
        AskedLine(
            f"{ticket}.{place}",
            scenario,
            table,
            (made.worst_case or blocks_of(scenario) is not None) and preview.worst_case(scenario) is not None,
            oracle=shared if scenario.oracle is made.oracle else None,
            numbers=numbers,
        )
        for place, (scenario, numbers) in enumerate(zip(scenarios, made.numbers, strict=True), 1)
    )
    return Press(ticket, lines)


def _shared_oracle(sharing: Sequence[Scenario], table: Table) -> Oracle | None:
    """The oracle of every column that one of these asks for: only what is drawn from one and the same adds up."""
    if not sharing:
        return None
    first = sharing[0]
    if not isinstance(first.oracle, TableRecords):
        return first.resolved_oracle(table)
    columns = tuple(dict.fromkeys(name for scenario in sharing for name in scenario.columns))
    records = table.prepare(columns, first.target).database
    person = person_of(first.target)
    return first.oracle.of(records, person)


def _terms(line: Line) -> Terms:
    return line.standing, line.guarantee


def foreseen(book: Book, asked: Press) -> list[Line]:
    """Each line as it would stand: of several, all are fixed before the first answer, where there is none yet."""
    table, lines = asked.lines[0].table, [one.line for one in asked.lines]
    if len(lines) > 1 and not book.responded(table):
        return [Ledger().planned([line]).holding(line).lines[-1] if line.drawn is not None else line for line in lines]
    copy, found = book.copied(), []
    for line in lines:  # each after those of its own press that come before it
        found.append(copy.foresee(table, line))
        copy.charge(table, partial(Ledger.holding, item=line))
    return found


def totals(lines: Sequence[Line]) -> list[Guarantee | None]:
    """What all lines hold together, planned at once: one total for each ledger that they would stand in."""
    ledgers: list[Ledger] = []
    for line in lines:
        ledgers = planned(ledgers, line)
    found = []
    for ledger in ledgers:
        for line in ledger.plan:
            ledger = ledger.holding(line)
        found.append(ledger.total())
    return found


def press(book: Book, asked: Press, executor: Executor) -> str:
    """The release, once a ticket; or the sentence that says why nothing was drawn, empty where something was.

    What the receipt said is looked at again under the lock: another tab may have released, looked or spent meanwhile. Draws
    that take long are made on ``executor``, as the book's ``drawing``; the response follows them by itself.
    """
    with book.lock:
        if asked.ticket in book.spent:
            return ""
        try:
            problem = _refused(book, asked)
        except DpcoreError as error:
            problem = f"{plain(error)} Nothing was drawn or charged."
        if problem:
            return problem
        book.spent |= {asked.ticket, *(one.ticket for one in asked.lines)}
        _make(book, asked.lines, executor)
        return ""


def _refused(book: Book, asked: Press) -> str:
    """Why nothing of it can be made, as of now; else a list stands in the plan from now on, where none was answered yet."""
    table, lines = asked.lines[0].table, [one.line for one in asked.lines]
    if any(one.scenario.adjacency is not one.table.adjacency for one in asked.lines):
        return _ANEW
    if book.is_drawing:
        return _OPEN
    _refuse_slow(asked.lines)
    if problem := _too_small(asked.lines):
        return problem
    now = foreseen(book, asked)
    if any(one.shown is not None and one.shown != _terms(line) for one, line in zip(asked.lines, now, strict=True)):
        return _CHANGED
    if len(lines) > 1 and not book.responded(table):
        return _fix(book, asked.lines)
    return book.refusal_of(table, lines)


def _refuse_slow(asked: Sequence[AskedLine]) -> None:
    """TooSlowError where the trials of all lines together would take longer than one press may ask for."""
    left = RELEASE_SECONDS
    for one in asked:
        if not one.worst_case:
            cost.refuse_slow(one.scenario.m, one.seconds_a_draw, max(left, 1e-6))
            left -= one.seconds


def _too_small(asked: Sequence[AskedLine]) -> str:
    """Why the noise of a question is too small, whatever the receipt said: a link can ask for any width."""
    for one in asked:
        if one.worst_case or not asked_together(one.scenario.target):
            continue
        for place in refused(one.scenario, one.drawn_from):
            asks = questions(one.scenario, one.table)[place]
            return f"Nothing was drawn or charged. The noise on “{asks}” is too small to hide what a row does: take a wider ±."
    return ""


def _fix(book: Book, asked: Sequence[AskedLine]) -> str:
    """List every line as planned; or, where one of them is refused, none."""
    table = asked[0].table
    digest = book.name_of(table)
    ledgers, plans = list(book.ledgers.get(digest, [])), list(book.plans.get(digest, []))
    listed = [line for ledger in ledgers for line in ledger.pending]
    for one in asked:
        if one.line in listed:  # by the plan, already
            listed.remove(one.line)
            continue
        if no_room := book.plan(one.scenario, table, one.line, worst_case=one.worst_case):
            book.ledgers[digest], book.plans[digest] = ledgers, plans
            return f"The list was refused as a whole, at “{one.line.about}”. {no_room}"
    return ""


def _make(book: Book, left: Sequence[AskedLine], executor: Executor) -> None:
    """The lines one after another; where the draws of one take long, the others follow its end."""
    for place, one in enumerate(left):
        rest = left[place + 1 :]
        if no_room := book.refusal(one.table, one.line):  # the budget was lowered while a line before was drawn
            leave_out(book, one, no_room)
            continue
        try:
            make(book, one, executor, partial(_go_on, book, rest, executor))
        except BaseException:  # a fault of the program costs its own line, and not those that follow
            _make(book, rest, executor)
            raise
        if book.drawing is not None and book.drawing.open and book.drawing.scenario is one.scenario:
            return


def _go_on(book: Book, rest: Sequence[AskedLine], executor: Executor, cancelled: bool) -> None:
    """After a line whose draws took long: the others, or where somebody ended it, that they were not asked."""
    if not cancelled:
        _make(book, rest, executor)
        return
    for one in rest:
        leave_out(book, one, _NOT_ASKED)
