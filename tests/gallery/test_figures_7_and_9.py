"""Figures 7 and 9: what the noise of a density is calibrated to, and a bounded mean's sensitivity, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import beta

from data.exhibits import worst_cases
from data.exhibits.exhibit import stored
from dpcore import L1, LINF, BernsteinMechanism, Bound, PureDP

pytestmark = pytest.mark.statistical


def _spread_of_noise() -> float:
    """√(2·mean_x ‖A'B(x)‖²): the root mean square over x of the noise on the curve, for lattice noise of scale 1."""
    law = BernsteinMechanism(order=worst_cases.ORDER).law(worst_cases.density(), 1.0, PureDP(1.0))
    each = [law.curves(law.polynomial(one).coefficients[None], worst_cases.POINTS)[0] for one in np.eye(worst_cases.DEGREE + 1)]
    return float(np.sqrt(2 * np.mean(np.sum(np.square(each), axis=0))))


def test_gain_of_figure_7_is_mostly_of_the_norm() -> None:
    used = {row[0]: row[2] for row in stored("figure_7").tables[0].rows}
    assert used["worst case, (k+1)·L∞"] == 1
    assert used["worst case, L1"] < 0.46
    for bound in ("DKW", "RANK"):
        assert 0.99 < used[f"sampled (k+1)·L∞, {bound}, γ = 0.05"] < 1
        assert 0.96 < used[f"sampled L1, {bound}, γ = 0.05"] / used["worst case, L1"] < 0.98
        assert 0.85 < used[f"sampled L1, {bound}, γ = 0.2"] / used["worst case, L1"] < 0.89


@pytest.mark.parametrize(("norm", "name"), [(L1, "L1"), (LINF, "(k+1)·L∞")], ids=["L1", "LINF"])
def test_fresh_sensitivities_of_the_density_match(norm: object, name: str) -> None:
    (used,) = [row[1] for row in stored("figure_7").tables[0].rows if row[0] == f"sampled {name}, RANK, γ = 0.2"]
    fresh = worst_cases.sampled_total(norm, 0.2, Bound.RANK, m=20_000, seed=77)
    assert fresh == pytest.approx(used, rel=0.02)
    assert 1.1 * fresh != pytest.approx(used, rel=0.02)


def test_noise_on_the_curve_matches_its_closed_form() -> None:
    """4,000 draws of lattice noise of scale 1: a standard error of about 2 % of the square."""
    law = BernsteinMechanism(order=worst_cases.ORDER).law(worst_cases.density(), 1.0, PureDP(1.0))
    drawn = law.curves(
        law.simulate(np.zeros(worst_cases.DEGREE + 1), size=4_000, rng=np.random.default_rng(78)), worst_cases.POINTS
    )
    measured = np.mean(drawn**2)
    assert measured == pytest.approx(_spread_of_noise() ** 2, rel=0.1)
    assert (1.1**2) * measured != pytest.approx(_spread_of_noise() ** 2, rel=0.1)


def test_stored_errors_are_bias_and_noise() -> None:
    """The mean of a root is at most the root of the mean; with noise alone it is some tenth less."""
    chart = stored("figure_7").charts[0]
    database = worst_cases.ORACLE.draw(1, 5_000, rng=np.random.default_rng(1))[0]
    size = worst_cases.rms(worst_cases.density().curve.values(database, worst_cases.POINTS))
    bias = chart.called(worst_cases.NO_NOISE).y[0]
    for name in ("worst case, (k+1)·L∞", "worst case, L1"):
        norm = LINF if "∞" in name else L1
        one = chart.called(name)
        whole = np.sqrt(bias**2 + (worst_cases.worst(norm) / one.x * _spread_of_noise() / size) ** 2)
        assert (one.y <= 1.01 * whole).all(), name
        assert (one.y >= 0.85 * whole).all(), name


def test_stored_sensitivities_of_figure_9_are_large() -> None:
    chart = stored("figure_9").charts[0]
    worst = chart.called(worst_cases.WORST)
    assert worst.y == pytest.approx(worst.x / 500, rel=1e-5)
    for bound in (Bound.DKW, Bound.RANK):
        for gamma in worst_cases.MEAN_GAMMAS:
            ratio = worst.y / chart.called(f"sampled, {bound.name}", f"γ = {gamma}").y
            assert 1 <= ratio.min() <= ratio.max() < 3, (bound, gamma)


def test_fresh_sensitivities_of_one_column_have_exact_mean() -> None:
    """300 repeats, the largest of nine draws of |U − U'|: its mean is 1 − ½·B(½, 10), by ∫ 1 − (1 − s²)⁹ over s = 1 − t."""
    exact = 1 - beta(0.5, 10) / 2
    drawn = 500 * np.array([worst_cases.order_statistic(1, 0.1, Bound.RANK, 900 + i) for i in range(300)])
    error = drawn.std(ddof=1) / np.sqrt(300)
    assert abs(drawn.mean() - exact) < 5 * error
    assert abs(1.1 * drawn.mean() - exact) > 5 * error
