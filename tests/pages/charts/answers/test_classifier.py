"""A classifier's boundaries by their traces: where they lie, in which units, and what is simulated."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, Bound, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from pages.experiment.scenario import Scenario
from pages.files.tables import Column
from pages.old.charts import answer
from pages.old.charts.answers.classifier import FAN, boundaries, segment
from pages.old.experiment import preview
from pages.old.experiment.error_curve import error_curve
from pages.old.experiment.headlines.base import NonPrivate

BOUNDS = ((10.0, 20.0), (0.0, 4.0))
TARGET = targets.LinearSVM(BOUNDS)
ORACLE = oracles.TwoClasses(x_bounds=BOUNDS)
RECORDS = ORACLE.draw(1, 600, rng=np.random.default_rng(1))[0]
SCENARIO = Scenario(
    table="t",
    columns=("a", "b", "c"),
    target=TARGET,
    oracle=ORACLE,
    norm=L1,
    n=600,
    bound=Bound.RANK,
    confidence=None,
    m=19,
    gamma=0.1,
    epsilon=1.0,
    delta=None,
    mechanism=Laplace(),
    seed=5,
)

COLUMNS = (Column("a", "Apples", bounds=(10.0, 20.0)), Column("b", bounds=(0.0, 4.0)), Column("c", categories=(0.0, 1.0)))


@pytest.fixture(scope="module")
def noise() -> Any:
    at = OperatingPoint.for_both(19, 0.1)
    return Laplace().calibrate(sample_sensitivity(TARGET, ORACLE, norm=L1, n=600, at=at, seed=1).sensitivity(), PureDP(1.0))


@pytest.fixture(scope="module")
def worst() -> Any:
    return Laplace().calibrate(TARGET.global_sensitivity(L1, 600), PureDP(1.0))


def _headline(noise: Any, database: Any = RECORDS, *, worst: Any = None) -> Any:
    exact = NonPrivate(value=TARGET(database), simulated=False, database=database)
    return preview.headline(SCENARIO, COLUMNS, exact, noise, worst=worst)


def _traces(figure: Any) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data}


def _figure(noise: Any, worst: Any, **more: Any) -> Any:
    return boundaries(TARGET(RECORDS), noise, worst, records=RECORDS, x_bounds=BOUNDS, **more)


def test_records_boundaries_and_a_fan_are_shown(noise: Any, worst: Any) -> None:
    traces = _traces(_figure(noise, worst, names=("a", "b"), classes=("no", "yes"), raw_name="simulated table", seed=3))
    outside = [name for name in traces if name.endswith(" (outside)")]
    fan = f"{FAN} more private"
    assert {name.removesuffix(" (outside)") for name in traces} == {"no", "yes", fan, "worst case", "simulated table", "private"}
    assert set(outside) <= {"worst case (outside)"}
    assert len(traces["no"].x) + len(traces["yes"].x) == 400
    assert np.isnan(np.array(traces[fan].x, dtype=float)).sum() == FAN
    assert traces["no"].marker.symbol != traces["yes"].marker.symbol
    assert (np.array(traces["yes"].x).mean(), np.array(traces["no"].x).mean()) == pytest.approx((12, 18), abs=0.3)
    assert len({trace.line.dash for name, trace in traces.items() if trace.mode == "lines" and name != fan}) == 3


def test_the_boundary_is_where_the_answer_changes_sides_in_the_columns_units(noise: Any, worst: Any) -> None:
    line = _traces(_figure(noise, worst))["non-private"]
    points = np.column_stack([line.x, line.y])
    scaled = (points - [10.0, 0.0]) / [10.0, 4.0]
    answer = TARGET(RECORDS)
    assert np.allclose(scaled @ answer[:2] + answer[2], 0, atol=1e-9)
    middle, step = points.mean(axis=0), np.array([0.2, 0.1])
    sides = np.column_stack([[middle + step, middle - step], [0.0, 1.0]])
    assert TARGET.misclassified(answer[None], sides)[0] == 0


def test_an_answer_with_its_bias_in_the_middle_is_drawn_where_it_divides() -> None:
    """Of one machine both ways: the same line without noise, and the private one at little noise is near it."""
    target = replace(TARGET, C=30.0, centred=True)
    quiet = Laplace().calibrate(target.global_sensitivity(L1, 600), PureDP(1e4))
    exact = NonPrivate(value=target(RECORDS), simulated=False, database=RECORDS)
    shown = preview.headline(replace(SCENARIO, target=target), COLUMNS, exact, quiet, worst=quiet)
    traces, other = _traces(answer(shown)[0]), replace(TARGET, C=30.0)(RECORDS)
    for name in (exact.name, "private", "worst case"):
        corners = np.column_stack([traces[name].x, traces[name].y])
        heights = (corners - [10, 0]) / [10, 4] @ other[:2] + other[2]
        assert np.abs(heights).max() < (1e-6 if name == exact.name else 0.02)


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ([1.0, 0.0, -0.5], [[15, 4], [15, 0]]),
        ([0.0, 1.0, -0.25], [[10, 1], [20, 1]]),
        ([1.0, 1.0, -1.0], [[10, 4], [20, 0]]),
        ([0.0, 0.0, 1.0], None),
        ([1.0, 1.0, 5.0], None),
        ([0.0, 0.0, 0.0], None),
    ],
)
def test_a_segment_ends_at_the_view(answer: list[float], expected: list[list[float]] | None) -> None:
    found = segment(np.array(answer), BOUNDS, BOUNDS)
    if expected is None:
        assert found is None
    else:
        assert found is not None
        assert np.allclose(found[np.lexsort(found.T[::-1])], sorted(expected))


def test_the_error_is_the_share_of_records_that_fresh_private_classifiers_misclassify(noise: Any) -> None:
    """2,000 fresh classifiers: within a fifth of the mean over the fixed 200, and noise twice as large is far from it."""
    fresh = noise.simulate(TARGET(RECORDS), size=2_000, rng=np.random.default_rng(8))
    found = _headline(noise).error(noise.law)
    assert found == pytest.approx(TARGET.misclassified(fresh, RECORDS).mean(), rel=0.2)
    louder = SCENARIO.mechanism.law(TARGET, noise.sensitivity.value, PureDP(0.5))
    assert _headline(noise).error(louder) > 1.5 * found


def test_the_error_falls_smoothly_to_the_non_private_ones(noise: Any, worst: Any) -> None:
    curve = error_curve(_headline(noise, worst=worst))
    assert curve.what == "share of fitted rows misclassified"
    assert curve.no_privacy == TARGET.misclassified(TARGET(RECORDS)[None], RECORDS)[0]
    assert curve.worst_case is not None
    assert (np.diff(curve.sampled) < 1e-3).all()
    assert curve.sampled[0] > 0.2
    assert curve.sampled[-1] == pytest.approx(curve.no_privacy, abs=0.002)
    assert (curve.worst_case >= curve.sampled).all()
    assert error_curve(_headline(noise, worst=worst)).sampled.tolist() == curve.sampled.tolist()


def test_the_numbers_of_an_answer_are_named_after_their_features() -> None:
    assert TARGET.answer(COLUMNS).labels == ("Apples", "b", "bias")
