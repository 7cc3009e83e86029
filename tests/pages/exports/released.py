"""Answers that were released without a page, and what their report says."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import numpy as np

from dpcore import oracles, targets
from dpcore.base.columns import Column
from dpcore.guarantees.privacy import Unit
from pages import state
from pages.experiment.scenario import Scenario
from pages.exports.release_report import release_report
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.ledger.entry import Entry
from pages.ledger.press import press
from tests.pages.pressed import of_one

N = 40
TABLE = Table(
    "t.csv",
    (Column("x", bounds=(0.0, 1.0)),),
    {"x": np.linspace(0, 1, N)},
    public=False,
    digest="0d",
    title="t.csv",
    unit=Unit("patient", several=True),
)
MEDIAN = targets.Quantile(0.5, (0.0, 1.0))  # without a proved worst case


def scenario(**changes: Any) -> Scenario:
    """The mean of the table."""
    base = {"table": "t.csv", "columns": ("x",), "target": targets.Mean((0.0, 1.0)), "oracle": oracles.Uniform(0, 1), "n": N}
    return replace(state.example(), **(base | changes))


def release(book: Book, asked: Scenario, *, worst_case: bool, table: Table = TABLE) -> Entry:
    """Release one answer."""
    with ThreadPoolExecutor(1) as pool:
        said = press(book, of_one(f"a{len(book.entries)}", asked, table, worst_case=worst_case), pool)
    assert said == ""
    assert book.entries[-1].release is not None
    return book.entries[-1]


class Page(HTMLParser):
    """The elements of an HTML file with their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += "" if self.elements[-1:] == [("style", {})] else data

    def named(self, *names: str) -> list[dict[str, str | None]]:
        return [given for tag, given in self.elements if tag in names]


def prose(text: str) -> str:
    """The text of an HTML file on one line."""
    return " ".join(Page(text).text.split())


def said(book: Book, table: Table = TABLE, entries: Sequence[Entry] | None = None) -> str:
    """What the report of a book's answers says."""
    return prose(release_report(book, table, book.entries if entries is None else entries))
