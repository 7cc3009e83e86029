"""The tables in ``data`` are what their makers write, and their bounds hold what they hold."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_diabetes

from dpcore.tables import read_catalog

DATA = Path(__file__).parents[1] / "data"
TABLES = read_catalog(DATA)


def test_the_loan_defaults_are_the_draws_of_their_seed() -> None:
    drawn = np.random.default_rng(2017).standard_exponential(500)
    assert np.abs(TABLES["loan_defaults"].values["years_to_default"] - drawn).max() <= 5e-9


@pytest.mark.parametrize(
    ("column", "theirs"), [("bmi", "bmi"), ("blood_pressure", "bp"), ("glucose", "s6"), ("progression", "target")]
)
def test_diabetes_is_scikit_learns(column: str, theirs: str) -> None:
    frame = load_diabetes(scaled=False, as_frame=True).frame
    assert np.allclose(TABLES["diabetes"].values[column], frame[theirs].to_numpy(), rtol=1e-9)


@pytest.mark.parametrize("column", ["mean_radius", "mean_fractal_dimension"])
def test_breast_cancer_is_scikit_learns(column: str) -> None:
    frame = load_breast_cancer(as_frame=True).frame
    assert np.allclose(TABLES["breast_cancer"].values[column], frame[column.replace("_", " ")].to_numpy(), rtol=1e-9)
    assert np.array_equal(TABLES["breast_cancer"].values["benign"], frame["target"].to_numpy())


@pytest.mark.parametrize("name", sorted(TABLES))
def test_declared_bounds_and_categories_hold_every_record(name: str) -> None:
    table = TABLES[name]
    assert set(table.values) == {column.name for column in table.columns}
    for column in table.columns:
        values = table.values[column.name]
        if column.bounds is not None:
            assert column.bounds[0] <= values.min()
            assert values.max() <= column.bounds[1]
        if column.categories is not None:
            assert set(values) <= set(column.categories)


def test_every_table_states_its_origin_and_licence() -> None:
    readme = (DATA / "README.md").read_text(encoding="utf-8")
    files = {path.name for path in DATA.glob("*.csv")}
    assert files == {f"{name}.csv" for name in TABLES}
    assert all(f"`{name}`" in readme for name in files)
