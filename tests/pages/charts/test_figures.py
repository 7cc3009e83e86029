"""Figures by their traces: what they name, where they lie, and that they stay small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.audits.closed_forms import true_cdf
from dpcore.guarantees.operating_points import Bound
from pages.old.charts import miss, operating_points, orders, sensitivity_cdf
from pages.old.charts.drawn import MOST_POINTS
from pages.old.charts.operating_points import GAMMAS, NAMES
from pages.old.charts.responses import responses
from pages.old.charts.sampler import BAND

POINT = OperatingPoint.for_both(5_000, 0.05)
MEAN = targets.Mean((0.0, 20.0))
ORACLE = oracles.Exponential(1.0)


def _sample(target: Any = MEAN, point: OperatingPoint = POINT) -> Any:
    return sample_sensitivity(target, ORACLE, norm=L1, n=50, at=point, seed=3)


def _traces(figure: Any) -> dict[str, Any]:
    for trace in figure.data:
        assert len(trace.x) <= MOST_POINTS
        assert len(trace.x) == len(trace.y)
    return {trace.name: trace for trace in figure.data}


def test_the_cdf_shows_the_draws_the_truth_the_inversion_at_k_and_the_worst_case() -> None:
    sample = _sample(targets.Mean())
    true = true_cdf(targets.Mean(), ORACLE, L1, 50)
    traces = _traces(sensitivity_cdf(sample, true=true, true_name="true CDF", global_sensitivity=0.4))
    names = [BAND, "true CDF", "5,000 trials", "worst case 0.4"]
    assert [name for name in traces if not name.startswith("Δ̂")] == names
    inversion = next(trace for name, trace in traces.items() if name.startswith("Δ̂"))
    value = sample.order_statistic
    assert list(inversion.x) == [0, value, value]
    assert list(inversion.y) == [POINT.k / 5_000, POINT.k / 5_000, 0]
    assert list(traces["worst case 0.4"].x) == [0.4, 0.4]
    draws = traces["5,000 trials"]
    assert (np.diff(draws.x) >= 0).all()
    assert (np.diff(draws.y) >= 0).all()
    tops = draws.y[2:-1:2]
    assert np.allclose(tops, sample.cdf(draws.x[2:-1:2]))


def test_a_sample_in_which_every_pair_failed_still_has_a_figure() -> None:
    sample = _sample(targets.Mean(((0.0, 1.0), (0.0, 1.0))), OperatingPoint.for_sample_size(30))
    assert np.isinf(sample.distances).all()
    (found,) = (trace for name, trace in _traces(sensitivity_cdf(sample)).items() if name.startswith("Δ̂"))
    assert found.name == "Δ̂ = ∞"
    assert not np.isfinite(found.x[1:]).any()


@pytest.mark.parametrize("bound", list(Bound))
def test_the_operating_points_are_the_least_m_of_each_bound(bound: Bound) -> None:
    confidence = 0.95 if bound.has_confidence else None
    chosen = OperatingPoint.for_both(999, 0.05, bound=bound, confidence=confidence) if bound is not Bound.DKW else POINT
    assert (NAMES[Bound.TIME_UNIFORM] in _traces(operating_points(chosen))) == (bound is Bound.TIME_UNIFORM)
    trace = _traces(operating_points(chosen))[NAMES[bound]]
    assert list(trace.x) == list(GAMMAS)
    assert list(trace.y) == [OperatingPoint.for_gamma(gamma, bound=bound, confidence=confidence).m for gamma in GAMMAS]


def test_this_choice_is_marked() -> None:
    choice = _traces(operating_points(POINT))["this choice"]
    assert (list(choice.x), list(choice.y)) == ([0.05], [5_000])
    order = _traces(orders(POINT))["this choice"]
    assert (list(order.x), list(order.y)) == ([0.05], [POINT.k / 5_000])


def test_one_number_is_a_density_around_the_non_private_answer() -> None:
    sampled = Laplace().calibrate(_sample().sensitivity(), PureDP(1.0))
    worst = Laplace().calibrate(MEAN.global_sensitivity(L1, 50), PureDP(1.0))
    traces = _traces(responses(np.array([7.0]), sampled, worst))
    assert list(traces) == ["noise sized to Δ̂", "worst case", "non-private"]
    assert list(traces["non-private"].x) == [7.0, 7.0]
    for name, calibrated in (("noise sized to Δ̂", sampled), ("worst case", worst)):
        top = traces[name].x[int(np.argmax(traces[name].y))]
        assert top == pytest.approx(7.0)
        assert max(traces[name].y) == pytest.approx(1 / (2 * calibrated.law.scale))
    assert "worst case" not in _traces(responses(np.array([7.0]), sampled, None))


def test_a_histogram_is_bars_with_intervals() -> None:
    target = targets.Histogram(edges=(0.0, 1.0, 2.0, 4.0))
    sampled = Laplace().calibrate(_sample(target).sensitivity(), PureDP(1.0))
    raw = np.array([0.5, 0.3, 0.2])
    figure = responses(raw, sampled, None, labels=("a", "b", "c"), bars=True, seed=4)
    traces = _traces(figure)
    assert [trace.type for trace in figure.data] == ["bar", "bar", "scatter"]
    assert figure.data[2].name == "no proved worst case"
    assert list(traces["non-private"].y) == [0.5, 0.3, 0.2]
    private = traces["private, sized to Δ̂"]
    assert list(figure.layout.xaxis.ticktext) == ["a", "b", "c"]
    assert not np.isclose(private.y, raw).any()
    assert np.allclose(private.error_y.array, sampled.law.half_width(0.95))


def test_the_miss_falls_from_one_to_zero_and_marks_gamma() -> None:
    traces = _traces(miss(POINT))
    curve = traces["m = 5,000, k = 4,751"]
    assert curve.y[0] == 1
    assert curve.y[-1] < 1e-6
    assert list(traces["γ = 0.05"].x) == [0.05, 0.05]
