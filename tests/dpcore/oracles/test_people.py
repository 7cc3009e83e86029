"""People with several rows: how many, what their values are like, and what is refused; people drawn again from a table."""

from __future__ import annotations

import dataclasses
import tracemalloc
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri
from scipy.stats import norm

from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import Column
from dpcore.base.types import Oracle
from dpcore.base.users import CODE, KEY, per_user
from dpcore.errors import InvalidValueError, TooManyRowsError
from dpcore.oracles import (
    Categorical,
    Exponential,
    IndependentColumns,
    Names,
    Normal,
    Resample,
    ResamplePeople,
    Uniform,
    Users,
)

MANY = 40_000
MANY_EACH = ResamplePeople(per_user(np.zeros(10_000, dtype=[("x", float)]), np.zeros(10_000)))
COLUMNS = (Normal(0, 1), Categorical((0.2, 0.3, 0.5), ("a", "b", "cc")))
LIKE = Users(Uniform(1.2, 5), COLUMNS, ("x", "kind"), alike=0.4, activity=0.5)
SURE = 6.2  # standard errors: one in 10⁹


def _drawn(oracle: Any, seed: int = 4) -> Database:
    rows: Database = oracle.draw(1, MANY, rng=np.random.default_rng(seed))[0]
    return rows


def _ends(rows: Database) -> tuple[Any, Any]:
    """The places of each person's first row, and of the last."""
    first = np.flatnonzero(np.diff(rows["person"][CODE], prepend=-1))
    return first, np.append(first[1:], len(rows)) - 1


def _correlated(one: FloatArray, other: FloatArray, expected: float) -> bool:
    """Fisher's z: of n normal pairs arctanh of the correlation has standard error 1/√(n − 3)."""
    found = np.arctanh(np.corrcoef(one, other)[0, 1]) - np.arctanh(expected)
    return bool(abs(found) * np.sqrt(len(one) - 3) < SURE)


def test_number_of_rows_follows_its_distribution() -> None:
    rows = _drawn(Users(Exponential(0.4), COLUMNS, ("x", "kind"), most=6))
    numbers = np.bincount(rows["person"][CODE])
    assert set(numbers) == set(range(1, 7))
    for rate in (0.4, 0.44, 0.36):
        off = max(abs((numbers > k).mean() - np.exp(-rate * k)) for k in range(6))
        assert bool(off < np.sqrt(np.log(2 / 1e-9) / (2 * MANY))) is (rate == 0.4)


@pytest.mark.parametrize("low", [-9.0, 0.0])
def test_users_have_between_one_and_most_rows(low: float) -> None:
    assert set(np.bincount(_drawn(Users(Uniform(low, low + 0.5), COLUMNS, ("x", "kind")))["person"][CODE])) == {1}
    assert set(np.bincount(_drawn(Users(Uniform(50, 90), COLUMNS, ("x", "kind"), most=2))["person"][CODE])) == {2}
    far = Users(Resample(np.array([1e300, 5.0])), COLUMNS, ("x", "kind"), most=7)
    assert set(np.bincount(_drawn(far)["person"][CODE])) == {5, 7}


@pytest.mark.parametrize("alike", [0.0, 0.4, 1.0])
@pytest.mark.parametrize("activity", [-1.0, 0.0, 0.5])
def test_each_row_has_the_columns_distribution(alike: float, activity: float) -> None:
    oracle = dataclasses.replace(LIKE, alike=alike, activity=activity)
    rows = _drawn(oracle)
    limit = np.sqrt(np.log(2 / 1e-9) / (2 * MANY))
    for places in _ends(rows):
        for spread in (1.0, 1.1):
            off = np.abs(norm.cdf(np.sort(rows["x"][places]), scale=spread) - (np.arange(MANY) + 0.5) / MANY).max()
            assert bool(off < limit) is (spread == 1.0)
        for kind, p in zip(["a", "b", "cc"], (0.2, 0.3, 0.5), strict=True):
            assert abs((rows["kind"][places] == kind).mean() - p) < SURE * np.sqrt(p * (1 - p) / MANY)


