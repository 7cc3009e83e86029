"""Which of a browser's uploads are the same table: for its ledger and its budget.

A table is known by the values of its columns. So it stays the same with another name, line end or separator. One that shares
a column of values with an earlier upload is that table too: a cell was changed, or a column was left out. Where nothing is
shared its holder is asked. A table's name in the book is random, because a digest would confirm a guess of its records to
whoever reads the page.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field, replace
from typing import final
from weakref import WeakKeyDictionary

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError, SampledLaterError
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.ledger.accounting import Ledger
from pages.files.tables import Table
from pages.ledger.book import CLOSED, Book
from pages.ledger.entry import Entry

# Of two budgets for one table, what both allow.


def smaller(one: Guarantee, other: Guarantee) -> Guarantee:
    """The smaller ε, the smaller δ and the smaller γ; a budget without a γ admits no random DP."""
    epsilon = min(one.epsilon, other.epsilon)
    first, second = facts(one), facts(other)
    delta, gamma = min(first.delta, second.delta), min(first.gamma or 0.0, second.gamma or 0.0)
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)


# What a browser's book holds of two uploads, once they are found to be one table.


def become_one(book: Book, name: str, other: str) -> None:
    """Put all that the book holds under two names under the first of them.

    If both were charged, and something was sampled or protects other neighbours, no guarantee covers the answers together: what
    was sampled about one may have been chosen after an answer about the other. The table is then closed, with the lines of both,
    and each sampled answer says so.
    """
    book.entries[:] = [replace(entry, digest=name) if entry.digest == other else entry for entry in book.entries]
    book.same = {old: name if new == other else new for old, new in book.same.items()} | {other: name}
    for names in (book.confidential, book.demonstrated, book.closed):
        if other in names:
            names.add(name)
    one, more = (book.ledgers.pop(which, None) for which in (name, other))
    if one is not None and more is not None:
        try:
            book.ledgers[name] = _together(one, more)
        except DpcoreError:
            book.ledgers[name] = replace(one, plan=(), lines=one.lines + more.lines, after_responses=True)
            book.closed.add(name)
    elif (only := one or more) is not None:
        book.ledgers[name] = only
    if name in book.closed:
        book.entries[:] = [_closed(entry) if entry.digest == name else entry for entry in book.entries]


def _closed(entry: Entry) -> Entry:
    """A proved answer keeps its own guarantee, a sampled one has none any more."""
    sampled = entry.line is not None and entry.line.drawn is not None
    return replace(entry, caveats=(*entry.caveats, CLOSED)) if sampled and CLOSED not in entry.caveats else entry


def _together(one: Ledger, other: Ledger) -> Ledger:
    """One ledger with the lines of both; raises if they do not add up whatever their order was."""
    found = Ledger(lines=one.lines, after_responses=True)
    if any(line.drawn is not None for line in (*one.lines, *other.lines)):
        raise SampledLaterError("an answer about the same table")
    for line in other.lines:
        found = found.holding(line)
    return found


@final
@dataclass(eq=False)
class Identities:
    """The uploads of one browser: by the digest of a table or of a telling column, the name that its book has for the table."""

    names: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)  # in words, by name, in the order in which they came

    def found(self, table: Table) -> list[str]:
        """The earlier tables that it is, the first one first: more than one where it shares columns with several."""
        if table.digest in self.names:
            return [self.names[table.digest]]
        found = {self.names[digest] for digest in table.told_by if digest in self.names}
        return [name for name in self.titles if name in found]

    def in_doubt(self, table: Table) -> dict[str, str]:
        """The earlier tables of which it may be a new version, in words by name; none where it was recognized."""
        found = self.found(table)
        return {} if found else dict(self.titles)

    def keep(self, table: Table, name: str) -> None:
        """From now on the table and its telling columns are known by this name."""
        self.titles.setdefault(name, table.title or table.name)  # no number of records: whether it is public may be said later
        self.names |= dict.fromkeys((table.digest, *table.told_by), name)

    def known_by(self, table: Table, name: str) -> frozenset[str]:
        """The digests of an upload's values and telling columns, and of all else that has its ``name`` in the book."""
        return frozenset(digest for digest, known in self.names.items() if known == name) | table.told_by

    def join(self, name: str, other: str) -> None:
        """Two of them are one table."""
        self.names = {digest: name if known == other else known for digest, known in self.names.items()}
        self.titles.pop(other, None)


_ALL: WeakKeyDictionary[Book, Identities] = WeakKeyDictionary()
_LOCK = threading.Lock()


def of(book: Book) -> Identities:
    """What is known of a browser's uploads, for as long as its book is there."""
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
    if day := book.files.pop(other, ""):
        book.files[name] = " and ".join(dict.fromkeys(filter(None, [book.files.get(name, ""), day])))
    if other in book.titles:
        book.titles[name] = " and ".join(dict.fromkeys([*filter(None, [book.titles.get(name)]), book.titles.pop(other)]))
