"""One press for a whole list: all of it is fixed before the first draw, refused as a whole, and then made line by line.

Nothing of Streamlit is called here: a rerun could interrupt it between the ledger and the response.
"""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial
from typing import final

from dpcore.base.types import Oracle, asked_together, person_of
from dpcore.errors import DpcoreError, IncompatibleReleasesError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line
from pages.experiment import cost, preview
from pages.experiment.listed.distances import refused
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.state.book import Book
from pages.state.press import RELEASE_SECONDS, Press, leave_out, make, terms
from pages.wording.question_words import questions
from pages.wording.sentences import plain

_OPEN = "Another release of this tab is being drawn: nothing was drawn or charged for this one. Press again after it."
_ANEW = "Nothing was drawn or charged: the table says anew whose its rows are. Begin the list again."
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
class ListPress:
    """What was on a list's receipt: every line of it, with a ticket for all."""

    ticket: str
    presses: tuple[Press, ...]


def presses(made: QuestionList, table: Table, ticket: str) -> tuple[Press, ...]:
    """The lines of a list, each as a press of its own; those that share the list's oracle draw from one and the same."""
    scenarios = made.lines(table)
    shared = _shared_oracle([scenario for scenario in scenarios if scenario.oracle is made.oracle], table)
    return tuple(
        Press(
            f"{ticket}.{place}",
            scenario,
            table,
            made.worst_case and preview.worst_case(scenario) is not None,
            oracle=shared if scenario.oracle is made.oracle else None,
            numbers=numbers,
        )
        for place, (scenario, numbers) in enumerate(zip(scenarios, made.numbers, strict=True), 1)
    )


def _shared_oracle(sharing: Sequence[Scenario], table: Table) -> Oracle | None:
    """The oracle of every column that one of these asks for: only what is drawn from one and the same adds up."""
    if not sharing:
        return None
    first = sharing[0]
    own = first.resolved_oracle(table)
    if not isinstance(first.oracle, TableRecords):
        return own
    columns = tuple(dict.fromkeys(name for scenario in sharing for name in scenario.columns))
    records = table.prepare(columns, first.target).database
    person = person_of(first.target)
    return first.oracle.of(records) if person is None else first.oracle.of_people(records, person)


def foreseen(book: Book, table: Table, asked: Sequence[Press]) -> list[Line]:
    """Each line as it would stand: all are fixed before the first answer, where there is none yet."""
    lines = [one.line for one in asked]
    if book.responded(table):
        return _one_after_another(book, table, lines)
    return [Ledger().planned([line]).holding(line).lines[-1] if line.drawn is not None else line for line in lines]


def _one_after_another(book: Book, table: Table, lines: Sequence[Line]) -> list[Line]:
    """After an answer each line stands after those of its own press that come before it, too."""
    copy, found = book.copied(), []
    for line in lines:
        found.append(copy.foresee(table, line))
        copy.charge(table, partial(Ledger.holding, item=line))
    return found


def totals(lines: Sequence[Line]) -> list[Guarantee | None]:
    """What all lines hold together, planned at once: one total for each ledger that they would stand in."""
    groups: list[list[Line]] = []
    for line in lines:
        for group in groups:
            try:
                Ledger().planned([*group, line])
            except IncompatibleReleasesError:
                continue
            group.append(line)
            break
        else:
            groups.append([line])
    found = []
    for group in groups:
        ledger = Ledger().planned(group)
        for line in group:
            ledger = ledger.holding(line)
        found.append(ledger.total())
    return found


def press(book: Book, asked: ListPress, executor: Executor) -> str:
    """The whole list, once a ticket; or the sentence that says why nothing was drawn, empty where something was."""
    with book.lock:
        if asked.ticket in book.spent:
            return ""
        if any(one.scenario.adjacency is not one.table.adjacency for one in asked.presses):
            return _ANEW
        if book.drawing is not None and book.drawing.open:
            return _OPEN
        table = asked.presses[0].table
        try:
            _refuse_slow(asked.presses)
            if problem := _too_small(asked.presses):
                return problem
            lines = [one.line for one in asked.presses]
            now = [terms(line) for line in foreseen(book, table, asked.presses)]
            if any(one.shown is not None and one.shown != there for one, there in zip(asked.presses, now, strict=True)):
                return _CHANGED
            no_room = book.refusal_of(table, lines) if book.responded(table) else _fix(book, asked, lines)
        except DpcoreError as error:
            no_room = f"{plain(error)} Nothing was drawn or charged."
        if no_room:
            return no_room
        book.spent |= {asked.ticket, *(one.ticket for one in asked.presses)}
        _make(book, asked.presses, executor)
        return ""


def _refuse_slow(asked: Sequence[Press]) -> None:
    """TooSlowError where the trials of all lines together would take longer than one press may ask for."""
    left = RELEASE_SECONDS
    for one in asked:
        if not one.worst_case:
            scenario = one.scenario
            refuse = scenario.target, scenario.n, scenario.m, max(left, 1e-6), one.drawn_from, scenario.adjacency
            cost.refuse_slow(*refuse)
            left -= cost.seconds(scenario.target, scenario.n, scenario.m, one.drawn_from, scenario.adjacency)


def _too_small(asked: Sequence[Press]) -> str:
    """Why the noise of a question is too small, whatever the receipt said: a link can ask for any width."""
    for one in asked:
        if one.worst_case or not asked_together(one.scenario.target):
            continue
        for place in refused(one.scenario, one.drawn_from):
            asks = questions(one.scenario, one.table)[place]
            return f"Nothing was drawn or charged. The noise on “{asks}” is too small to hide what a record does: take a wider ±."
    return ""


def _fix(book: Book, asked: ListPress, lines: Sequence[Line]) -> str:
    """List every line as planned; or, where one of them is refused, none."""
    table = asked.presses[0].table
    digest = book.name_of(table)
    ledgers, plans = list(book.ledgers.get(digest, [])), list(book.plans.get(digest, []))
    listed = [line for ledger in ledgers for line in ledger.pending]
    for one, line in zip(asked.presses, lines, strict=True):
        if line in listed:  # by the plan, already
            listed.remove(line)
            continue
        if no_room := book.plan(one.scenario, table, line, worst_case=one.worst_case):
            book.ledgers[digest], book.plans[digest] = ledgers, plans
            return f"The list was refused as a whole, at “{line.about}”. {no_room}"
    return ""


def _make(book: Book, left: Sequence[Press], executor: Executor) -> None:
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


def _go_on(book: Book, rest: Sequence[Press], executor: Executor, cancelled: bool) -> None:
    """After a line whose draws took long: the others, or where somebody ended it, that they were not asked."""
    if not cancelled:
        _make(book, rest, executor)
        return
    for one in rest:
        leave_out(book, one, _NOT_ASKED)