@pytest.mark.parametrize(("alike", "activity"), [(0.4, 0.5), (0.9, -0.8), (0.0, 0.5), (0.5, 0.0), (0.5, 1.0)])
def test_rows_of_user_are_correlated_as_stated(alike: float, activity: float) -> None:
    """The first and the last row of those who have several: 40,000 people with one row to three."""
    rows = _drawn(dataclasses.replace(LIKE, rows=Uniform(0, 3), alike=alike, activity=activity))
    first, last = _ends(rows)
    several = first < last
    found = rows["x"][first[several]], rows["x"][last[several]]
    given = _within(alike, activity, several.mean())
    assert _correlated(*found, given)
    assert not _correlated(*found, 1.1 * given + 0.05 * (alike == 0))


def _within(alike: float, activity: float, share: float) -> float:
    """The correlation of two rows of people whose score is in the upper ``share``: of t it is var(t | t > c) that is left."""
    c = ndtri(1 - share)
    hazard = norm.pdf(c) / share
    left = 1 + c * hazard - hazard**2
    variance = alike * (activity**2 * left + 1 - activity**2)
    return float(variance / (variance + 1 - alike))


@pytest.mark.parametrize(("alike", "activity"), [(0.4, 0.5), (0.9, -0.8), (0.5, 1.0)])
def test_values_correlate_with_number_of_rows(alike: float, activity: float) -> None:
    """Of the first rows of 60,000 people, whose score is known nearly: (N − ½)/40 is within 1/80 of u."""
    oracle = Users(Uniform(0, 40), (Normal(0, 1),), ("x",), alike=alike, activity=activity)
    rows = oracle.draw(1, 60_000, rng=np.random.default_rng(6))[0]
    first, last = _ends(rows)
    scores = ndtri((last - first + 0.5) / 40)
    assert _correlated(rows["x"][first], scores, np.sqrt(alike) * activity)
    assert not _correlated(rows["x"][first], scores, 1.1 * np.sqrt(alike) * activity)


def test_share_of_users_repeats_its_category() -> None:
    """Two rows have one category with chance alike + (1 − alike)·Σ p² = .4 + .6·.38 = .628."""
    rows = _drawn(LIKE)
    first, last = _ends(rows)
    same = (rows["kind"][first] == rows["kind"][last])[first < last]
    errors = SURE * np.sqrt(0.25 / len(same))
    assert abs(same.mean() - 0.628) < errors
    assert abs(same.mean() - (0.44 + 0.56 * 0.38)) > errors
    assert (rows["kind"][first] == rows["kind"][last]).sum() < len(first)
    own = _drawn(dataclasses.replace(LIKE, alike=1.0))
    first, last = _ends(own)
    assert (own["kind"][first] == own["kind"][last]).all()
    assert (own["x"][first] == own["x"][last]).all()


def test_people_are_as_independent_as_their_columns() -> None:
    assert LIKE.independent_records
    assert not (dataclasses.replace(LIKE, columns=(_Shared(), COLUMNS[1]))).independent_records


