"""Sums, means and variances: of known values only, or of all n records, with the rounding that their worst cases count."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Filter, LaplaceMechanism, PureDP, targets
from dpcore.audits.audit import audit
from dpcore.base.arrays import Database
from dpcore.base.columns import KNOWN, Column
from dpcore.errors import InvalidValueError
from dpcore.registry import usable
from dpcore.result_types.numbers import NUMBER, SUM, Numbers, Ratio, answer_of
from dpcore.targets import Query
from pages.experiment.question import first_fields
from pages.files.tables import read_csv

COST = Column("cost", "Cost", "€", bounds=(0.0, 100.0))
SHOWN = targets.Mean((0.0, 100.0))
MEAN: Any = SHOWN.of_known_values()
ANSWER: Ratio = MEAN.answer((COST,))
VARIANCE: Any = targets.Variance((-2.0, 10.0)).of_known_values()
ROWS = np.array([(10, "a"), (70, "a"), (np.nan, "a"), (90, "b"), (100, ""), (0, "b")], dtype=[("cost", float), ("g", "U1")])


def test_sum_clips_known_values_and_is_rounded_once() -> None:
    target = targets.Sum((0.0, 100.0))
    assert target(np.array([0.0, 4.0, np.nan, 500.0, -2.0])).tolist() == [104.0]
    assert targets.Sum((-1.0, 1.0))(np.array([1e16, -1e16, 1.0, np.nan])).tolist() == [1.0]
    assert targets.Sum.suited((COST,)) == target
    assert targets.Sum.suited((Column("a"),)) is None
    assert target.answer((COST,)) == Numbers(("Cost",), "€", amount=True)


@pytest.mark.statistical
def test_audit_of_sum_holds_and_fails_at_half_the_noise() -> None:
    """A value at the upper bound gets lost. 100,000 responses a side at ε = 1."""
    target = targets.Sum((2.0, 30.0))
    first, second = target(np.array([30.0, 7.0])), target(np.array([np.nan, 7.0]))
    proof = target.global_sensitivity(L1, 2)
    assert proof is not None
    honest, loud = (LaplaceMechanism().calibrate(proof, PureDP(epsilon)) for epsilon in (1.0, 2.0))
    sound = audit(honest, first, second, draws=100_000, seed=1)
    assert sound.holds
    assert sound.lower > 0.75
    assert not audit(loud, first, second, draws=100_000, seed=2, claimed=honest.guarantee).holds


def test_known_mean_adds_up_and_counts_known_values() -> None:
    records = np.array([0.0, 100.0, np.nan, 75.0, 400.0, np.nan, -np.inf])
    assert MEAN(records).tolist() == [-1 + 1 + 0.5 + 1 - 1, 5.0]
    assert float(ANSWER.value(MEAN(records))) == pytest.approx(np.mean([0, 100, 75, 100, 0]))


@pytest.mark.parametrize("bounds", [(0.1, 0.7), (-3.0, 5.0), (1.0, 1 + 2.0**-52), (0.0, 5e-324), (-1e308, 7e307)], ids=repr)
def test_known_mean_is_exact_between_any_bounds(bounds: tuple[float, float]) -> None:
    low, high = bounds
    target: Any = targets.Mean(bounds).of_known_values()
    values = low + (high - low) * np.random.default_rng(1).random(50)
    response = target(np.concatenate([values, np.full(9, np.nan)]))
    assert float(Ratio(("mean",), bounds=bounds).value(response)) == pytest.approx(np.mean(values / 50) * 50, rel=1e-9, abs=1e-9)
    assert target(np.array([np.nan, np.nan])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("response", [(0.0, 0.0), (5.0, -3.0), (-9.0, 0.2), (9.0, 2.0)])
def test_noisy_mean_is_within_its_bounds(response: tuple[float, float]) -> None:
    assert 0 <= float(ANSWER.value(np.array(response))) <= 100
    assert float(ANSWER.value(np.array([0.0, 0.0]))) == 50


def test_known_mean_is_one_number_with_two_in_json() -> None:
    response = np.array([-400.0, 1_000.0])
    assert ANSWER.parts(response) == (("Mean of Cost, known values", "30 €"),)
    assert (ANSWER.brief(response), ANSWER.after, ANSWER.moved_after) == ("30", " €", "")
    assert json.loads(json.dumps(ANSWER.plain(response))) == {"Mean of Cost, known values": 30.0, SUM: -400.0, NUMBER: 1_000.0}
    assert answer_of(MEAN, (COST,)) == ANSWER


@pytest.mark.parametrize(("where", "wanted"), [((Filter("g", "a"),), 40), ((), 54)])
def test_query_divides_by_known_values_and_never_by_n(where: Any, wanted: float) -> None:
    """Three of six rows meet the condition, and one of these has no value: the mean of the other two is 40."""
    asked = Query(SHOWN, ("cost",), where)
    assert float(ANSWER.value(asked(ROWS))) == pytest.approx(wanted)
    for norm in (L1, L2, LINF, RANGE):
        few, many = (asked.global_sensitivity(norm, n) for n in (6, 1_000))
        assert few is not None
        assert many is not None
        assert 2 <= few.value <= many.value <= 2 * (1 + 1e-12), "a proof that falls with n is that of a mean over n"


def test_mean_over_n_takes_no_missing_values() -> None:
    """It is not asked of a column of which only known values count, and has nothing to answer there."""
    declared = replace(COST, missing=KNOWN)
    table = read_csv(b"cost,days\n10,1\n,2\n90,3\n200,\n", "t", public=False).declared(
        declared, Column("days", bounds=(0.0, 9.0))
    )
    assert not SHOWN.accepts_missing
    assert usable(SHOWN, (declared,)) == ()
    with pytest.raises(InvalidValueError, match="missing values"):
        table.prepare(("cost",), SHOWN)
    asked = first_fields(table, "Mean", ("cost",))["target"]
    assert asked == Query(SHOWN, ("cost",))
    assert float(ANSWER.value(asked(table.prepare(("cost",), asked)))) == pytest.approx((10 + 90 + 100) / 3)


N, UNIT = 1_025, 2**52  # records are whole multiples of an ulp of numbers from 1 to 2, that is of 2⁻⁵²
STEP = 2_048  # units: an ulp of sums from 2,048 to 4,096, to which an exact sum is rounded


def _rounded_apart() -> tuple[Database, Database]:
    """Sums a little above 2,048: one is rounded up by nearly half a STEP, the other down, and so are the two quotients."""
    small = 2_048 * UNIT + 261 * STEP + (STEP // 2 - 1)
    large = 2_048 * UNIT + 761 * STEP - (STEP // 2 - 1)
    low = small // N - (large - small) // 2
    share, more = divmod(small - low, N - 1)
    common = [share + 1] * more + [share] * (N - 1 - more)
    high = low + large - small
    assert low <= min(common) <= max(common) <= high
    return np.array([low, *common], dtype=np.float64) / UNIT, np.array([high, *common], dtype=np.float64) / UNIT


def test_rounding_of_a_mean_is_counted() -> None:
    """It moves by nearly 3 ulp more than its record, and by no more than is proved (mathematics, section 1.9)."""
    first, second = _rounded_apart()
    low, high = float(first[0]), float(second[0])
    target = targets.Mean((low, high))
    moved = Fraction(float(target(second)[0])) - Fraction(float(target(first)[0]))
    beyond = (moved - (Fraction(high) - Fraction(low)) / N) / Fraction(math.ulp(high))
    assert 2.97 < beyond < 3
    proved = target.global_sensitivity(L1, N)
    assert proved is not None
    assert moved <= Fraction(proved.value)


@pytest.mark.parametrize("ddof", [0, 1])
def test_variance_and_its_worst_case_are_those_of_the_divisor(ddof: int) -> None:
    values, target = np.random.default_rng(3).normal(3, 4, 50), targets.Variance((-2.0, 10.0), ddof)
    assert target(values) == pytest.approx([np.var(np.clip(values, -2, 10), ddof=ddof)])
    proved = target.global_sensitivity(L1, 50)
    assert proved is not None
    assert proved.value == pytest.approx(144 / 50 * (1 - (1 - ddof) / 50))


@pytest.mark.parametrize("seed", range(2))
def test_known_variance_is_numpys_of_known_values(seed: int) -> None:
    values = np.random.default_rng(seed).normal(3, 4, 200)
    values[::7] = np.nan
    assert VARIANCE(values) == pytest.approx([np.nanvar(np.clip(values, -2, 10))], rel=1e-12)
    for few in ([np.nan, np.nan], [np.nan, 5.0], [5.0, 5.0], [1e300, 1e300]):
        assert VARIANCE(np.array(few)).tolist() == [0.0]


def test_known_variance_is_not_proved_where_squares_overflow() -> None:
    assert VARIANCE.global_sensitivity(L1, 1) is None
    assert targets.Variance((-1e200, 1e200)).of_known_values().global_sensitivity(L1, 9) is None  # type: ignore[union-attr]
