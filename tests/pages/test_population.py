"""The interval for the population on Release: by the holder's word, beside the answer and in the report, or why there is none."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import Adjacency, oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees.unit import Unit
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.html import html
from pages.shared.reports.release import report
from pages.state import state
from pages.state.book import Book
from pages.state.population import NAME, for_population
from pages.state.press import of_one
from pages.state.press import press as pressed
from tests.pages.prose import refuse_code
from tests.pages.visit import ask, asked_as, go, link, pick, press, released, settled, sound, text


def _sample(app: Any, *, of: str = "") -> Any:
    """With the word of the table's holder."""
    app = sound(next(box for box in app.checkbox if "random sample" in box.label).set_value(True).run())
    whom = next(box for box in app.text_input if box.label == "A random sample of")
    return sound(whom.set_value(of).run()) if of else app


def _rows(app: Any) -> list[dict[str, str]]:
    found = [one.value for one in app.table if "uncertainty of" in one.value.columns]
    return [dict(row) for one in found for row in one.to_dict("records")]


def _says(app: Any) -> str:
    return "\n".join(line for line in text(app).split("\n") if "opulation" in line)


def test_a_mean_has_none_without_the_word_then_one_once_its_spread_is_released_too() -> None:
    app = released(link("release", table="diabetes", columns=["bmi"], epsilon=10))  # so that no noise makes a spread of nought
    assert _says(app) == ""
    said = _says(_sample(app, of="patients of one clinic"))
    assert "No interval for the population: it takes the spread of Body mass index too" in said
    assert "Add the question “Variance of Body mass index”" in said
    assert "both cost ε = 20" in said
    refuse_code(said.replace(":small[", "").replace("]", ""))
    app = released(go(settled(pick(go(app, ""), "target", "Variance")), "release"))
    only, both = _rows(app)
    assert [row["uncertainty of"] for row in (only, both)] == ["sampling only", "sampling and noise"]
    low, high = (float(both[end]) for end in ("from", "to"))
    assert low <= float(only["from"]) < float(only["to"]) <= high
    assert float(both["width"]) == pytest.approx(high - low)
    assert low < 26.38 < high  # the table's own mean; misses once in thousands of runs
    assert "It rests on its holder's word that the table is a random sample of: patients of one clinic." in text(app)
    app = sound(next(box for box in app.checkbox if "random sample" in box.label).set_value(False).run())
    assert _rows(app) == []
    assert NAME not in text(app)


def test_in_a_list_a_share_has_one_by_itself_and_a_mean_with_its_variance_and_by_group_there_is_none() -> None:
    app = press(link("release", table="diabetes", columns=["bmi"]), "list_begin")
    app = asked_as(asked_as(ask(app, "Mean of Age"), 1, "kind", "KnownVariance"), 1, "column_of", "bmi")
    app = _sample(press(ask(ask(app, "Share where Sex is 0"), "Mean of Age, by Sex"), "release_list"))
    rows = _rows(app)
    assert len(rows) == 4
    assert float(rows[1]["from"]) < 26.38 < float(rows[1]["to"])
    assert float(rows[3]["from"]) < 0.532 < float(rows[3]["to"]) <= 1
    assert "No interval for the population: this answer is by group." in _says(app)


def test_where_a_person_can_have_several_rows_or_nobody_said_so_there_is_none() -> None:
    app = _sample(released(link("release", table="breast_cancer", columns=["mean_area"])))
    assert "nobody has said whether one person can have several rows" in _says(app)
    assert _rows(app) == []


N = 400
TABLE = Table(
    "t.csv",
    (Column("x", label="cost", unit="€", bounds=(0.0, 1.0)),),
    {"x": np.linspace(0, 1, N)},
    public=False,
    digest="0d",
    title="t.csv",
    unit=Unit("patient", several=False),
)


def _asked(book: Book, target: Any, *, table: Table = TABLE, epsilon: float = 1.0, n: int = N, **more: Any) -> None:
    changes: dict[str, Any] = {"table": "t.csv", "columns": ("x",), "target": target, "oracle": oracles.Uniform(0, 1), "n": n}
    changes |= more
    scenario: Scenario = replace(state.example(), epsilon=epsilon, **changes)
    with ThreadPoolExecutor(1) as pool:
        said = pressed(book, of_one(f"a{len(book.entries)}", scenario, table, worst_case=True), pool)
    assert said == ""
    assert book.entries[-1].release is not None


