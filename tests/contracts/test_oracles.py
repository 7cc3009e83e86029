"""What every oracle keeps to."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest
from scipy import stats

from dpcore import oracles
from dpcore.errors import InvalidValueError
from dpcore.types import Database, FloatArray, Oracle, draws_in_order, independent_records, inverse_of
from tests.contracts.members import kinds, members

MEMBERS = members(oracles)
BOUNDED = [member for member in MEMBERS if getattr(member, "bounds", None) is not None]


def _rng(seed: int = 12) -> np.random.Generator:
    return np.random.default_rng(seed)


def _numbers(drawn: Database) -> FloatArray:
    """(databases, records, ...) -> (databases, records, columns): the values, or of strings their lengths."""
    values: FloatArray = np.strings.str_len(drawn).astype(float) if drawn.dtype.kind == "U" else drawn
    return values.reshape(*drawn.shape[:2], -1)


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds(oracles))
    assert len(MEMBERS) > len(kinds(oracles)) > 6
    assert BOUNDED


@pytest.mark.parametrize("kind", kinds(oracles))
def test_an_oracle_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.oracles.")


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_draws_are_databases_of_records(oracle: Oracle) -> None:
    assert isinstance(oracle, Oracle)
    shapes, dtypes = set(), set()
    for databases, records in ((1, 1), (1, 7), (5, 1), (3, 4)):
        drawn = oracle.draw(databases, records, rng=_rng())
        assert drawn.shape[:2] == (databases, records)
        assert drawn.dtype == np.float64 or (drawn.dtype.kind == "U" and drawn.ndim == 2)
        assert np.isfinite(_numbers(drawn)).all()
        shapes.add(drawn.shape[2:])
        dtypes.add(drawn.dtype)
    assert len(shapes) == len(dtypes) == 1


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_the_same_generator_gives_the_same_draws_and_another_gives_others(oracle: Oracle) -> None:
    first, second, other = (oracle.draw(20, 20, rng=_rng(seed)) for seed in (1, 1, 2))
    assert (first == second).all()
    assert (first != other).any()


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_no_global_generator_is_used(oracle: Oracle) -> None:
    before = np.random.default_rng(3).bit_generator.state
    rng = np.random.default_rng(3)
    oracle.draw(2, 2, rng=rng)
    assert rng.bit_generator.state != before


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_the_first_records_of_a_database_have_the_law_of_a_shorter_one(oracle: Oracle) -> None:
    """Two-sample Kolmogorov–Smirnov on 4,000 databases: size 1e-6 a column; a first record 10 % off in range is refused."""
    short = _numbers(oracle.draw(4_000, 1, rng=_rng(1)))[:, 0]
    long = _numbers(oracle.draw(4_000, 9, rng=_rng(2)))[:, 0]
    for a, b in zip(short.T, long.T, strict=True):
        assert stats.ks_2samp(a, b).pvalue > 1e-6
        assert stats.ks_2samp(a, b + 0.1 * np.ptp(b)).pvalue < 1e-6


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_records_and_databases_are_drawn_apart(oracle: Oracle) -> None:
    """20,000 databases of two records: correlations of neighbours beyond 5 standard errors have probability 6e-7.

    Within a database only the first columns are compared: where records share a curve, the others are correlated.
    """
    drawn = _numbers(oracle.draw(20_000, 2, rng=_rng(4)))
    first = drawn[..., 0]
    pairs = [(first[:, 0], first[:, 1]), *((column[:-1, 1], column[1:, 0]) for column in np.moveaxis(drawn, -1, 0))]
    for a, b in pairs:
        assert abs(np.corrcoef(a, b)[0, 1]) < 5 / np.sqrt(20_000)
        assert np.corrcoef(a, b + a * 0.1)[0, 1] > 5 / np.sqrt(20_000)


def _features(values: FloatArray) -> FloatArray:
    """(databases, columns) -> (databases, features) of one record, that tell a shape which records share."""
    high = values > np.median(values, axis=0)
    parts = [values, values**2, *(values * high[:, [column]] for column in range(values.shape[1]))]
    return np.concatenate(parts, axis=1)


def _largest_correlation(oracle: Oracle) -> float:
    """Between the features of two records of one database, over 8,000 databases: in standard errors."""
    drawn = _numbers(oracle.draw(8_000, 2, rng=_rng(7)))
    first, second = _features(drawn[:, 0]), _features(drawn[:, 1])
    with np.errstate(invalid="ignore", divide="ignore"):  # a feature can be constant
        table = np.corrcoef(first.T, second.T)[: first.shape[1], first.shape[1] :]
    return float(np.nanmax(np.abs(table)) * np.sqrt(8_000))


@pytest.mark.parametrize("oracle", [one for one in MEMBERS if independent_records(one)], ids=repr)
def test_records_that_are_said_to_be_independent_share_nothing_that_shows(oracle: Oracle) -> None:
    """At most 40 correlations beyond 6 standard errors have probability 8e-8."""
    assert _largest_correlation(oracle) < 6


def test_a_shape_that_records_share_shows() -> None:
    assert _largest_correlation(oracles.RegressionPrior()) > 10
    assert not independent_records(oracles.RegressionPrior())


def test_a_product_is_as_independent_as_its_columns() -> None:
    assert independent_records(oracles.Product((oracles.Uniform(0, 1), oracles.Bernoulli(0.5))))
    assert not independent_records(oracles.Product((oracles.Uniform(0, 1), _Shared())))


class _Shared:
    """One value for all records of a database."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.repeat(rng.random((databases, 1)), records, axis=1)