class _Shared(Oracle):
    """One value for all records of a database."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.repeat(rng.random((databases, 1)), records, axis=1)


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"rows": 3}, "rows"),
        ({"rows": Names()}, "rows"),
        ({"rows": IndependentColumns((Uniform(0, 1),) * 2)}, "rows"),
        ({"columns": ()}, "columns"),
        ({"columns": (3, 4)}, "columns"),
        ({"columns": Uniform(0, 1)}, "columns"),
        ({"columns": (IndependentColumns(COLUMNS), COLUMNS[1])}, "columns"),
        ({"columns": (LIKE, COLUMNS[1])}, "columns"),
        ({"names": ("x",)}, "names"),
        ({"names": ("x", "x")}, "names"),
        ({"names": ("x", "person")}, "names"),
        ({"names": "xy"}, "names"),
        ({"names": ("x", "")}, "names"),
        ({"person": ""}, "person"),
        ({"alike": -0.1}, "alike"),
        ({"alike": 1.1}, "alike"),
        ({"alike": np.nan}, "alike"),
        ({"activity": 1.01}, "activity"),
        ({"activity": -1.01}, "activity"),
        ({"activity": "much"}, "activity"),
        ({"most": 0}, "most"),
        ({"most": 10**9}, "most"),
        ({"most": 2.5}, "most"),
        ({"person": 3}, "person"),
    ],
    ids=str,
)
def test_what_makes_no_people_is_refused(change: dict[str, Any], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        dataclasses.replace(LIKE, **change)
    assert caught.value.name == name


@pytest.mark.parametrize(
    ("oracle", "number", "rows", "sentence"),
    [
        (Users(Uniform(9e4, 1e5), COLUMNS, ("x", "kind"), most=100_000), 200, 19_000_000, "about 19,000,000 rows"),
        (Users(Uniform(8, 9), COLUMNS, ("x", "kind")), 5_000_000, 45_000_000, "about 45,000,000 rows"),
        (MANY_EACH, 2_000, 20_000_000, "about 20,000,000 rows"),
        *((oracle, 2**24 + 1, 2**24 + 1, "at most 16,777,216 rows") for oracle in (LIKE, MANY_EACH)),
        *((oracle, 10**9, 10**9, "at most 16,777,216 rows") for oracle in (LIKE, MANY_EACH)),
    ],
    ids=["few", "many", "again", "one more", "one more again", "10^9", "10^9 again"],
)
def test_too_many_rows_are_refused_before_drawing(oracle: Any, number: int, rows: int, sentence: str) -> None:
    """Not even a number for each person is made where there are too many people; else no more than 2²⁴ rows need."""
    tracemalloc.start()
    with pytest.raises(TooManyRowsError) as caught:
        oracle.draw(1, number, rng=np.random.default_rng(1))
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert (caught.value.people, caught.value.most) == (number, 2**24)
    assert caught.value.rows == pytest.approx(rows, rel=0.01)
    assert sentence in str(caught.value)
    assert used < (1e6 if number > 2**24 else 1e8 if number > 1e6 else 3e7)


def test_oracle_of_users_fits_its_named_columns() -> None:
    number, text = Column("x"), Column("kind", role="text", categories=("a", "b", "cc"))
    for oracle in (LIKE, ResamplePeople(_drawn(LIKE)[:900])):
        assert oracle.fits((number, text))
        others = ((text, number), (number,), (number, Column("kind")), (number, text, number), (Column("y"), text))
        assert not any(oracle.fits(columns) for columns in others)


ROWS = np.array([(1.0, "a"), (2.0, "b"), (3.0, "c"), (4.0, "d")], dtype=[("x", float), ("kind", "U1")])
TABLE = per_user(ROWS, np.array(list("mnmm")))


def test_resample_people_draws_whole_users_with_new_keys() -> None:
    rows = _drawn(ResamplePeople(TABLE))
    first, last = _ends(rows)
    three = last - first == 2
    assert abs(three.mean() - 0.5) < SURE * np.sqrt(0.25 / MANY)
    assert (rows["x"][first[three], None] == 1).all()
    for step, (x, kind) in enumerate([(1.0, "a"), (3.0, "c"), (4.0, "d")]):
        assert set(zip(rows["x"][first[three] + step], rows["kind"][first[three] + step], strict=True)) == {(x, kind)}
    assert set(rows["x"][first[~three]]) == {2.0}
    assert len(np.unique(rows["person"][KEY])) == MANY
    users.check(rows["person"])


@pytest.mark.parametrize(
    "records",
    [
        TABLE[:0],
        TABLE[::-1],
        TABLE[1:],
        TABLE[["x", "kind"]].copy(),
        TABLE[None],
        np.zeros(3),
        [[1.0]],
        np.zeros(2, dtype=[("x", "O"), ("person", users.PERSON)]),
        np.zeros(2, dtype=[("x", float), ("person", float)]),
    ],
    ids=range(9),
)
def test_a_table_without_people_in_order_is_refused(records: Any) -> None:
    with pytest.raises(InvalidValueError):
        ResamplePeople(records)


def test_resample_people_copies_its_table() -> None:
    mine = TABLE.copy()
    oracle = ResamplePeople(mine)
    mine["x"] = 99
    assert oracle.records["x"].max() == 4
    assert not oracle.records.flags.writeable
    with pytest.raises(InvalidValueError) as caught:
        ResamplePeople(TABLE, person="patient")
    assert caught.value.name == "records"


def test_rows_of_people_are_not_drawn_one_by_one() -> None:
    with pytest.raises(InvalidValueError) as caught:
        Resample(TABLE)
    assert caught.value.name == "records"
