"""What somebody new to the library writes works, and what they get wrong is refused with the call to make."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import pytest

import dpcore
from dpcore import (
    L1,
    L2,
    ExponentialMechanism,
    GaussianMechanism,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.base.databases import as_database
from dpcore.base.fingerprint import describe, fingerprint
from dpcore.base.types import Oracle, Target
from dpcore.errors import DpcoreError, InvalidValueError
from tests.contracts.global_state import NUMPY

DRAW = oracles.Function(lambda n, rng: rng.exponential(size=n))
POINT = OperatingPoint.for_gamma(0.05)


def mean(database: Any) -> Any:
    return database.mean(keepdims=True)


def test_algorithm_2_is_one_call() -> None:
    """Its sensitivity is that of the long way with the same seed, to the last bit; a release seed is random."""
    short = LaplaceMechanism().sample(mean, DRAW, n=50, gamma=0.05, seed=7)
    long = sample_sensitivity(mean, DRAW, norm=L1, n=50, at=POINT, seed=7).sensitivity()
    assert (short.value, short.point, short.norm) == (long.value, POINT, L1)
    assert GaussianMechanism().sample(mean, DRAW, n=50, gamma=0.05).norm == L2
    assert (
        LaplaceMechanism().sample(mean, DRAW, n=50, gamma=0.05).origin.seed
        != LaplaceMechanism().sample(mean, DRAW, n=50, gamma=0.05).origin.seed
    )


def test_a_sample_calibrates_as_its_sensitivity_does() -> None:
    sample = sample_sensitivity(mean, DRAW, norm=L1, n=50, at=POINT, seed=secrets.randbits(64))
    assert (
        LaplaceMechanism().calibrate(sample, PureDP(1.0)).law
        == LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(1.0)).law
    )


def test_plain_function_keeps_name_and_fingerprint() -> None:
    one, other = (
        LaplaceMechanism().sample(f, DRAW, n=5, gamma=0.2, seed=1) for f in (mean, lambda database: database.mean(keepdims=True))
    )
    again = LaplaceMechanism().sample(mean, DRAW, n=5, gamma=0.2, seed=1)
    assert describe(one.target) == "mean"
    assert fingerprint(one.target) == fingerprint(again.target) != fingerprint(other.target)


LISTS = {
    "a list": [1, 2.5, 4],
    "a tuple": (1.0, 2.5, 4.0),
    "a Series": pd.Series([1, 2.5, 4], index=[5, 7, 5]),
    "a DataFrame": pd.DataFrame({"x": [1, 2.5, 4]}),
    "a Series of objects": pd.Series([1, 2.5, 4], dtype=object),
}


@pytest.mark.parametrize("database", LISTS.values(), ids=LISTS)
def test_tables_of_any_form_are_databases(database: Any) -> None:
    proved: Any = targets.Mean((0.0, 10.0)).global_sensitivity(L1, 3)
    assert LaplaceMechanism().calibrate(proved, PureDP(1.0)).raw_response(database) == pytest.approx(2.5)


def test_dataframe_with_missing_cells_answers_a_query() -> None:
    table = pd.DataFrame({"cost": [1.0, None, 4.0], "sex": ["F", "M", None]})
    database = as_database(table, fields=("cost", "sex"))
    assert (database.dtype.names, database["sex"].tolist()) == (("cost", "sex"), ["F", "M", ""])
    assert np.isnan(database["cost"][1])
    question = targets.Query(targets.Sum((0.0, 10.0)), ("cost",), (dpcore.Filter("sex", "F"),))
    proved: Any = question.global_sensitivity(L1, 3)
    assert LaplaceMechanism().calibrate(proved, PureDP(1.0)).raw_response(table) == 1.0


@pytest.mark.parametrize("kind", ["string", "category", object])
def test_missing_text_of_series_becomes_empty(kind: Any) -> None:
    assert as_database(pd.Series(["F", None, "M"], dtype=kind)).tolist() == ["F", "", "M"]


@pytest.mark.parametrize("kind", ["Int64", "boolean", "Float64", object])
def test_missing_number_of_series_becomes_nan(kind: Any) -> None:
    np.testing.assert_array_equal(as_database(pd.Series([1, pd.NA, 0], dtype=kind)), [1.0, np.nan, 0.0])


def test_query_reads_only_its_own_columns() -> None:
    """So a column of days beside them is in nobody's way; one that it asks for and does not find is named."""
    table = pd.DataFrame({"day": pd.to_datetime(["2024-04-07"] * 3), "cost": [1.0, 2.0, 4.0]})
    costs = targets.Query(targets.Sum((0.0, 10.0)), ("cost",))
    assert _proved(costs, 3).raw_response(table) == 7.0
    with pytest.raises(InvalidValueError, match="the columns cost too; got 'only day'"):
        _proved(costs, 3).release(table[["day"]])


def _proved(question: Any, n: int) -> Any:
    return LaplaceMechanism().calibrate(question.global_sensitivity(L1, n), PureDP(1.0))


