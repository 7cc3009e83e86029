"""Uploads that turn out to be one table have one ledger: the sum is what was spent, and later draws lose what they must."""

from __future__ import annotations

import random
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.guarantees.privacy import PureDP
from dpcore.ledger.accounting import Standing
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages.experiment.scenario import Scenario
from pages.files.table import Table
from pages.files.tables import read_csv
from pages.state import press as presses
from pages.state import table_identity
from pages.state.book import ROWS_AND_PEOPLE, Book, line_of
from pages.state.ledger import spent_in_all, why_no_total
from pages.state.press import Press, of_one, press
from pages.state.released_line import AskedLine
from pages.state.state import example
from tests.pages.visit import both_ways, confidential, declare, go, only, sound, text, upload, use
from tests.pages.visit import press as push

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
    return replace(draft, columns=columns, digest=table_identity.settle(book, draft, said))


def _asked(table: Table, column: str, epsilon: float, *, median: bool = False) -> Scenario:
    target: Any = Quantile(0.5, (0.0, 1_000.0)) if median else Mean((0.0, 1_000.0))
    return replace(example(), table=table.name, columns=(column,), target=target, oracle=Uniform(0, 1_000), n=40, epsilon=epsilon)


def _release(book: Book, table: Table, scenario: Scenario, executor: Executor, *, worst_case: bool) -> str:
    return press(book, of_one(f"t{len(book.entries)}", scenario, table, worst_case=worst_case), executor)


def _total(book: Book, table: Table) -> Any:
    (only_one,) = [one for one in book.ledgers[book.name_of(table)] if one.lines]
    return only_one.total()


def test_what_was_spent_on_two_uploads_is_one_sum_under_one_budget_once_a_third_shows_that_they_are_one(
    executor: Executor,
) -> None:
    book = Book()
    ages, costs = _brought(book, "age"), _brought(book, "cost")
    book.budgets[ages.digest], book.budgets[costs.digest] = PureDP(2.0), PureDP(5.0)
    assert _release(book, ages, _asked(ages, "age", 1.0), executor, worst_case=True) == ""
    assert _release(book, costs, _asked(costs, "cost", 1.0), executor, worst_case=True) == ""
    both = _brought(book, "cost", "age")
    assert _total(book, both) == PureDP(2.0)
    assert book.budgets == {both.digest: PureDP(2.0)}
    refused = _release(book, both, _asked(both, "age", 0.5), executor, worst_case=True)
    assert refused.startswith("This needs ε = 0.5; 0 is left of the budget's 2.")
    assert "0 is left" in _release(book, costs, _asked(costs, "cost", 0.5), executor, worst_case=True)  # a press of before
    book.budgets.clear()
    assert _release(book, both, _asked(both, "age", 1.0), executor, worst_case=True) == ""
    assert _total(book, both) == PureDP(3.0)
    assert _release(book, costs, _asked(costs, "cost", 0.5), executor, worst_case=True) == ""  # under the name of before
    assert _total(book, both) == PureDP(3.5)
    assert {entry.digest for entry in book.entries} == {both.digest}


def test_what_was_sampled_first_of_all_keeps_its_guarantee_and_what_came_after_the_other_answer_loses_it(
    executor: Executor,
) -> None:
    book = Book()
    ages, costs = _brought(book, "age"), _brought(book, "cost")
    for table, column in ((ages, "age"), (costs, "cost")):
        assert _release(book, table, _asked(table, column, 1.0, median=True), executor, worst_case=False) == ""
    assert [entry.covered for entry in book.entries] == [True, True]
    both = _brought(book, "age", "cost")
    assert [entry.covered for entry in book.entries] == [True, False]
    assert [line.standing for one in book.ledgers[both.digest] for line in one.lines] == [Standing.FIXED, Standing.NONE]


def test_a_plan_that_was_made_before_all_answers_holds_and_a_later_one_falls(executor: Executor) -> None:
    for early in (True, False):
        book = Book()
        ages, costs = _brought(book, "age"), _brought(book, "cost")
        asked, planned = _asked(ages, "age", 1.0), _asked(costs, "cost", 1.0, median=True)

        def plan(book: Book = book, costs: Table = costs, planned: Scenario = planned) -> str:
            return book.plan(planned, costs, line_of(planned, costs, worst_case=False), worst_case=False)

        if early:
            assert plan() == ""
        assert _release(book, ages, asked, executor, worst_case=True) == ""
        if not early:
            assert plan() == ""
        assert _release(book, costs, planned, executor, worst_case=False) == ""
        both = _brought(book, "age", "cost")
        assert [entry.covered for entry in book.entries] == [True, early]
        assert bool(book.plans.get(both.digest)) is early


def test_where_the_order_is_unknown_what_was_sampled_of_either_loses_its_guarantee(executor: Executor) -> None:
    book = Book()
    ages, costs = _brought(book, "age"), _brought(book, "cost")
    assert _release(book, ages, _asked(ages, "age", 1.0, median=True), executor, worst_case=False) == ""
    book.enter(costs, 40, PureDP(2.0), made="", note="", first=False)
    both = _brought(book, "age", "cost")
    assert [entry.covered for entry in book.entries] == [False]
    (one,) = book.ledgers[both.digest]
    assert sum(line.epsilon for line in one.lines) == 3.0