def _told(book: Book) -> Any:
    (told,) = for_population(book.entries[0], book)
    return told


def test_of_two_spreads_the_one_with_less_noise_counts_and_one_with_other_bounds_does_not() -> None:
    book = Book(samples={"0d": ""})
    _asked(book, targets.Mean((0.0, 1.0)))
    _asked(book, targets.Variance((0.0, 0.5)))
    _asked(book, targets.Variance((0.0, 1.0), 1))
    assert "which was not released" in _told(book).says[0]
    _asked(book, targets.Variance((0.0, 1.0)), epsilon=0.05)
    wide = float(_told(book).rows[1]["width"])
    _asked(book, targets.Variance((0.0, 1.0)), epsilon=20.0)
    assert float(_told(book).rows[1]["width"]) < wide


def test_the_report_has_it_where_the_answer_stands_by_the_word_alone() -> None:
    book = Book(samples={"0d": "one town"})
    _asked(book, targets.Proportion(interval=(0.0, 0.25)))
    said = html(report(book, TABLE, tuple(book.entries)))
    assert NAME in said
    assert "sampling and noise" in said
    assert "random sample of: one town" in said
    book.samples.clear()
    assert NAME not in html(report(book, TABLE, tuple(book.entries)))


@pytest.mark.parametrize(
    ("unit", "why"),
    [(Unit("visit", several=True), "a mean over rows is not a mean over people"), (Unit(), "nobody has said whether one person")],
)
def test_where_a_person_can_have_several_rows_there_is_a_sentence(unit: Unit, why: str) -> None:
    book = Book(samples={"0d": ""})
    _asked(book, targets.Mean((0.0, 1.0)), table=replace(TABLE, unit=unit))
    told = _told(book)
    assert (told.rows, why in told.says[0]) == ((), True)


def test_one_row_and_a_mean_without_bounds_have_a_sentence_each_and_another_kind_of_answer_nothing() -> None:
    book = Book(samples={"0d": ""})
    _asked(book, targets.Proportion(interval=(0.0, 0.5)), table=replace(TABLE, values={"x": np.array([0.3])}), n=1)
    assert "one row says nothing of how rows differ" in _told(book).says[0]
    other = Book(samples={"0d": ""})
    _asked(other, targets.Variance((0.0, 1.0)))
    assert _told(other) is None


def test_where_the_number_of_rows_is_protected_there_is_a_sentence() -> None:
    book = Book(samples={"0d": ""})
    _asked(book, targets.Proportion(interval=(0.0, 0.5)))
    entry = book.entries[0]
    assert _told(book).rows
    assert entry.release is not None
    book.entries[0] = replace(entry, release=replace(entry.release, adjacency=Adjacency.ADD_OR_REMOVE_ONE_RECORD))
    assert "the number of rows is protected here" in _told(book).says[0]
    assert _told(book).rows == ()


def test_a_mean_says_what_it_leans_on_and_what_missing_and_far_values_count_as() -> None:
    book = Book(samples={"0d": ""})
    _asked(book, targets.Mean((0.0, 1.0)))
    _asked(book, targets.Variance((0.0, 1.0)))
    said = " ".join(_told(book).says)
    assert "where there are many values and none is far out" in said
    assert "the mean of values clipped to their bounds, from 0 to 1" in said
    assert book.entries[0].about.missing
    assert book.entries[0].about.missing in said


def test_an_answer_of_two_columns_is_not_told_to_add_a_spread_that_would_not_help() -> None:
    book = Book(samples={"0d": ""})
    two = replace(
        TABLE, columns=(TABLE.columns[0], replace(TABLE.columns[0], name="y")), values=dict.fromkeys("xy", TABLE.values["x"])
    )
    both = oracles.Product((oracles.Uniform(0, 1), oracles.Uniform(0, 1)))
    _asked(book, targets.Mean(((0.0, 1.0), (0.0, 1.0))), table=two, columns=("x", "y"), oracle=both)
    told = _told(book)
    assert (told.rows, "this answer is of several columns" in told.says[0]) == ((), True)
