"""A table that was made up from a summary: it is called that, known by its digits alone, and no oracle."""

from __future__ import annotations

import csv
import io

import numpy as np
import pytest

from dpcore.errors import InvalidValueError
from pages.experiment.defaults import oracle_kinds
from pages.experiment.scenario import TableRecords
from pages.experiment.summary import plan
from pages.experiment.summary.made_up import made_up
from pages.experiment.summary.told import told
from pages.files.drawn_from import BY_ITS_VALUES, COLUMN, decimals, has_the_pattern, marked
from pages.files.tables import Table, read_csv
from pages.state import state

TABLES = state.catalog()
DIABETES = TABLES["diabetes"]
CHARGE = "0123456789abcdef0123456789abcdef"


def _content() -> str:
    scenario = plan.asking(DIABETES, plan.offered(DIABETES).columns, 1.0)
    target = scenario.target
    response = target(DIABETES.prepare(scenario.columns, target).database)
    return made_up(told(target, response, 20.0, 442), 442, CHARGE)  # type: ignore[arg-type]


CONTENT = _content()


def _read(rows: list[list[str]]) -> Table:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return read_csv(text.getvalue().encode(), "mine", public=True)


def _rows() -> list[list[str]]:
    return list(csv.reader(io.StringIO(CONTENT)))


def test_it_says_what_it_is_and_is_the_same_for_the_same_release() -> None:
    header, *rows = _rows()
    assert header[-1] == COLUMN
    assert {row[-1] for row in rows} == {f"private summary {CHARGE[:12]}"}
    assert len(rows) == 442
    assert _content() == CONTENT
    assert read_csv(CONTENT.encode(), "mine", public=True).drawn_from == f"private summary {CHARGE[:12]}"


def test_its_values_are_known_without_the_mark_in_any_order_and_from_a_few_rows_of_one_column() -> None:
    header, *rows = _rows()
    np.random.default_rng(3).shuffle(rows)
    bmi = header.index("bmi")
    for some in ([row[:-1] for row in [header, *rows]], [[row[bmi]] for row in [header, *rows[:40]]]):
        assert _read(some).drawn_from == BY_ITS_VALUES


def test_other_tables_are_not_taken_for_one() -> None:
    assert not any(table.drawn_from for table in TABLES.values())
    rng = np.random.default_rng(5)
    for values in (rng.normal(0, 1, 400), rng.integers(0, 10_000, 400) / 100, np.arange(400.0), rng.integers(0, 9, 400) * 1.0):
        assert not has_the_pattern(np.round(values, 4))
    header, *rows = _rows()
    bmi = header.index("bmi")
    rounded = [[header[bmi]], *([f"{float(row[bmi]):.1f}"] for row in rows)]
    assert not _read(rounded).drawn_from  # whoever rounds its numbers takes the pattern away: the page says no more than it is


@pytest.mark.parametrize("interval", [(0.0, 1.0), (-3.0, 2.0), (0.0, 1e6), (1e-7, 2e-7), (100.0, 100.5), (-1e9, 0.0)])
def test_marked_numbers_stay_within_their_bounds_and_near_what_they_were(interval: tuple[float, float]) -> None:
    values = np.random.default_rng(2).uniform(*interval, 500)
    found = marked(np.append(values, np.nan), interval)
    assert np.isnan(found[-1])
    assert interval[0] - 1e-12 <= found[:-1].min() <= found[:-1].max() <= interval[1] + 1e-12 + abs(interval[1]) * 1e-12
    assert np.abs(found[:-1] - values).max() <= 200 / 10 ** decimals(interval)
    assert has_the_pattern(found)


def test_its_rows_are_no_oracle_and_the_picker_offers_none_of_them() -> None:
    table = read_csv(CONTENT.encode(), "mine", public=True)
    column = table.column("bmi")
    assert not {"TableRecords", "TableCopula"} & set(oracle_kinds(table, (column,)))
    scenario = plan.asking(DIABETES, ("bmi",), 1.0).with_(oracle=TableRecords())
    assert scenario.resolved_oracle(DIABETES) is not None
    with pytest.raises(InvalidValueError, match="made up from a private summary"):
        scenario.resolved_oracle(table)
