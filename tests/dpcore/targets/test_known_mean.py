"""The mean of known values: its two numbers, their worst case, and the mean that is computed of them."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Filter, LaplaceMechanism, PureDP, targets
from dpcore.base.columns import KNOWN, Column
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.registry import usable
from dpcore.result_types.numbers import NUMBER, SUM, Ratio, answer_of
from dpcore.targets import Query
from pages.experiment.question import first_fields
from pages.files.tables import Table, read_csv

COST = Column("cost", "Cost", "€", bounds=(0.0, 100.0))
SHOWN = targets.Mean((0.0, 100.0))
MEAN: Any = SHOWN.of_known_values()
ANSWER: Ratio = MEAN.answer((COST,))


def _table(*, public: bool) -> Table:
    return read_csv(b"cost,days\n10,1\n,2\n90,3\n200,\n", "t", public=public).declared(COST, Column("days", bounds=(0.0, 9.0)))


def test_it_adds_up_the_known_values_and_counts_them() -> None:
    records = np.array([0.0, 100.0, np.nan, 75.0, 400.0, np.nan, -np.inf])
    assert MEAN(records).tolist() == [-1 + 1 + 0.5 + 1 - 1, 5.0]
    assert float(ANSWER.value(MEAN(records))) == pytest.approx(np.mean([0, 100, 75, 100, 0]))


@pytest.mark.parametrize("bounds", [(0.0, 1.0), (-3.0, 5.0), (1e8, 1e8 + 1), (0.0, 5e-324), (-1e308, 7e307)], ids=repr)
def test_the_mean_is_that_of_the_known_values(bounds: tuple[float, float]) -> None:
    low, high = bounds
    target: Any = targets.Mean(bounds).of_known_values()
    answer = Ratio(("mean",), bounds=bounds)
    values = low + (high - low) * np.random.default_rng(1).random(50)
    records = np.concatenate([values, np.full(9, np.nan)])
    assert float(answer.value(target(records))) == pytest.approx(float(np.mean(values / 50) * 50), rel=1e-9, abs=1e-9)


def test_a_missing_value_adds_nothing_where_no_float_is_the_middle_of_the_bounds() -> None:
    for bounds in ((0.1, 0.7), (1.0, 1 + 2.0**-52), (0.0, 5e-324)):
        assert targets.Mean(bounds).of_known_values()(np.array([np.nan, np.nan])).tolist() == [0.0, 0.0]


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE])
def test_the_worst_case_is_reached_and_never_exceeded_whatever_is_missing(norm: Norm, n: int) -> None:
    extended = np.array(list(product((0.0, 100.0, 30.0, np.nan), repeat=n + 1)))
    worst = max(float(norm(MEAN(records[:n]) - MEAN(np.delete(records, n - 1)))) for records in extended)
    known = MEAN.global_sensitivity(norm, n)
    assert known is not None
    assert 0.999 * known.value <= worst <= known.value <= 2 * (1 + 1e-12)
    lost = max(float(norm(MEAN(np.array([value])) - MEAN(np.array([np.nan])))) for value in (0.0, 30.0, 100.0))
    assert lost == {L1: 2.0, L2: 2**0.5, LINF: 1.0, RANGE: 2.0}[norm]


@pytest.mark.parametrize("response", [(0.0, 0.0), (5.0, -3.0), (-9.0, 0.2), (9.0, 2.0)])
def test_there_is_a_mean_within_the_bounds_whatever_the_noise(response: tuple[float, float]) -> None:
    assert 0 <= float(ANSWER.value(np.array(response))) <= 100
    assert float(ANSWER.value(np.array([0.0, 0.0]))) == 50


def test_one_number_is_read_and_the_two_noisy_ones_are_in_the_json() -> None:
    response = np.array([-400.0, 1_000.0])
    assert ANSWER.parts(response) == (("Mean of Cost, known values", "30 €"),)
    assert (ANSWER.brief(response), ANSWER.after, ANSWER.moved_after) == ("30", " €", "")
    assert json.loads(json.dumps(ANSWER.plain(response))) == {"Mean of Cost, known values": 30.0, SUM: -400.0, NUMBER: 1_000.0}
    assert answer_of(MEAN, (COST,)) == ANSWER


def test_how_far_it_reaches_is_that_of_the_noise() -> None:
    """With all values at the middle the noise on their number does nothing: ± is that of Laplace noise of 2/ε in half-widths."""
    proof = MEAN.global_sensitivity(L1, 1_000)
    assert proof is not None
    law: Any = LaplaceMechanism().calibrate(proof, PureDP(1.0)).law
    within = ANSWER.within(law, np.array([0.0, 1_000.0]), 0.9)
    assert within == pytest.approx(50 * law.half_width(0.9) / 1_000, rel=0.05)
    at_the_bound = ANSWER.within(law, np.array([900.0, 1_000.0]), 0.9)
    assert at_the_bound > 1.2 * within


def test_it_needs_bounds_and_numbers() -> None:
    assert targets.Mean.suited((Column("a"),)).of_known_values() is None
    assert targets.Mean.suited((COST,)) == targets.Mean((0.0, 100.0))
    with pytest.raises(InvalidValueError, match="bounds"):
        targets.Mean((3.0, 3.0))
    with pytest.raises(InvalidValueError, match="numbers"):
        MEAN(np.array(["a", "b"]))


def test_a_confidential_table_leaves_missing_values_missing_for_it_alone() -> None:
    table = _table(public=False)
    kept, filled = table.prepare(("cost",), MEAN), table.prepare(("cost",), targets.Mean())
    assert np.array_equal(kept, [10, np.nan, 90, 200], equal_nan=True)
    assert filled.tolist() == [10, 50, 90, 200]
    assert table.prepare(("cost",)).tolist() == [10, 50, 90, 200]
    assert table.missing_rule(("cost",), targets.Mean()) == table.missing_rule(("cost",))
    assert table.missing_rule(("cost",), MEAN).startswith("A missing value stayed missing")


def test_a_public_table_drops_what_is_missing_for_it_too() -> None:
    table = _table(public=True)
    assert table.prepare(("cost",), MEAN).tolist() == [10, 90, 200]
    assert table.missing_rule(("cost",), MEAN) == table.missing_rule(("cost",))


def test_a_question_divides_by_the_known_values_and_never_by_the_public_number_of_records() -> None:
    """Three of six rows meet the condition, and one of these has no value: the mean of the other two is 40."""
    rows = np.array([(10, "a"), (70, "a"), (np.nan, "a"), (90, "b"), (100, ""), (0, "b")], dtype=[("cost", float), ("g", "U1")])
    for asked, wanted in ((Query(SHOWN, ("cost",), (Filter("g", "a"),)), 40), (Query(SHOWN, ("cost",)), 54)):
        assert float(ANSWER.value(asked(rows))) == pytest.approx(wanted)
        assert asked(rows).tolist() == MEAN(asked.asked(rows)).tolist()
        for norm in (L1, L2, LINF, RANGE):
            few, many = (asked.global_sensitivity(norm, n) for n in (6, 1_000))
            assert few is not None
            assert many is not None
            assert 2 <= few.value <= many.value <= 2 * (1 + 1e-12), "a proof that falls with n is that of a mean over n"


def test_a_mean_over_n_takes_no_missing_values() -> None:
    """It is not asked of a column of which only known values count, and has nothing to answer there."""
    declared = replace(COST, missing=KNOWN)
    table = _table(public=False).declared(declared)
    assert not SHOWN.accepts_missing
    assert usable(SHOWN, (declared,)) == ()
    with pytest.raises(InvalidValueError, match="missing values"):
        table.prepare(("cost",), SHOWN)
    asked = first_fields(table, "Mean", ("cost",))["target"]
    assert asked == Query(SHOWN, ("cost",))
    assert float(ANSWER.value(asked(table.prepare(("cost",), asked)))) == pytest.approx((10 + 90 + 100) / 3)
    known, over_n = asked.global_sensitivity(L1, 1_000), SHOWN.global_sensitivity(L1, 1_000)
    assert known is not None
    assert over_n is not None
    assert (known.value, over_n.value) == (pytest.approx(2), pytest.approx(100 / 1_000))


@pytest.mark.parametrize("target", [targets.Mean(), targets.Mean(((0, 1), (0, 1))), targets.Variance((0, 1), 1)], ids=repr)
def test_what_has_no_form_for_known_values_is_not_asked(target: Any) -> None:
    assert target.of_known_values() is None
    with pytest.raises(InvalidValueError, match="missing values"):
        Query(target, ("cost",))


def test_a_filled_mean_is_shifted_and_this_one_is_not() -> None:
    values = np.random.default_rng(4).exponential(0.1, 2_000).clip(0, 1)
    records = np.where(np.arange(2_000) % 20 == 0, np.nan, values)
    known, filled = np.nanmean(records), np.where(np.isnan(records), 0.5, records).mean()
    target: Any = targets.Mean((0.0, 1.0)).of_known_values()
    assert float(Ratio(("mean",)).value(target(records))) == pytest.approx(known, rel=1e-12)
    assert filled > 1.15 * known
