"""Uploads that turn out to be one table have one ledger: the sum is what was spent, or the table is closed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import pytest

from dpcore.guarantees.privacy import PureDP
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages.experiment.scenario import Scenario
from pages.files.tables import Table, read_csv
from pages.ledger.book import Book
from pages.ledger.entry import CLOSED
from pages.ledger.press import press
from pages.state import example
from tests.pages.pressed import account, charged, of_one

_AGES = [18 + i * i % 61 for i in range(40)]
_COSTS = [100 + i * 37 % 911 for i in range(40)]
_DAYS = [i * i * i % 53 for i in range(40)]
_COLUMNS = {"age": _AGES, "cost": _COSTS, "days": _DAYS}


def _csv(*names: str) -> bytes:
    rows = zip(*(_COLUMNS[name] for name in names), strict=True)
    return ",".join(names).encode() + b"\n" + b"".join(",".join(map(str, row)).encode() + b"\n" for row in rows)


@pytest.fixture
def executor() -> Iterator[Executor]:
    with ThreadPoolExecutor(1) as pool:
        yield pool


def _brought(book: Book, *names: str, said: str = "") -> Table:
    """An upload with these columns, declared with bounds of 0 and 1,000."""
    draft = read_csv(_csv(*names), f"{'-'.join(names)}.csv", public=False)
    columns = tuple(replace(column, bounds=(0.0, 1_000.0)) for column in draft.columns)
    return replace(draft, columns=columns, digest=book.settle(draft, said))


def _asked(table: Table, column: str, epsilon: float, *, median: bool = False) -> Scenario:
    target: Any = Quantile(0.5, (0.0, 1_000.0)) if median else Mean((0.0, 1_000.0))
    return replace(example(), table=table.name, columns=(column,), target=target, oracle=Uniform(0, 1_000), n=40, epsilon=epsilon)


def _release(book: Book, table: Table, scenario: Scenario, executor: Executor, *, worst_case: bool) -> str:
    return press(book, of_one(f"t{len(book.entries)}", scenario, table, worst_case=worst_case), executor)


def _total(book: Book, table: Table) -> Any:
    return account(book, book.name_of(table)).total


def test_joined_uploads_share_sum_and_smaller_budget(
    executor: Executor,
) -> None:
    book = Book()
    ages, costs = _brought(book, "age"), _brought(book, "cost")
    account(book, ages.digest).budget, account(book, costs.digest).budget = PureDP(2.0), PureDP(5.0)
    assert _release(book, ages, _asked(ages, "age", 1.0), executor, worst_case=True) == ""
    assert _release(book, costs, _asked(costs, "cost", 1.0), executor, worst_case=True) == ""
    both = _brought(book, "cost", "age")
    assert _total(book, both) == PureDP(2.0)
    assert account(book, both.digest).budget == PureDP(2.0)
    refused = _release(book, both, _asked(both, "age", 0.5), executor, worst_case=True)
    assert refused.startswith("Nothing was drawn or charged. This needs ε = 0.5; 0 is left of the budget's 2.")
    assert "0 is left" in _release(book, costs, _asked(costs, "cost", 0.5), executor, worst_case=True)  # a press of before
    account(book, both.digest).budget = None
    assert _release(book, both, _asked(both, "age", 1.0), executor, worst_case=True) == ""
    assert _total(book, both) == PureDP(3.0)
    assert _release(book, costs, _asked(costs, "cost", 0.5), executor, worst_case=True) == ""  # under the name of before
    assert _total(book, both) == PureDP(3.5)
    assert {entry.digest for entry in book.entries} == {both.digest}


@pytest.mark.parametrize("first", [True, False], ids=["sampled first", "proved first"])
def test_joined_uploads_are_closed_if_one_was_sampled(first: bool, executor: Executor) -> None:
    """Each had a first release of its own; of one table there would have been one."""
    book = Book()
    ages, costs = _brought(book, "age"), _brought(book, "cost")
    for table, column, sampled in ((ages, "age", first), (costs, "cost", not first)):
        asked = _asked(table, column, 1.0, median=sampled)
        assert _release(book, table, asked, executor, worst_case=not sampled) == ""
    assert [entry.covered for entry in book.entries] == [True, True]
    both = _brought(book, "age", "cost")
    assert [entry.covered for entry in book.entries] == [not first, first]
    assert [json.loads(entry.as_json())["caveats"] for entry in book.entries if not entry.covered] == [[CLOSED]]
    assert account(book, both.digest).closed
    assert _total(book, both) is None
    for table, column, sampled in ((both, "age", False), (costs, "cost", False), (both, "cost", True)):
        refused = _release(book, table, _asked(table, column, 1.0, median=sampled), executor, worst_case=not sampled)
        assert CLOSED in refused
    assert len(book.entries) == 2


@pytest.mark.parametrize("seed", range(40))
def test_joined_uploads_in_any_order_count_everything(seed: int, executor: Executor) -> None:
    """Up to twelve random steps with three columns in seven files: the last file joins them all."""
    rng, book = random.Random(seed), Book()
    files = [("age",), ("cost",), ("days",), ("age", "cost"), ("cost", "days"), ("days", "age")]
    made: list[tuple[bool, float]] = []  # sampled, ε
    for _ in range(rng.randint(2, 12)):
        names = rng.choice(files)
        table, column, sampled = _brought(book, *names), rng.choice(names), rng.random() < 0.5
        epsilon = rng.choice((0.25, 0.5, 1.0))
        answered, closed = bool(book.ledger(table).lines), account(book, table.digest).closed
        refused = _release(book, table, _asked(table, column, epsilon, median=sampled), executor, worst_case=not sampled)
        assert bool(refused) is (closed or (sampled and answered))
        if not refused:
            made.append((sampled, epsilon))
    table = _brought(book, "age", "cost", "days")
    assert charged(book) == {table.digest}
    assert sum(line.epsilon for line in account(book, table.digest).ledger.lines) == sum(epsilon for _, epsilon in made)
    covered = [entry.covered for entry in book.entries]
    assert not any(covers and sampled for place, (covers, (sampled, _)) in enumerate(zip(covered, made, strict=True)) if place)
    assert all(covers or sampled for covers, (sampled, _) in zip(covered, made, strict=True))
    total = _total(book, table)
    assert total is None if account(book, table.digest).closed else total.epsilon == sum(epsilon for _, epsilon in made)
