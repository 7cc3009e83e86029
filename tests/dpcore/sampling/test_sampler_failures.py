"""A pair on which the target fails counts as +∞, with its reason: nothing is dropped."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from dpcore import L1, Bound, OperatingPoint, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Target
from dpcore.errors import InfiniteSensitivityError
from dpcore.oracles import Resample, Uniform
from dpcore.sampling.methods import generator

BAD = -1.0
ORACLE = Resample(np.array([BAD, *range(1, 50)]))


def _refuse_bad(records: Database) -> None:
    if (records == BAD).any():
        raise ZeroDivisionError("a bad row")


def plain(database: Database, /) -> FloatArray:
    _refuse_bad(database)
    return np.array([database.mean()])


@dataclass(frozen=True)
class Additive(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        return plain(database)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        _refuse_bad(records)
        return np.asarray(records[:, None] / n)


@dataclass(frozen=True)
class Pair(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        return plain(database)

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        _refuse_bad(extended)
        return extended[:, :-1].mean(axis=1), np.delete(extended, -2, axis=1).mean(axis=1)


@pytest.mark.parametrize(("target", "records", "seed"), [(plain, 4, 2), (Additive(), 2, 2), (Pair(), 4, 2)])
def test_exactly_the_pairs_that_hold_the_bad_record_fail(target: Target, records: int, seed: int) -> None:
    m, n = 400, 3
    sample = sample_sensitivity(target, ORACLE, norm=L1, n=n, at=OperatingPoint.for_both(m, 0.5), seed=seed)
    size = {"plain": 8, "additive": 8_192, "pair": 2**19 // 32}[sample.way]
    blocks = [ORACLE.draw(size, records, rng=generator(seed, j)) for j in range(-(-m // size))]
    holds_bad = (np.concatenate(blocks)[:m] == BAD).any(axis=1)
    assert 10 < holds_bad.sum() < 60
    assert (np.isinf(sample.distances) == holds_bad).all()
    assert sample.failures == dict.fromkeys(np.flatnonzero(holds_bad).tolist(), "raised ZeroDivisionError")
    assert np.isfinite(sample.sensitivity().value)  # k = 201 of 400


def returns_nan(database: Database, /) -> FloatArray:
    return np.array([np.nan])


def returns_infinity(database: Database, /) -> FloatArray:
    return np.array([np.inf])


def mutates(database: Database, /) -> FloatArray:
    database.sort()
    return np.array([database.mean()])


def raises(database: Database, /) -> FloatArray:
    raise LookupError("never")


def returns_a_matrix(database: Database, /) -> FloatArray:
    return np.zeros((2, 2))


def returns_nothing(database: Database, /) -> FloatArray:
    return np.empty(0)


def returns_text(database: Database, /) -> FloatArray:
    return np.array(["no number"])


def returns_as_many_as_change(database: Database, /) -> FloatArray:
    """Never the same length on two neighbours, up to ties."""
    return np.zeros(1 + round(float(database.sum() * 1e9)) % 1_000_003)


@dataclass(frozen=True)
class PairOfNan(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        return np.array([np.nan])

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        return np.full(len(extended), np.nan), np.full(len(extended), np.nan)


@dataclass(frozen=True)
class AdditiveThatMutates(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        database[0] = 0
        return np.array([database.sum()])

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        records[0] = 0
        return np.asarray(records[:, None])


@dataclass(frozen=True)
class PairOfOtherShapes(Target):
    def __call__(self, database: Database, /) -> FloatArray:
        raise ValueError("none")

    def pair(self, extended: Database, /) -> tuple[FloatArray, FloatArray]:
        return np.zeros((len(extended), 2)), np.zeros((len(extended), 3))


@pytest.mark.parametrize(
    ("target", "reason"),
    [
        (returns_nan, "returned a value that is not finite"),
        (returns_infinity, "returned a value that is not finite"),
        (mutates, "raised ValueError"),
        (raises, "raised LookupError"),
        (returns_a_matrix, "returned an array of shape (2, 2), expected (d,)"),
        (returns_nothing, "returned an empty vector"),
        (returns_text, "raised ValueError"),
        (returns_as_many_as_change, "returned "),
        (PairOfNan(), "returned a value that is not finite"),
        (AdditiveThatMutates(), "raised ValueError"),
        (PairOfOtherShapes(), "returned shapes (1, 2) and (1, 3) for the two neighbours"),
    ],
    ids=lambda value: "" if isinstance(value, str) else getattr(value, "__name__", type(value).__name__),
)
def test_a_target_that_always_fails_has_no_sensitivity_and_the_error_says_why(target: Target, reason: str) -> None:
    sample = sample_sensitivity(target, Uniform(0, 1), norm=L1, n=6, at=OperatingPoint.for_gamma(0.05), seed=3)
    with pytest.raises(InfiniteSensitivityError) as caught:
        sample.sensitivity()
    error = caught.value
    assert (error.failed, error.m, error.k) == (19, 19, 19)
    assert all(key.startswith(reason) for key in error.reasons)
    assert set(sample.failures) == set(range(19))


def fails_above_a_half(database: Database, /) -> FloatArray:
    if database[0] > 0.5:
        raise OverflowError("too large")
    return np.array([database.mean()])


@pytest.mark.parametrize("allow_zero", [False, True])
def test_one_infinite_order_statistic_is_refused_and_the_one_below_it_is_not(allow_zero: bool) -> None:
    sample = sample_sensitivity(
        fails_above_a_half, Uniform(0, 1), norm=L1, n=4, at=OperatingPoint.for_both(999, 0.9, bound=Bound.RANK), seed=8
    )
    failed = int(np.isinf(sample.distances).sum())
    assert 500 < failed < 700  # the first record, and one in four of its replacements
    last_finite = OperatingPoint(999, 999 - failed, 0.9, Bound.RANK)
    assert sample.at(last_finite).sensitivity().value == np.sort(sample.distances)[998 - failed]
    with pytest.raises(InfiniteSensitivityError) as caught:
        sample.at(OperatingPoint(999, 1_000 - failed, 0.9, Bound.RANK)).sensitivity(allow_zero=allow_zero)
    assert (caught.value.failed, caught.value.m, caught.value.k) == (failed, 999, 1_000 - failed)
    assert caught.value.reasons == {"raised OverflowError": failed}


def test_the_reasons_of_a_shorter_run_are_those_of_its_own_pairs() -> None:
    sample = sample_sensitivity(raises, Uniform(0, 1), norm=L1, n=4, at=OperatingPoint.for_gamma(0.01), seed=8)
    with pytest.raises(InfiniteSensitivityError) as caught:
        sample.at(OperatingPoint.for_gamma(0.05)).sensitivity()
    assert caught.value.failed == 19
    assert sum(caught.value.reasons.values()) <= 19
