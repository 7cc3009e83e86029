"""Choices, curves and errors by their traces: what they name, where they lie, and that they stay small."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    LINF,
    RANGE,
    Bernstein,
    BernsteinPolynomial,
    Bound,
    Exponential,
    Gaussian,
    Laplace,
    OperatingPoint,
    curves,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.answers.fitted_curve import FittedCurve
from pages.experiment.scenario import Scenario
from pages.files.tables import Column
from pages.old.charts import errors, losses, published
from pages.old.charts.answers.choice import selection
from pages.old.charts.answers.fitted_curve import fit
from pages.old.experiment.error_curve import error_curve
from pages.old.experiment.headlines.base import NonPrivate
from pages.old.experiment.headlines.fitted_curve import rms
from pages.old.experiment.preview import headline

POINT = OperatingPoint.for_both(99, 0.1)
REGRESSION = targets.OnLattice(curves.PriestleyChao(0.1, y_bounds=(-1.5, 1.5)), 12)
RECORDS = oracles.RegressionPrior().draw(1, 600, rng=np.random.default_rng(1))[0]


def _traces(figure: Any) -> dict[str, Any]:
    return {trace.name: trace for trace in figure.data}


def _scenario(target: Any, mechanism: Any, oracle: Any, n: int, **changes: Any) -> Scenario:
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("a",),
        "target": target,
        "oracle": oracle,
        "norm": mechanism.norm,
        "n": n,
        "bound": Bound.RANK,
        "confidence": None,
        "m": 99,
        "gamma": 0.1,
        "epsilon": 2.0,
        "delta": None,
        "mechanism": mechanism,
        "seed": 5,
    }
    return Scenario(**(fields | changes))


def _noise(scenario: Scenario) -> Any:
    sample = sample_sensitivity(
        scenario.target, scenario.resolved_oracle(None), norm=scenario.norm, n=scenario.n, at=scenario.point, seed=1
    )
    return scenario.mechanism.calibrate(sample.sensitivity(), scenario.privacy)


def _worst(scenario: Scenario) -> Any:
    target: Any = scenario.target
    return scenario.mechanism.calibrate(target.global_sensitivity(scenario.norm, scenario.n), scenario.privacy)


def _headline(scenario: Scenario, database: Any, *, worst: bool = False) -> Any:
    exact = NonPrivate(value=scenario.target(database), simulated=False, database=database)
    proved = _worst(scenario) if worst else None
    return headline(scenario, (Column("a"), Column("b")), exact, _noise(scenario), worst=proved)


CURVE = _scenario(REGRESSION, Bernstein(order=3), oracles.RegressionPrior(), 600)
LETTERS = _scenario(targets.LetterCounts("abc", longest=9), Exponential(("a", "b", "c")), oracles.Names(), 4)
MEAN = _scenario(targets.Mean((0.0, 1.0)), Laplace(), oracles.Uniform(0, 1), 50)
WORDS = np.array(["aab", "c", "ab", "b"])


def test_a_fit_shows_records_three_curves_and_both_bands() -> None:
    said = _headline(CURVE, RECORDS)
    noise, shown, curve = said.noise, said.exact, said.fit
    traces = _traces(fit(curve, shown.value, noise, _worst(CURVE), records=RECORDS, names=("across", "up"), seed=3))
    worst = next(name for name in traces if name.startswith("worst ± "))
    assert set(traces) == {"rows", "95 in 100 at each point", worst, "non-private", "polynomial", "private"}
    assert len(traces["rows"].x) <= 400
    assert list(traces["non-private"].y) == REGRESSION.curve.values(RECORDS, curve.points[:, None]).tolist()
    assert np.allclose(traces["polynomial"].y, noise.law.polynomial(REGRESSION(RECORDS))(curve.points))
    assert not np.allclose(traces["private"].y, traces["polynomial"].y)


def test_the_band_of_a_fit_holds_nine_in_ten_private_curves_at_each_point() -> None:
    """2,000 fresh curves: a share of 0.9 ± 0.05 inside the band of 200, and less than half inside one half as wide."""
    said = _headline(CURVE, RECORDS)
    noise, shown, curve = said.noise, said.exact, said.fit
    figure = fit(curve, shown.value, noise, None, seed=3)
    high, low = (np.array(trace.y) for trace in figure.data if trace.name == "95 in 100 at each point")
    fresh = noise.law.curves(noise.simulate(shown.value, size=2_000, rng=np.random.default_rng(9)), curve.points[:, None])
    assert np.mean((fresh >= low) & (fresh <= high)) == pytest.approx(0.9, abs=0.05)
    middle, half = (high + low) / 2, (high - low) / 4
    assert np.mean(np.abs(fresh - middle) <= half) < 0.75


def test_a_released_polynomial_is_drawn_over_its_domain() -> None:
    response = BernsteinPolynomial(np.array([1.0, 2.0]), 1, ((3.0, 5.0),))
    figure: Any = published(response, FittedCurve(("x", "f(x)")))
    (trace,) = figure.data
    assert (trace.x[0], trace.x[-1]) == (3.0, 5.0)
    assert (trace.y[0], trace.y[-1]) == (1.0, 2.0)


def test_a_choice_shows_chances_beside_scores_and_marks_every_winner() -> None:
    said = _headline(LETTERS, WORDS)
    noise, shown = said.noise, said.exact
    figure = selection(shown.value, noise, _worst(LETTERS), labels=("a", "b", "c"))
    traces = _traces(figure)
    assert set(traces) == {"chance, sampled", "chance, worst case", "score, non-private (winner: a, b)"}
    scores = traces["score, non-private (winner: a, b)"]
    assert list(scores.y) == [3.0, 3.0, 1.0]
    assert scores.marker.color[0] == scores.marker.color[1] != scores.marker.color[2]
    assert list(traces["chance, sampled"].y) == noise.law.probabilities(shown.value).tolist()
    assert traces["chance, worst case"].y[2] > traces["chance, sampled"].y[2]


@pytest.mark.parametrize(
    ("scenario", "database"), [(MEAN, np.full(50, 0.5)), (LETTERS, WORDS), (CURVE, RECORDS)], ids=["mean", "letters", "curve"]
)
def test_errors_fall_with_epsilon_and_the_worst_case_lies_above(scenario: Scenario, database: Any) -> None:
    said = _headline(scenario, database, worst=True)
    found = error_curve(said)
    assert found.worst_case is not None
    assert (np.diff(found.sampled) <= 1e-12).all()
    assert (found.worst_case >= found.sampled * 0.999).all()
    assert found.sampled[-1] >= found.no_privacy * 0.999
    chosen = said.error(said.noise.law)
    figure = errors(found, epsilon=2.0, chosen=chosen)
    traces = _traces(figure)
    marked = next(trace for name, trace in traces.items() if name.startswith("ε = 2"))
    assert (marked.x[0], marked.y[0]) == (2.0, chosen)
    assert np.interp(np.log(2.0), np.log(found.epsilons), found.sampled) == pytest.approx(chosen, rel=0.1)
    assert {"sampled", "worst case"} < set(traces)
    assert all(np.isfinite(np.array(trace.y, dtype=float)).all() and (np.array(trace.y) > 0).all() for trace in figure.data)


def test_the_error_of_numbers_is_the_mean_size_of_the_noise_and_nothing_without_privacy() -> None:
    """Mean |noise| of 200,000 simulated answers: within 1 %, and 10 % off is seen."""
    for mechanism, delta in ((Laplace(), None), (Gaussian(), 1e-5)):
        scenario = _scenario(targets.Mean((0.0, 1.0)), mechanism, oracles.Uniform(0, 1), 50, delta=delta)
        said = _headline(scenario, np.full(50, 0.5))
        simulated = said.noise.simulate(said.exact.value, size=200_000, rng=np.random.default_rng(2)) - 0.5
        assert said.error(said.noise.law) == pytest.approx(np.abs(simulated).mean(), rel=0.01)
        assert error_curve(said).no_privacy == 0


def test_the_error_of_a_curve_is_measured_from_the_exact_one_and_ends_at_its_polynomials() -> None:
    said = _headline(CURVE, RECORDS)
    noise, shown, curve = said.noise, said.exact, said.fit
    coefficients = noise.simulate(shown.value, size=4_000, rng=np.random.default_rng(3))
    expected = rms(noise.law.curves(coefficients, curve.points[:, None]) - curve.exact)
    assert said.error(noise.law) == pytest.approx(expected, rel=0.1)
    assert error_curve(said).no_privacy == rms(curve.approximation - curve.exact) > 0


def test_the_error_of_a_choice_is_its_expected_shortfall() -> None:
    said = _headline(LETTERS, WORDS)
    noise, shown = said.noise, said.exact
    chances = noise.law.probabilities(shown.value)
    assert said.error(noise.law) == pytest.approx(2 * chances[2])


def test_the_losses_are_one_minus_the_cdf_at_multiples_of_the_sensitivity() -> None:
    sample = sample_sensitivity(targets.Mean(), oracles.Exponential(1.0), norm=L1, n=9, at=POINT, seed=1)
    traces = _traces(losses(sample, true=lambda g: 1 - np.exp(-9 * g), true_name="true CDF"))
    times = np.array(traces["true CDF"].x)
    assert np.allclose(traces["true CDF"].y, np.exp(-9 * times * sample.order_statistic))
    beyond = [100 - np.count_nonzero(sample.distances <= time * sample.order_statistic) for time in times]
    assert np.allclose(traces["99 trials"].y, np.array(beyond) / 100)
    just_beyond = int(np.searchsorted(times, 1.0, side="right"))
    assert traces["99 trials"].y[just_beyond] == pytest.approx(1 - POINT.k / 100, abs=0.011)
    assert traces["99 trials"].y[-1] == pytest.approx(0.01)  # a fresh pair may lie beyond all that were drawn
    assert list(traces["γ = 0.1"].y) == [0.1, 0.1]


def test_losses_of_a_sample_that_failed_or_never_moved_still_have_a_figure() -> None:
    still = sample_sensitivity(targets.Mean(), oracles.Resample(np.ones(3)), norm=LINF, n=9, at=POINT, seed=1)
    assert len(losses(still).data) == 2
    failed = sample_sensitivity(targets.Mean(((0.0, 1.0), (0.0, 1.0))), oracles.Uniform(0, 1), norm=RANGE, n=9, at=POINT, seed=1)
    assert np.isinf(failed.distances).all()
    assert len(losses(failed).data) == 2
