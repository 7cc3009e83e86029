"""Books of a tab without a page: releases, plans and draws of a small table, and the file that is saved of them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache

import numpy as np
from pages.reports.saved.everything import Saved, read
from pages.state.saved import merged_book, plans_and_views, writing
from pages.state.saved.merged_book import Joined

from dpcore.base.norms import L1
from dpcore.guarantees.privacy import PureDP
from dpcore.ledger.accounting import Line
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table
from pages.state import state
from pages.state.book import Book, line_of
from pages.state.press import of_one, press

N = 40
DIGEST = "0f"
TABLE = Table("t.csv", (Column("x", bounds=(0, 1)),), {"x": np.linspace(0, 1, N)}, public=False, digest=DIGEST)
TABLES = {"t.csv": TABLE}


def middle(q: float) -> float:
    """From 0.3 to 0.7."""
    return round(0.3 + 0.4 * q, 6)


@cache
def median(q: float) -> Scenario:
    """A question that has a guarantee only where it was fixed before the first answer: near the median, for there each record
    counts, so that no release is refused for a sensitivity of 0."""
    changes = {
        "table": "t.csv",
        "columns": ("x",),
        "target": Quantile(middle(q), (0.0, 1.0)),
        "oracle": Uniform(0, 1),
        "norm": L1,
        "n": N,
    }
    return replace(state.example(), **changes, m=59)


@cache
def mean() -> Scenario:
    """A question with a proved worst case."""
    return median(0.5).with_(target=Mean((0.0, 1.0)))


def plan(book: Book, q: float) -> None:
    """List a median."""
    scenario = median(q)
    assert book.plan(scenario, TABLE, line_of(scenario, TABLE, worst_case=False), worst_case=False) == ""


def ask(book: Book, ticket: str, scenario: Scenario, *, worst_case: bool = False) -> Line:
    """One release, and its line."""
    with ThreadPoolExecutor(1) as executor:
        assert press(book, of_one(ticket, scenario, TABLE, worst_case=worst_case), executor) == ""
    line = book.entries[-1].line
    assert line is not None
    return line


def draws(book: Book, q: float) -> None:
    """Draws that were seen, and no answer."""
    scenario, drawn = median(q), median(q).oracle
    assert isinstance(drawn, Uniform)
    told = {"norm": L1, "n": N, "at": scenario.point, "looked": True}
    book.charge(TABLE, lambda ledger: ledger.add_draws(scenario.target, drawn, **told))  # type: ignore[arg-type]


def enter(book: Book, epsilon: float, *, first: bool = True) -> None:
    """A release of elsewhere."""
    book.enter(TABLE, N, PureDP(epsilon), made="a day", note="elsewhere", first=first)


def file_of(book: Book) -> str:
    """What is saved of it."""
    return writing._written(book, TABLE, None, None)


def offered(book: Book, content: str | Saved, *, first: bool = False) -> Joined:
    """What loading would give."""
    saved = read(content.encode()) if isinstance(content, str) else content
    fits, _ = plans_and_views.fitting(saved, TABLE, TABLES, state.example())
    return merged_book.joined(book, DIGEST, saved, fits, first=first)


def load(book: Book, content: str | Saved, *, first: bool = False) -> Joined:
    """Loaded, and what that gave."""
    found = offered(book, content, first=first)
    merged_book.put(book, DIGEST, "t.csv", "2026-01-01 00:00 UTC", found)
    return found


def lines(book: Book) -> list[Line]:
    """Every line of the table."""
    return [line for one in book.ledgers.get(DIGEST, []) for line in one.lines]
