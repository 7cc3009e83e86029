"""What a tab's book holds of two uploads, once they are found to be one table: its answers in the order in which they came.

Where the order of all answers is known, each line is judged as if there had been one ledger from the beginning: what was sampled
after an answer about either upload, and was planned for neither before it, has no guarantee (mathematics, section 4.5). Where it
is not known, as of answers that were entered by hand or came from a file, what was sampled is taken to have come after the other
upload's answers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from dpcore.ledger.accounting import Ledger, Line
from dpcore.ledger.of_one_table import charged, joined, planned
from pages.state.book import Book, PlannedRelease
from pages.state.entry import charge_of


@final
@dataclass(frozen=True, eq=False)
class Upload:
    """The ledgers and the planned releases that the book has under one name."""

    ledgers: tuple[Ledger, ...]
    plans: tuple[PlannedRelease, ...]

    @classmethod
    def taken(cls, book: Book, name: str) -> Upload:
        """Out of the book."""
        return cls(tuple(book.ledgers.pop(name, ())), tuple(book.plans.pop(name, ())))

    @property
    def lines(self) -> list[Line]:
        return [line for ledger in self.ledgers for line in ledger.lines]

    @property
    def answered(self) -> bool:
        return any(ledger.responded for ledger in self.ledgers)


def become_one(book: Book, name: str, other: str) -> None:
    """All ledgers and plans of two names under the first of them; each response says what holds of it now."""
    uploads = [Upload.taken(book, one) for one in (name, other)]
    before = [line for one in uploads for line in one.lines]
    order = {charge_of(entry.ticket): place for place, entry in enumerate(book.entries)}
    ordered = not book.lost and not book.unordered & {name, other} and all(line.charge in order for line in before)
    ledgers, after, plans = _replayed(uploads, order) if ordered else _without_order(uploads)
    book.judge_entries(before, after)
    book.entries[:] = [replace(entry, digest=name) if entry.digest == other else entry for entry in book.entries]
    book.same = {old: name if new == other else new for old, new in book.same.items()} | {other: name}
    if not ordered:
        book.unordered.add(name)
    if ledgers:
        book.ledgers[name] = ledgers
    if plans:
        book.plans[name] = plans


def _replayed(uploads: Sequence[Upload], order: Mapping[str, int]) -> tuple[list[Ledger], list[Line], list[PlannedRelease]]:
    """Charged again, one after another, behind the plan that was made before the first of all answers."""
    lines = [line for one in uploads for line in one.lines]
    first = min((order[line.charge] for line in lines if line.responded), default=math.inf)
    plans = [item for one in uploads for item in one.plans if item.entries_before <= first]
    ledgers: list[Ledger] = []
    for item in plans:
        ledgers = planned(ledgers, item.line)
    stand: dict[int, Line] = {}
    for line in sorted(lines, key=lambda one: order[one.charge]):
        ledgers, stand[id(line)] = charged(ledgers, line)
    return ledgers, [stand[id(line)] for line in lines], plans


def _without_order(uploads: Sequence[Upload]) -> tuple[list[Ledger], list[Line], list[PlannedRelease]]:
    """Where one was answered about, the other's plan falls and what was sampled for it is judged behind that answer."""
    one, other = uploads
    judged = [
        Upload(tuple(ledger.late() for ledger in mine.ledgers), ()) if theirs.answered else mine
        for mine, theirs in ((one, other), (other, one))
    ]
    ledgers = joined([ledger for mine in judged for ledger in mine.ledgers])
    return ledgers, [line for mine in judged for line in mine.lines], [item for mine in judged for item in mine.plans]
