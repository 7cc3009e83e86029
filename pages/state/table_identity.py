"""Which of a tab's uploads are the same table: for its ledgers, its plan and its budget.

A table is known by the values of its columns. So it stays the same with another name, line end or separator. One that shares
a column of values with an earlier upload is that table too: a cell was changed, or a column was left out. Where nothing is
shared its holder is asked. A table's name in the book is random, because a digest would confirm a guess of its records to
whoever reads the page.
"""

from __future__ import annotations

import math
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import final
from weakref import WeakKeyDictionary

from dpcore.base.facts import facts
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.accounting import Ledger, Line
from dpcore.ledger.of_one_table import charged, joined, planned
from pages.files.tables import Table
from pages.reports.saved.everything import Whose
from pages.state.book import Book, PlannedRelease
from pages.state.release_entry import charge_of

# Of two budgets for one table, what both allow.


def smaller(one: Guarantee, other: Guarantee) -> Guarantee:
    """The smaller ε, the smaller δ and the smaller γ; a budget without a γ admits no random DP."""
    epsilon = min(one.epsilon, other.epsilon)
    first, second = facts(one), facts(other)
    delta, gamma = min(first.delta, second.delta), min(first.gamma or 0.0, second.gamma or 0.0)
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


# What a tab's book holds of two uploads, once they are found to be one table: its answers in the order in which they came.
#
# Where the order of all answers is known, each line is judged as if there had been one ledger from the beginning: what was
# sampled
# after an answer about either upload, and was planned for neither before it, has no guarantee (mathematics, section 4.5).
# Where it
# is not known, as of answers that were entered by hand or came from a file, what was sampled is taken to have come after the
# other
# upload's answers.


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


@final
@dataclass(eq=False)
class Identities:
    """The uploads of one tab: by the digest of a table or of a telling column, the name that its book has for the table."""

    names: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)  # in words, by name, in the order in which they came
    files: list[tuple[str, Whose]] = field(default_factory=list)  # by what a loaded file knows its table, with the name here

    def found(self, table: Table) -> list[str]:
        """The earlier tables that it is, the first one first: more than one where it shares columns with several."""
        if table.digest in self.names:
            return [self.names[table.digest]]
        found = {self.names[digest] for digest in table.told_by if digest in self.names}
        found |= {name for name, whose in self.files if whose.has((table.digest, *table.told_by))}
        return [name for name in self.titles if name in found]

    def in_doubt(self, table: Table) -> dict[str, str]:
        """The earlier tables of which it may be a new version, in words by name; none where it was recognized."""
        found = self.found(table)
        return {} if found else dict(self.titles)

    def keep(self, table: Table, name: str) -> None:
        """From now on the table and its telling columns are known by this name."""
        self.titles.setdefault(name, table.title or table.name)  # no number of records: whether it is public may be said later
        self.names |= dict.fromkeys((table.digest, *table.told_by), name)

    def known_by(self, table: Table) -> frozenset[str]:
        """The digests of an upload's values and telling columns, under this name in the book, and of what else has it."""
        return frozenset(digest for digest, name in self.names.items() if name == table.digest) | table.told_by

    def join(self, name: str, other: str) -> None:
        """Two of them are one table."""
        self.names = {digest: name if known == other else known for digest, known in self.names.items()}
        self.files = [(name if known == other else known, whose) for known, whose in self.files]
        self.titles.pop(other, None)


_ALL: WeakKeyDictionary[Book, Identities] = WeakKeyDictionary()
_LOCK = threading.Lock()


def of(book: Book) -> Identities:
    """What is known of a tab's uploads, for as long as its book is there."""
    with _LOCK:
        return _ALL.setdefault(book, Identities())


def settle(book: Book, table: Table, said: str = "") -> str:
    """The book's name for the table: of the earlier one that it is, or that its holder says it is, or a new one.

    Where it shares columns with several earlier tables, these become one: all that was answered about any of them counts.
    """
    known = of(book)
    with book.lock:
        met = {*known.found(table), said}
        name, *others = [one for one in known.titles if one in met] or [secrets.token_hex(16)]
        for other in others:
            known.join(name, other)
            _join(book, name, other)
        known.keep(table, name)
    return name


def _join(book: Book, name: str, other: str) -> None:
    """All that the book holds of the other table moves to this one; the smaller budget holds."""
    become_one(book, name, other)
    if (budget := book.budgets.pop(other, None)) is not None:
        book.budgets[name] = smaller(budget, book.budgets.get(name, budget))
    if days := book.files.pop(other, ()):
        book.files[name] = tuple(dict.fromkeys((*book.files.get(name, ()), *days)))
    if other in book.titles:
        book.titles[name] = " and ".join(dict.fromkeys([*filter(None, [book.titles.get(name)]), book.titles.pop(other)]))
