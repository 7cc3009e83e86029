"""Which guarantee a report's answers have: one for all of them where one covers them, else each its own, and what adds up."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee
from dpcore.guarantees.unit import Unit
from pages.files.tables import Table as Data
from pages.ledger.book import Book
from pages.ledger.entry import Entry
from pages.old.reports.document import Section, Table, Text

# The words of a report, each in a sentence or two.


_WORDS = {
    "ε (epsilon)": "How much an answer may tell about one row. 0 tells nothing; the larger it is, the less is protected.",
    "δ (delta)": "A small chance that more is told than ε allows. 0 where it is not named.",
    "differential privacy (DP)": "Whoever sees the answer learns hardly more of one row than if another stood there.",
}
_RANDOM = {
    "random DP": "Differential privacy for all but a share γ of changes, of rows that are like those of made-up tables. It is "
    "weaker than differential privacy, which holds for every change.",
    "γ (gamma)": "The share of changes that are not protected, when rows are drawn from the oracle. It is no share of the "
    "people in the table.",
    "oracle": "A recipe for made-up tables with the same columns. The noise is sized by how far the answer moves in them.",
}
_LAST = {
    "noise": "A random number that is added to an answer. It hides what one row says, as far as ε allows.",
    "ledger, budget": "The list of what all answers about a table have spent; the most that they may spend.",
}


def glossary(*, random: bool) -> Section:
    """``random``: with those of random DP."""
    rows = tuple((_WORDS | (_RANDOM if random else {}) | _LAST).items())
    return Section("What do the words mean?", (Table(("word", "meaning"), rows, "Words of this report"),))


@final
@dataclass(frozen=True, eq=False)
class Covered:
    """Answers that have the same guarantee, of the same unit. ``together``: whether it is that of all of them at once."""

    guarantee: Guarantee
    unit: Unit
    adjacency: Adjacency
    entries: tuple[Entry, ...]
    together: bool = False

    @property
    def confidential(self) -> bool:
        """Whether any of them is of a table that was confidential."""
        return any(not entry.about.public for entry in self.entries)

    @property
    def questions(self) -> str:
        """Their questions, in quotation marks."""
        return ", ".join(f"“{entry.about.question}”" for entry in self.entries)


def covered(book: Book, table: Data, released: tuple[Entry, ...]) -> list[Covered]:
    """One for all where the ledger has one total for it and all are of one unit; else one for each guarantee and unit."""
    joint = None if len(released) < 2 else _total(book, table)
    units = {(entry.about.protected, entry.line.adjacency) for entry in released if entry.line is not None}
    if joint is not None and len(units) == 1:
        ((unit, adjacency),) = units
        return [Covered(joint, unit, adjacency, released, together=True)]
    found: dict[tuple[str, Unit, Adjacency], list[Entry]] = {}
    for entry in released:
        if entry.line is not None:
            key = (words.name(entry.line.guarantee), entry.about.protected, entry.line.adjacency)
            found.setdefault(key, []).append(entry)
    each = []
    for (_, unit, adjacency), entries in found.items():
        line = entries[0].line
        assert line is not None
        each.append(Covered(line.guarantee, unit, adjacency, tuple(entries)))
    return each


def together(book: Book, table: Data, released: tuple[Entry, ...]) -> list[Section]:
    """That no one guarantee covers several answers, if none does; nothing for one answer."""
    if len(released) < 2 or _total(book, table) is not None:
        return []
    said = Text("No one guarantee covers all of them together.", lead=True)
    return [Section("What do the answers tell together?", (said,))]


def _total(book: Book, table: Data) -> Guarantee | None:
    return book.total(book.name_of(table))
