"""What the ledger comes to with each answer, in bars: as if all were planned before the first answer, and asked afterwards."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import final

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Event, Ledger, Line, Standing
from dpcore.ledger.of_one_table import planned
from dpcore.ledger.spending import Spent
from pages.charts.spending import Bar, Part
from pages.files.tables import Table
from pages.state.book import Book
from pages.wording.question_words import left_of

PLANNED, AFTERWARDS, EITHER = "planned before the first answer", "asked afterwards", "planned or asked afterwards"
_LATE = "had all been planned first"
_MOST = 12  # answers of the ledger that have a part each: of more they are one
_OF: dict[str, Callable[[Guarantee], float]] = {"ε": lambda one: one.epsilon, "γ": lambda one: facts(one).gamma or 0.0}
_NAMES = {"ε": "epsilon", "γ": "gamma"}


@final
@dataclass(frozen=True)
class _Cut:
    """The lines of a part: those before ``end`` that are in no part before."""

    said: str
    end: int
    made: bool


def bars(book: Book, table: Table, asked: Sequence[Line], *, spent: bool) -> tuple[Bar, ...]:
    """Of the ledger that takes the press, up to another press of the same; none where no one ledger takes all of it.

    ``asked``: the lines of a press, before anything was said of what came before; ``spent``: it was made.
    """
    try:
        found = _with_presses(book, table, asked, 1 if spent else 2)
    except DpcoreError:  # it would be refused, and the press says why
        return ()
    if found is None:
        return ()
    ledger, made = found
    cuts = _cuts(made, len(asked), len(ledger.lines))
    rows = {AFTERWARDS: _totals(ledger, cuts)}
    if (first := _planned_first(book, ledger)) is not None:
        rows = {_LATE if book.responded(table) else PLANNED: _totals(first, cuts)} | rows
    symbols = "εγ" if any(line.drawn is not None or line.gamma for line in ledger.lines) else "ε"
    fixed = _is_planned(ledger, len(asked))
    return tuple(bar for symbol in symbols for bar in _bars(symbol, rows, fixed=fixed, ends=_ends(book, table, symbol)))


def _with_presses(book: Book, table: Table, asked: Sequence[Line], presses: int) -> tuple[Ledger, int] | None:
    """The ledger as it would be after so many presses, and how many of its lines are there."""
    copy, name = book.copied(), book.name_of(table)
    sizes = [len(one.lines) for one in copy.ledgers.get(name, [])]
    if len(asked) > 1 and not book.responded(table):  # a list is planned as a whole
        for line in asked:
            copy.ledgers[name] = planned(copy.ledgers.get(name, []), line)
    for number in range(presses):
        for place, line in enumerate(asked):
            copy.charge(table, partial(Ledger.holding, item=line.redrawn(f"a press to come: {number}.{place}")))
    after = copy.ledgers[name]
    before = [*sizes, *[0] * (len(after) - len(sizes))]
    grown = [(one, size) for one, size in zip(after, before, strict=True) if len(one.lines) > size]
    return grown[0] if len(grown) == 1 else None


def _cuts(made: int, press: int, lines: int) -> list[_Cut]:
    ends = range(1, made + 1) if made <= _MOST else [made]
    there = [_Cut("in the ledger", end, made=True) for end in ends]
    to_come = [_Cut("this press", made + press, made=False)] if lines > made + press else []
    return [*there, *to_come, _Cut("one more", lines, made=False)]


def _planned_first(book: Book, ledger: Ledger) -> Ledger | None:
    """The ledger had all its lines been planned before the first answer; None where it cannot be told what they were then, or
    where they could not: an answer, of a choice, may have made the oracle of one."""
    if book.lost or not all(map(_is_told, ledger.lines)) or _answers_made_an_oracle(ledger):
        return None
    own = [line.redrawn(f"planned: {place}") for place, line in enumerate(ledger.lines)]
    found = Ledger().planned([*own, *ledger.pending])
    for line in own:
        found = found.holding(line)
    return found


def _is_told(line: Line) -> bool:
    """Whether all that it was certified for is known here."""
    return line.event is Event.RELEASE and not line.loaded and line.standing is not Standing.HELD


def _answers_made_an_oracle(ledger: Ledger) -> bool:
    """Whether one may be of an answer: something was settled, and no line before the first answer has it."""
    if not any(line.settles for line in ledger.lines):
        return False
    drawn = [(line.drawn, line.standing) for line in ledger.lines if line.drawn is not None]
    beforehand = {one.oracle_id for one, standing in drawn if standing is Standing.FIXED}
    return any(one.oracle_id not in beforehand for one, _ in drawn)


def _is_planned(ledger: Ledger, press: int) -> bool:
    """Whether another press is of the plan as well, so that nothing is asked afterwards."""
    drawn = [line for line in ledger.lines[-press:] if line.drawn is not None]
    return bool(drawn) and all(line.standing is Standing.FIXED for line in drawn)


_Total = tuple[_Cut, Guarantee | None, str]


def _totals(ledger: Ledger, cuts: Sequence[_Cut]) -> list[_Total]:
    """What the lines up to each cut come to together, as the ledger has it, and what is said of a part that joins none of it."""
    found: list[_Total] = []
    start = 0
    for cut in cuts:
        upto, own = ledger.lines[: cut.end], ledger.lines[start : cut.end]
        total = Ledger(lines=upto).joint()
        gone = total is None and not all(line.apart for line in upto)
        found.append((cut, total, "no promise left" if gone else _lacks(own)))
        start = cut.end
    if ledger.pending:
        found.append((_Cut("planned", start, made=False), ledger.joint(), ""))
    return found


def _lacks(lines: Sequence[Line]) -> str:
    if any(line.standing.void for line in lines):
        return "no guarantee"
    return "joins no total" if any(line.apart for line in lines) else ""


def _ends(book: Book, table: Table, symbol: str) -> tuple[float | None, float | None]:
    """The budget of this number and what is left of it."""
    budget = book.budgets.get(book.name_of(table))
    most = None if budget is None else _OF[symbol](budget) or None
    if budget is None or most is None:
        return None, None
    return most, left_of(budget, _NAMES[symbol], Spent.by(*book.lines_of(table)))


def _bars(symbol: str, rows: dict[str, list[_Total]], *, fixed: bool, ends: tuple[float | None, float | None]) -> list[Bar]:
    """A bar for each row; one for both where they are alike."""
    made = [Bar(symbol, said, _parts(symbol, totals), *ends) for said, totals in rows.items()]
    if len(made) == 1 or made[0].parts != made[1].parts:
        return [made[0], *(replace(one, left=None) for one in made[1:])]
    return [replace(made[0], said=PLANNED if fixed else EITHER)]


def _parts(symbol: str, totals: Sequence[_Total]) -> tuple[Part, ...]:
    found: list[Part] = []
    for cut, total, lacks in totals:
        before = found[-1].to if found else 0.0
        to = before if total is None else _OF[symbol](total)
        found.append(Part(cut.said, to, cut.made, lacks))
    return tuple(found)
