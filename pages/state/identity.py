"""Which of a tab's uploads are the same table: for its ledgers, its plan, its budget and "you looked".

A table is known by the values of its columns. So it stays the same with another name, line end or separator. One that shares
a column of values with an earlier upload is that table too: a cell was changed, or a column was left out. Where nothing is
shared its holder is asked. A table's name in the book is random, because a digest would confirm a guess of its records to
whoever reads the page.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass, field
from typing import final
from weakref import WeakKeyDictionary

from dpcore.base.counted import counted
from dpcore.workbench.tables import Table
from pages.reports.saved.whose import Whose
from pages.state.book import Book
from pages.state.ceiling import smaller
from pages.state.one_table import become_one


@final
@dataclass(eq=False)
class Identities:
    """The uploads of one tab: by the digest of a table or of a telling column, the name that its book has for the table."""

    names: dict[str, str] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)  # in words, by name, in the order in which they came
    used: set[str] = field(default_factory=set)  # those whose holder was done with the page Your data
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
        return {} if self.used.intersection(found) else {n: title for n, title in self.titles.items() if n not in found}

    def keep(self, table: Table, name: str, *, used: bool) -> None:
        """From now on the table and its telling columns are known by this name."""
        self.titles.setdefault(name, f"{table.title or table.name}, {counted(len(table), ' records')}")
        self.names |= dict.fromkeys((table.digest, *table.told_by), name)
        self.used |= {name} if used else set()

    def known_by(self, table: Table) -> frozenset[str]:
        """The digests of an upload's values and telling columns, under this name in the book, and of what else has it."""
        return frozenset(digest for digest, name in self.names.items() if name == table.digest) | table.told_by

    def join(self, name: str, other: str) -> None:
        """Two of them are one table."""
        self.names = {digest: name if known == other else known for digest, known in self.names.items()}
        self.files = [(name if known == other else known, whose) for known, whose in self.files]
        self.titles.pop(other, None)
        self.used |= {name} if other in self.used else set()


_ALL: WeakKeyDictionary[Book, Identities] = WeakKeyDictionary()
_LOCK = threading.Lock()


def of(book: Book) -> Identities:
    """What is known of a tab's uploads, for as long as its book is there."""
    with _LOCK:
        return _ALL.setdefault(book, Identities())


def settle(book: Book, table: Table, said: str = "", *, used: bool = True) -> str:
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
        known.keep(table, name, used=used)
    return name


def _join(book: Book, name: str, other: str) -> None:
    """All that the book holds of the other table moves to this one; the smaller budget holds."""
    become_one(book, name, other)
    if (budget := book.budgets.pop(other, None)) is not None:
        book.budgets[name] = smaller(budget, book.budgets.get(name, budget))
    if days := book.files.pop(other, ()):
        book.files[name] = tuple(dict.fromkeys((*book.files.get(name, ()), *days)))
    if other in book.looked:
        book.looked.add(name)
    if other in book.titles:
        book.titles[name] = " and ".join(dict.fromkeys([*filter(None, [book.titles.get(name)]), book.titles.pop(other)]))