@pytest.mark.parametrize("oracle", [one for one in MEMBERS if draws_in_order(one)], ids=repr)
def test_one_that_draws_in_order_draws_the_same_first_databases_however_many_they_are(oracle: Oracle) -> None:
    for records in (1, 2, 7):
        many = oracle.draw(40, records, rng=_rng())
        for databases in (1, 2, 39):
            assert (oracle.draw(databases, records, rng=_rng()) == many[:databases]).all()


def test_oracles_of_a_single_kind_of_draw_say_that_they_draw_in_order() -> None:
    ordered = {type(one).__name__ for one in MEMBERS if draws_in_order(one)}
    assert ordered >= {"Bernoulli", "Categorical", "Exponential", "Normal", "Resample", "Uniform"}
    columns = (oracles.Uniform(0, 1), oracles.Bernoulli(0.5))
    assert [draws_in_order(oracles.Product(columns[:number])) for number in (1, 2)] == [True, False]


@pytest.mark.parametrize("oracle", [one for one in MEMBERS if inverse_of(one) is not None], ids=repr)
def test_an_inverse_never_falls_and_stays_among_what_is_drawn(oracle: Oracle) -> None:
    inverse = inverse_of(oracle)
    assert inverse is not None
    shares = np.concatenate([[2.0**-1022], np.linspace(0.001, 0.999, 999), [1 - 2.0**-53]])
    before = shares.copy()
    values = inverse(shares)
    assert (shares == before).all()
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert (np.diff(values) >= 0).all()
    assert (inverse(shares[:-1].reshape(4, -1)) == values[:-1].reshape(4, -1)).all()
    drawn = oracle.draw(400, 10, rng=_rng())
    if len(np.unique(drawn)) < 100:  # a discrete law
        assert set(np.unique(values)) >= set(np.unique(drawn))


@pytest.mark.parametrize(
    ("oracle", "values"),
    [
        (oracles.Bernoulli(0.25), [0, 0, 0, 1]), (oracles.Categorical((0.25, 0.5, 0.25)), [0, 1, 1, 2]),
        (oracles.Categorical((0.0, 0.25, 0.5, 0.0, 0.25)), [1, 2, 2, 4]),
        (oracles.Resample(np.array([5.0, 1.0, 9.0, 1.0])), [1, 1, 5, 9]),
    ],
    ids=repr,
)  # fmt: skip
def test_a_share_that_a_law_reaches_exactly_belongs_to_the_smaller_value(oracle: Any, values: list[float]) -> None:
    """F⁻¹(u) is the least x with F(x) >= u."""
    assert oracle.inverse(np.array([0.25, 0.5, 0.75, 1.0])).tolist() == values


def test_laws_of_single_independent_numbers_have_an_inverse() -> None:
    known = {type(one).__name__ for one in MEMBERS if inverse_of(one) is not None}
    assert known >= {"Bernoulli", "Categorical", "Exponential", "Normal", "Resample", "Uniform"}
    assert inverse_of(oracles.Product((oracles.Uniform(0, 1),))) is not None


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_no_place_in_a_database_is_special(oracle: Oracle) -> None:
    """Two-sample Kolmogorov–Smirnov on the first and the last of 9 records: size 1e-6 a column, 10 % off in range is refused."""
    first, last = _numbers(oracle.draw(4_000, 9, rng=_rng(5)))[:, 0], _numbers(oracle.draw(4_000, 9, rng=_rng(6)))[:, -1]
    for a, b in zip(first.T, last.T, strict=True):
        assert stats.ks_2samp(a, b).pvalue > 1e-6
        assert stats.ks_2samp(a, b + 0.1 * np.ptp(b)).pvalue < 1e-6


@pytest.mark.parametrize("oracle", BOUNDED, ids=repr)
def test_bounds_are_kept_by_clipping(oracle: Any) -> None:
    low, high = oracle.bounds
    drawn = oracle.draw(500, 5, rng=_rng())
    assert low <= drawn.min() < drawn.max() <= high
    free = dataclasses.replace(oracle, bounds=None).draw(500, 5, rng=_rng())
    assert (drawn == np.clip(free, low, high)).all()
    assert (drawn != free).any()


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_what_was_drawn_belongs_to_the_caller(oracle: Oracle) -> None:
    drawn = oracle.draw(2, 3, rng=_rng())
    before = drawn.copy()
    drawn[...] = "spoilt" if drawn.dtype.kind == "U" else -77.0
    assert (drawn != before).all()
    assert (oracle.draw(2, 3, rng=_rng()) == before).all()


@pytest.mark.parametrize("oracle", MEMBERS, ids=repr)
def test_an_oracle_survives_pickling(oracle: Oracle) -> None:
    again = pickle.loads(pickle.dumps(oracle))
    assert (again.draw(3, 3, rng=_rng()) == oracle.draw(3, 3, rng=_rng())).all()


@pytest.mark.parametrize("bounds", [(), 0, False, "", [], (1, 0), (0, np.nan), np.zeros(2)], ids=repr)
@pytest.mark.parametrize("kind", [kind for kind in kinds(oracles) if "bounds" in kind.__dataclass_fields__])
def test_what_are_no_bounds_is_refused(kind: type[Any], bounds: Any) -> None:
    built = next(member for member in MEMBERS if type(member) is kind)
    with pytest.raises(InvalidValueError) as caught:
        dataclasses.replace(built, bounds=bounds)
    assert caught.value.name == "bounds"
