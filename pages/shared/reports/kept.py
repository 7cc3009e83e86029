"""The report of a ledger whose responses are not in this tab, as after it was loaded from a file."""

from __future__ import annotations

from dpcore.guarantees import words
from dpcore.ledger.accounting import Line
from pages.files.tables import Table as Data
from pages.reports.document import Block, Edition, Report, Section, Table, Text
from pages.shared.reports import covered, spent, view
from pages.state.book import Book


def report(book: Book, table: Data, edition: Edition) -> Report:
    """Every line with its answer and its own guarantee, and what all have spent."""
    name = table.title or table.name
    lines = [line for one in book.ledgers.get(table.digest, []) for line in one.lines if line.responded]
    rows = tuple((spent.asked(line, edition), _answer(line, edition), _holds(line)) for line in lines)
    blocks: tuple[Block, ...] = (
        Table(("question", "answer", "its guarantee by itself"), rows, "All lines of the ledger"),
        Text("What an answer was asked with, and its chart, are in the report that was made where it was released.", small=True),
    )
    random = any(line.gamma for line in lines)
    sections = (Section("What was released?", blocks), spent.spent(book, table, edition), covered.section(random=random))
    return Report(f"What was released of {name}", f"{name}.", edition, sections, view.made_on(), book.incomplete(table))


def _answer(line: Line, edition: Edition) -> str:
    if line.guarantee is None and edition is Edition.SHARING:
        return "not shown: no guarantee covers it"
    return line.answer or "none"


def _holds(line: Line) -> str:
    holds = line.guarantee
    if holds is None:
        return "none"
    told = "" if line.standing.joins else f" ({line.standing.value})"
    return f"{words.name(holds)}{told}"