def test_a_budget_that_is_lowered_while_a_list_is_drawn_is_asked_again_for_the_lines_that_follow(
    executor: Executor, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Book()
    table = _brought(book, "age", "cost")
    book.budgets[table.digest] = PureDP(3.0)
    made = presses.make

    def slow(book: Book, *given: Any) -> None:
        made(book, *given)
        book.budgets[table.digest] = PureDP(1.0)

    monkeypatch.setattr(presses, "make", slow)
    lines = tuple(AskedLine(f"l.{name}", _asked(table, name, 1.0), table, worst_case=True) for name in ("age", "cost"))
    assert press(book, Press("l", lines), executor) == ""
    assert [entry.asked for entry in book.entries] == [True, False]
    assert "This needs ε = 1; 0 is left of the budget's 1." in book.entries[1].problem
    assert _total(book, table) == PureDP(1.0)


@pytest.mark.parametrize("seed", range(40))
def test_in_any_order_the_sum_is_what_was_spent_and_nothing_sampled_after_an_answer_keeps_a_guarantee(
    seed: int, executor: Executor
) -> None:
    """Up to twelve random steps with three columns in seven files: the last file joins them all."""
    rng, book = random.Random(seed), Book()
    files = [("age",), ("cost",), ("days",), ("age", "cost"), ("cost", "days"), ("days", "age")]
    asked: list[tuple[bool, float]] = []  # sampled, ε
    for _ in range(rng.randint(2, 12)):
        names = rng.choice(files)
        table, column, sampled = _brought(book, *names), rng.choice(names), rng.random() < 0.5
        epsilon = rng.choice((0.25, 0.5, 1.0))
        scenario = _asked(table, column, epsilon, median=sampled)
        before = len(book.entries)
        assert _release(book, table, scenario, executor, worst_case=not sampled) == ""
        assert len(book.entries) == before + 1
        asked.append((sampled, epsilon))
    table = _brought(book, "age", "cost", "days")
    assert set(book.ledgers) == {table.digest}
    lines = [line for one in book.ledgers[table.digest] for line in one.lines]
    assert sum(line.epsilon for line in lines) == sum(epsilon for _, epsilon in asked)
    assert len([one for one in book.ledgers[table.digest] if one.lines]) == 1
    covered = [entry.covered for entry in book.entries]
    assert covered == [not sampled or place == 0 for place, (sampled, _) in enumerate(asked)]
    joint = book.ledgers[table.digest][0].joint()
    proved = sum(epsilon for place, (sampled, epsilon) in enumerate(asked) if not sampled or place == 0)
    assert (joint.epsilon if joint else 0.0) == proved


def test_the_true_reason_is_said_and_rows_and_people_are_no_one_sum(executor: Executor) -> None:
    book = Book()
    table = _brought(book, "age", "cost")
    assert _release(book, table, _asked(table, "age", 1.0), executor, worst_case=True) == ""
    row = book.entries[0].line
    assert row is not None
    person = replace(row, adjacency=type(row.adjacency).REPLACE_ONE_USER, n=20)
    assert why_no_total([row, person]) == "They do not add up, because some protect a row each and others a person with all rows."
    assert why_no_total([row, replace(row, n=41)]) == "They do not add up, because they speak of different numbers of rows."
    assert why_no_total([row, row]) == ""
    assert spent_in_all([row, replace(row, n=41)]) == "In all, ε = 2 was spent on this table. No one guarantee covers that."
    assert spent_in_all([row, person]) == ""
    book.budgets[table.digest] = PureDP(9.0)
    assert book.refusal(table, person) == ROWS_AND_PEOPLE


def _bring(app: AppTest, *names: str) -> AppTest:
    upload(app, f"{'-'.join(names)}.csv", _csv(*names))
    if len(names) > 1:
        only(app, *names)
    for name in names:
        declare(app, name, 0, 1_000)
    return use(app)


@pytest.mark.slow
def test_the_page_and_the_report_have_one_ledger_and_one_sum(executor: Executor) -> None:
    app = confidential(_csv("age"), 0, 1_000, name="age.csv", column="age")
    _worst(app)
    _worst(_bring(app, "cost"))
    app = go(_bring(app, "age", "cost"), "release")
    said = text(app)
    assert "**Together: pure DP, ε = 2.**" in said
    assert "do not add up" not in said
    app = _worst(app)
    assert "**Together: pure DP, ε = 3.**" in text(app)
    assert np.sum([len(table.value) for table in app.table if "charge" in table.value.columns]) == 3


def _worst(app: AppTest) -> AppTest:
    """One release at ε = 1, by the worst case."""
    go(app, "release")
    if both_ways(app):
        sound(app.radio(key="way").set_value(app.radio(key="way").options[1]).run())
    return push(app, "release")
