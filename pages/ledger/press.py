"""A click on Release: all questions of the list that was on the receipt are refused as a whole or answered.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from dpcore.base.types import Oracle, person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line
from dpcore.ledger.spending import Spent
from pages.experiment import cost
from pages.experiment.error_sentences import plain
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.ledger.long_release import Drawing, Outcome
from pages.ledger.released_line import AskedLine, Ready, begin, calibrate, charge_draws, charge_ended, draw, respond, write

RELEASE_SECONDS = 900.0  # of draws that one press may ask the server for
_OPEN = "Another release of this browser is being drawn: nothing was drawn or charged for this one. Press again after it."
_ANEW = "Nothing was drawn or charged: the table says anew whose its rows are. Begin the list again."
_CHANGED = (
    "Nothing was drawn or charged: since this receipt was shown, an answer about the table came, perhaps in another tab, and it "
    "changes what would be promised. Read the receipt again, then press."
)
_NOT_ASKED = "This question was not asked, because the trials of another one of the same press were ended."
_USED_UP = "These trials were the table's only ones: from now on its noise is sized to proved worst cases."


@final
@dataclass(frozen=True, eq=False)
class Press:
    """What was on a receipt: its lines, with one ticket for all."""

    ticket: str
    lines: tuple[AskedLine, ...]

    def shown(self, lines: Sequence[Line]) -> Press:
        """With the guarantee that the receipt names for each line: if it is another at the press, there is no release."""
        each = zip(self.lines, lines, strict=True)
        return replace(self, lines=tuple(replace(one, shown=line.guarantee) for one, line in each))


def of_list(ticket: str, made: QuestionList, table: Table) -> Press:
    """Return the lines of a list; questions that share its oracle draw from one and the same.

    The lines of several questions are numbered from 1 on, and so are their tickets.
    """
    scenarios = made.lines(table)
    shared = _shared_oracle([line for one, line in zip(made.questions, scenarios, strict=True) if one.oracle is None], table)
    lines = [
        AskedLine(ticket, scenario, table, made.is_proved(scenario), oracle=shared if one.oracle is None else None)
        for one, scenario in zip(made.questions, scenarios, strict=True)
    ]
    if len(lines) > 1:
        lines = [replace(line, ticket=f"{ticket}.{place}", number=place) for place, line in enumerate(lines, 1)]
    return Press(ticket, tuple(lines))


def _shared_oracle(sharing: Sequence[Scenario], table: Table) -> Oracle | None:
    """The oracle of every column that one of these asks for: only what is drawn from one and the same adds up."""
    if not sharing or (isinstance(sharing[0].oracle, TableRecords) and not table.public):  # the line refuses such an oracle
        return None
    first = sharing[0]
    if not isinstance(first.oracle, TableRecords):
        return first.resolved_oracle(table)
    columns = tuple(dict.fromkeys(name for scenario in sharing for name in scenario.columns))
    records = table.prepare(columns, first.target)
    person = person_of(first.target)
    return first.oracle.of(records, person)


def totals(lines: Sequence[Line]) -> Guarantee | None:
    """What all lines of a press hold together; None if their γ add up to 1 or more."""
    return Spent.by((), Ledger().planned(lines).pending, whole=True).guarantee()


def press(book: Book, asked: Press, executor: Executor) -> str:
    """The release, once a ticket; or the sentence that says why nothing was drawn, empty where something was.

    What the receipt said is looked at again under the lock: another tab may have released, looked or spent meanwhile. First all
    draws are made and all noise is sized, then the table is asked. Draws that take long are made on ``executor``, as the book's
    ``drawing``: while they are, no other press is accepted. The responses follow them by themselves.
    """
    with book.lock:
        book.begun = True
        if asked.ticket in book.spent:
            return ""
        try:
            problem = _refused(book, asked)
        except DpcoreError as error:
            problem = f"{plain(error)} Nothing was drawn or charged."
        if problem:
            return problem
        book.spent |= {asked.ticket, *(one.ticket for one in asked.lines)}
        _draw(book, list(asked.lines), [], executor)
        return ""


def _refused(book: Book, asked: Press) -> str:
    """Why nothing of it can be made, as of now."""
    table, lines = asked.lines[0].table, [one.line for one in asked.lines]
    if any(one.scenario.adjacency is not one.table.adjacency for one in asked.lines):
        return _ANEW
    if book.is_drawing:
        return _OPEN
    _refuse_slow(asked.lines)
    if refused := book.refusal(table, lines):
        return f"Nothing was drawn or charged. {refused}"
    now = book.foresee(table, lines)
    if any(one.shown is not None and one.shown != line.guarantee for one, line in zip(asked.lines, now, strict=True)):
        return _CHANGED
    return ""


def _refuse_slow(asked: Sequence[AskedLine]) -> None:
    """TooSlowError where the trials of all lines together would take longer than one press may ask for."""
    left = RELEASE_SECONDS
    for one in asked:
        if not one.worst_case:
            cost.refuse_slow(one.scenario.m, one.seconds_a_draw, max(left, 1e-6))
            left -= one.seconds


def _draw(book: Book, left: list[AskedLine], ready: list[Ready], executor: Executor) -> None:
    """Make the draws of one line after another, then answer all of them. The draws of one that takes long end in ``_drawn``."""
    try:
        while left:
            asked = left.pop(0)
            begun = begin(asked)
            if begun.oracle is not None and asked.takes_long:
                then = partial(_drawn, book, begun, left, ready, executor)
                book.drawing = Drawing(asked.scenario, begun.oracle, executor, then)
                return
            ready.append(begun if begun.oracle is None else draw(begun))
    except BaseException:  # of the machine: what was drawn is spent
        if not asked.worst_case:
            charge_ended(book, asked, unseen=False)
        _charge_all(book, ready)
        raise
    _answer(book, ready)


def _drawn(book: Book, begun: Ready, left: list[AskedLine], ready: list[Ready], executor: Executor, outcome: Outcome) -> None:
    """The end of draws that took long. If somebody ended them, or they failed, nothing of the press is answered."""
    with book.lock:
        if outcome.sample is not None:
            try:
                ready.append(calibrate(begun, outcome.sample))
            except BaseException:  # of the machine
                _charge_all(book, [*ready, replace(begun, sample=outcome.sample)])
                raise
            _draw(book, left, ready, executor)
            return
        if outcome.charged:
            charge_ended(book, begun.asked, unseen=outcome.unseen)
        _charge_all(book, ready)
        write(book, begun.asked, outcome.problem)
        for asked in (*(one.asked for one in ready), *left):
            write(book, asked, _NOT_ASKED, asked=False)


def _answer(book: Book, ready: Sequence[Ready]) -> None:
    """Fix all lines, and ask the table each question; or ask none if answers came meanwhile, or the budget was lowered."""
    table = ready[0].asked.table
    lines = [one.asked.line for one in ready if one.spends]
    if refused := book.refusal(table, lines):
        _charge_all(book, ready)
        for one in ready:
            write(book, one.asked, one.problem or f"No answer: the table was not asked. {refused}")
        return
    book.fix(table, lines)
    try:
        _respond(book, list(ready))
    finally:
        book.let_go(table)


def _respond(book: Book, ready: list[Ready]) -> None:
    """A fault of the program costs its own line, and not those that follow."""
    while ready:
        one = ready.pop(0)
        try:
            if one.calibrated is not None:
                respond(book, one)
                continue
            charge_draws(book, one)
            write(book, one.asked, f"{one.problem} {_USED_UP}" if one.spends else one.problem)
        except BaseException:
            _respond(book, ready)
            raise


def _charge_all(book: Book, ready: Sequence[Ready]) -> None:
    for one in ready:
        charge_draws(book, one)
