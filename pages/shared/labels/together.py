"""The label of all answers about a table."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import shorten

from dpcore.guarantees.privacy import Guarantee
from dpcore.guarantees.unit import Unit
from dpcore.ledger.accounting import Event, Line
from pages.charts.label import Label, Part, Words
from pages.files.tables import Table
from pages.shared.labels.around import ELSEWHERE, FROM_A_FILE, HOW_MANY, MOST, Told, and_more, table_words
from pages.shared.labels.promised import (
    Promised,
)
from pages.shared.reports.noise import CAME
from pages.state.book import Book
from pages.state.release_entry import Entry

_ANSWER, _QUESTION = 60, 64  # letters of an answer beside its question, and of a question


def of_ledger(book: Book, table: Table, told: Told) -> Label | None:
    """None where there is no answer, or no one guarantee covers all of them."""
    lines = [line for line in book.ledger(table).lines if line.responded]
    entries = [entry for entry in book.entries if entry.digest == table.digest and entry.release is not None]
    total = book.total(book.name_of(table))
    if total is None or not any(line.event is not Event.FAILED for line in lines):
        return None
    cautions = (*dict.fromkeys(said for entry in entries for said in entry.caveats), FROM_A_FILE * bool(book.incomplete(table)))
    unit = entries[0].about.protected if entries else table.unit
    middle = _joint(lines, entries, total, unit).parts(tuple(filter(None, cautions)))
    many = "The one answer" if len(lines) == 1 else f"The {len(lines):,} answers"
    parts = (_questions(lines, table, told), *middle, Part(HOW_MANY, (Words(ELSEWHERE),)), told.part)
    return Label(f"{many} about one table that its ledger knows of", parts)


def _questions(lines: Sequence[Line], table: Table, told: Told) -> Part:
    said = [Words(_listed(line), most=2) for line in lines[:MOST]]
    about = table_words(table.title or table.name, lines[0].n, lines[0].adjacency, public=table.public)
    more = and_more(len(lines) - MOST)
    return Part("What is published?", (*said, *more, about, told.of_which_time), heavy=True)


def _listed(line: Line) -> str:
    """An answer and its question."""
    asked = shorten(line.about or line.target, _QUESTION, placeholder=" …")
    if line.event is Event.FAILED:
        return f"(failed: no answer): {asked}"
    return f"{line.answer}: {asked}" if 0 < len(line.answer) <= _ANSWER else asked


def _joint(lines: Sequence[Line], entries: Sequence[Entry], total: Guarantee, unit: Unit) -> Promised:
    """What covers all of them."""
    oracles = dict.fromkeys(entry.about.oracle for entry in entries if entry.line is not None and entry.line.drawn is not None)
    if not entries:
        oracles = dict.fromkeys(line.drawn.oracle for line in lines if line.drawn is not None)
    origins = {entry.about.origin for entry in entries}
    came = CAME[origins.pop()] if len(origins) == 1 else ""
    seen = "this answer" if len(lines) == 1 else "all of these answers"
    return Promised(guarantee=total, adjacency=lines[0].adjacency, unit=unit, seen=seen, oracles=tuple(oracles), came=came)