WRONG = {
    "texts and numbers": pd.Series([1, "4711"]),
    "days": pd.Series(pd.to_datetime(["2024-04-07"])),
    "records of several lengths": [[1, 2], [4711]],
    "a text": "4711",
    "a number": 4711,
    "columns of text without names": pd.DataFrame({"x": ["4711"]}),
    "no columns": pd.DataFrame(index=[1, 2]),
    "a dictionary": {"x": [4711]},
    "a list of numbers and texts": [1, "4711"],
    "days in a list": [pd.Timestamp("2024-04-07")],
    "a number beyond all floats": [4711**100],
    "two columns of one name": pd.DataFrame([[1.0, 4711.0]], columns=["x", "x"]),
    "two columns of one name as text": pd.DataFrame([[1.0, 4711.0]], columns=["1", 1]),
}


@pytest.mark.parametrize("database", WRONG.values(), ids=WRONG)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.VisibleDeprecationWarning")
def test_refused_table_quotes_no_value(database: Any) -> None:
    proved: Any = targets.Mean((0.0, 10.0)).global_sensitivity(L1, 1)
    with pytest.raises(InvalidValueError) as caught:
        LaplaceMechanism().calibrate(proved, PureDP(1.0)).release(database)
    assert caught.value.name == "database"
    assert "4711" not in str(caught.value)


IDS: dict[str, Any] = {
    "a list": ["ann", "bob", "ann"],
    "a Series": pd.Series(["ann", "bob", "ann"]),
    "a Series of strings": pd.Series(["ann", "bob", "ann"], dtype="string"),
    "whole numbers": [2**53 + 1, 2**53, 2**53 + 1],
}


@pytest.mark.parametrize("ids", IDS.values(), ids=IDS)
def test_per_user_takes_dataframe_and_ids_of_any_form(ids: Any) -> None:
    people = dpcore.per_user(pd.DataFrame({"cost": [1.0, 2.0, 4.0], "ward": ["A", None, "B"]}), ids)
    groups = {tuple(sorted(people["cost"][people["person"]["code"] == code].tolist())) for code in (0, 1)}
    assert groups == {(1.0, 4.0), (2.0,)}
    assert sorted(people["ward"].tolist()) == ["", "A", "B"]


def test_per_user_refuses_rows_without_names_and_other_ids() -> None:
    for rows, ids in (
        ([1.0, 2.0], ["a", "b"]),
        (pd.DataFrame({"x": [1.0]}), [object()]),
        (pd.DataFrame({"x": [1.0]}), ["a", "b"]),
    ):
        with pytest.raises(InvalidValueError):
            dpcore.per_user(rows, ids)


def _sample(**other: Any) -> Any:
    asked: dict[str, Any] = {"target": mean, "oracle": DRAW, "norm": L1, "n": 5, "at": POINT, "seed": 1}
    return sample_sensitivity(**(asked | other))


def _toss(n: int, rng: np.random.Generator) -> Any:
    return NUMPY.random_sample(n) < 0.1


def _noisy_mean(database: Any) -> Any:
    return mean(database) + NUMPY.standard_normal()


@dataclass(frozen=True)
class _Shuffled(Oracle):
    """Users whose values come from numpy's global generator."""

    draws_people = True
    person = "person"
    users = oracles.Users(oracles.Uniform(0, 3), (oracles.Uniform(0, 1),), ("cost",))

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Any:
        drawn = self.users.draw(databases, records, rng=rng)
        drawn["cost"] += NUMPY.random_sample(drawn.shape)
        return drawn


@dataclass(frozen=True)
class _Visits(Target):
    def __call__(self, database: Any, /) -> Any:
        return np.array([float(len(database))])


