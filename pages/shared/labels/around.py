"""What stands around a promise on a label: of which table it is, what its holder says, and what its ledger knows of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Adjacency, Guarantee
from pages.charts.label import Part, Words
from pages.shared.labels.promised import limit, named
from pages.state.book import Book

MOST = 2  # answers, questions or promises that are named
HOW_MANY = "How many answers are there?"
NOT_STATED = "not stated"
ELSEWHERE = "Answers given elsewhere are not counted."
FROM_A_FILE = "This ledger came from a file, which may not be all."
APART = "No one promise covers all of them."


@final
@dataclass(frozen=True, slots=True)
class Told:
    """What the holder says beside it, each of which may be empty: whom to ask, and of which time the data are."""

    whom: str = ""
    period: str = ""

    @property
    def part(self) -> Part:
        """The last part of a label."""
        return Part("Whom to ask?", (Words(self.whom or NOT_STATED, most=2),), heavy=True)

    @property
    def of_which_time(self) -> Words:
        """Of the data."""
        return Words(f"Period of the data: {self.period or NOT_STATED}", most=1)


def table_words(name: str, records: int, adjacency: Adjacency, *, public: bool) -> Words:
    """Its name stands last, for it may be as long as it likes."""
    size = f"{'about ' * adjacency.removes}{counted(records, f' {words.counted_in(adjacency)}')}"
    return Words(f"From a {'public' if public else 'confidential'} table of {size}: {name}", most=2)


def and_more(many: int) -> tuple[Words, ...]:
    """That there are so many more than are named."""
    return (Words(f"and {many:,} more"),) if many > 0 else ()


def known_of(book: Book, name: str, *, from_a_file: bool) -> Part:
    """Beside one answer: how many of its table the ledger knows of, and what they come to."""
    many = sum(line.responded for line in book.ledgers[name].lines) if name in book.ledgers else 0
    said = "This ledger knows of no other answer about this table."
    if many > 1:
        said = f"This ledger knows of {many:,} answers about this table. {_together(book.total(name))}"
    return Part(HOW_MANY, (Words(f"{said} {ELSEWHERE}"), Words(FROM_A_FILE * from_a_file)))


def _together(total: Guarantee | None) -> str:
    return APART if total is None else f"All together: {named(total)}, and {limit(total)}."