IGNORES_RNG = oracles.Function(lambda n, rng: NUMPY.standard_normal(n))
PROVED: Any = targets.Mean((0.0, 1.0)).global_sensitivity(L1, 5)
REMEDIES = {
    "at=0.05": (lambda: _sample(at=0.05), "OperatingPoint.for_gamma(0.05)"),
    'norm="L1"': (lambda: _sample(norm="L1"), "dpcore.L1"),
    "calibrate(0.1, …)": (
        lambda: LaplaceMechanism().calibrate(0.1, PureDP(1.0)),
        "LaplaceMechanism.sample(target, oracle, n=…, gamma=0.05)",
    ),  # type: ignore[call-overload]
    "calibrate(…, 1.0)": (lambda: LaplaceMechanism().calibrate(PROVED, 1.0), "PureDP(1.0)"),  # type: ignore[call-overload]
    "Gaussian, 1.0": (
        lambda: GaussianMechanism().calibrate(targets.Mean((0.0, 1.0)).global_sensitivity(L2, 5), 1.0),
        "ApproxDP(1.0, 1e-6)",
    ),  # type: ignore[call-overload]
    "a function as oracle": (lambda: _sample(oracle=lambda n, rng: rng.random(n)), "oracles.Function(f)"),
    "a missing draw": (lambda: _sample(oracle=object()), "inherit dpcore.Oracle"),
    "too few records": (lambda: _sample(oracle=oracles.Function(lambda n, rng: rng.random(3))), "returns 2 records for n = 2"),
    "an oracle that ignores rng": (lambda: _sample(oracle=IGNORES_RNG), "call rng.normal(size=n)"),
    "a column that ignores rng": (
        lambda: _sample(oracle=oracles.IndependentColumns((IGNORES_RNG, DRAW))),
        "call rng.normal(size=n)",
    ),
    "users that ignore rng": (
        lambda: _sample(oracle=_Shuffled(), target=_Visits(), adjacency=dpcore.Adjacency.REPLACE_ONE_USER),
        "call rng.normal(size=n)",
    ),
    "a random target": (lambda: _sample(target=_noisy_mean), "np.random.default_rng(1)"),
    "a random target on a catalogued oracle": (
        lambda: [_sample(target=target, oracle=oracles.Uniform(0, 1)) for target in (mean, _noisy_mean)],
        "np.random.default_rng(1)",
    ),
    "random scores": (
        lambda: _sample(target=targets.Scores.of(lambda database: NUMPY.random_sample(3), ("a", "b", "c"))),
        "np.random.default_rng(1)",
    ),
    "the wrong norm": (
        lambda: GaussianMechanism().calibrate(PROVED, dpcore.ApproxDP(1.0, 1e-6)),
        "target.global_sensitivity(dpcore.L2, n)",
    ),  # type: ignore[call-overload]
    "a function as curve": (lambda: targets.OnLattice(lambda d, p: p[:, 0], 5), "OnLattice.of(function, degree=…)"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize(("call", "remedy"), REMEDIES.values(), ids=REMEDIES)
def test_an_error_names_the_call_to_make(call: Any, remedy: str) -> None:
    with pytest.raises(DpcoreError) as caught:
        call()
    assert remedy in str(caught.value)


def test_rare_values_that_ignore_rng_are_found_too() -> None:
    """64 records of two draws agree with probability 0.82⁶⁴ = 3e-6, also if a database has two records."""
    for n in (1, 500) * 10:
        with pytest.raises(InvalidValueError) as caught:
            _sample(oracle=oracles.Function(_toss), n=n)
        assert caught.value.name == "oracle"


def test_members_that_repeat_themselves_are_not_refused() -> None:
    """A generator inside a target, rounding, missing values, and a failure on few records are not random."""

    def bootstrapped(database: Any) -> Any:
        return np.random.default_rng(1).choice(database, size=9).mean()

    calls = iter(range(1_000))
    for target in (bootstrapped, lambda database: database.mean() * (1 + 1e-15 * next(calls))):
        assert not _sample(target=target).failures
    named = np.array([(1.0, "a"), (np.nan, "")], dtype=[("x", float), ("t", "U1")])
    missing = oracles.Function(lambda n, rng: rng.choice(named, size=n))
    assert not _sample(target=lambda database: float((database["t"] == "a").sum()), oracle=missing).failures
    few = _sample(target=lambda database: database.mean() if len(database) > 7 else 1 / 0, n=10)
    assert not few.failures


def test_a_function_is_tried_twice_on_seven_records() -> None:
    """The two calls come before those on the m pairs."""
    counted = []

    def target(database: Any) -> Any:
        counted.append(len(database))
        return database.mean()

    _sample(target=target, oracle=oracles.Uniform(0, 1), n=20)
    assert counted == [7, 7, *[20] * 2 * POINT.m]


def test_closures_are_curves_and_scores() -> None:
    def share_below(database: Any, points: Any) -> Any:
        return (database[:, None] <= points[:, 0]).mean(axis=0)

    curve = targets.OnLattice.of(share_below, degree=8)
    plane = targets.OnLattice.of(lambda database, points: points.sum(axis=1), degree=3, domain=((0.0, 1.0), (2.0, 3.0)))
    assert (curve.dims, plane.dims, len(plane.points)) == (1, 2, 16)
    sensitivity = dpcore.BernsteinMechanism(order=2).sample(curve, DRAW, n=100, gamma=0.2)
    assert dpcore.BernsteinMechanism(order=2).calibrate(sensitivity, PureDP(5.0)).release(np.full(100, 0.5)).response.degree == 8

    names = ("ann", "bob", "cleo")
    votes = targets.Scores.of(lambda database: [(database == name).sum() for name in names], names)
    ballot = oracles.Function(lambda n, rng: rng.choice(names, size=n))
    chosen = ExponentialMechanism(None).calibrate(
        ExponentialMechanism(None).sample(votes, ballot, n=90, gamma=0.05), PureDP(50.0)
    )
    assert chosen.release(["bob"] * 50 + ["ann"] * 20 + ["cleo"] * 20).response == "bob"


def test_release_prints_in_three_lines() -> None:
    sampled = (
        LaplaceMechanism().calibrate(LaplaceMechanism().sample(mean, DRAW, n=3, gamma=0.05), PureDP(1.0)).release([1.0, 2.0, 3.0])
    )
    proved = LaplaceMechanism().calibrate(PROVED, PureDP(1.0)).release([0.5] * 5)
    assert [line.split(":")[0] for line in str(sampled).splitlines()] == ["response", "guarantee", "noise"]
    assert "weaker than differential privacy" in str(sampled)
    assert "weaker" not in str(proved)
    assert str(proved.response[0])[:6] in str(proved)
