"""The moments of a noisy ratio that is cut off: those of a fine grid of both noises, and the noise's own laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import integrate, stats

from dpcore import L1, L2, ApproxDP, Gaussian, Laplace, PureDP, targets
from pages.old.experiment.contributions.noise import LaplaceNoise, Noise, NormalNoise, moments

LAPLACE, NORMAL = LaplaceNoise(PureDP(1.0)), NormalNoise(ApproxDP(1.0, 1e-6))
LAWS = [(LAPLACE, stats.laplace), (NORMAL, stats.norm)]
NAMES = ["laplace", "normal"]
_POINTS = 1_500


@pytest.mark.parametrize(("noise", "law"), LAWS, ids=NAMES)
@pytest.mark.parametrize(
    ("total", "number", "scale"),
    [
        (40.0, 100.0, 2.0),
        (-99.0, 100.0, 30.0),
        (3.0, 9.0, 4.0),
        (0.0, 5.0, 200.0),
        (0.4, 0.5, 1.0),
        (0.0, 0.0, 3.0),
        (7.0, 7.0, 1.0),
    ],
    ids=["little noise", "at a bound", "as much noise", "far more", "less than a row", "no row", "all at a bound"],
)
def test_they_are_those_of_a_grid_of_both_noises(
    noise: Noise, law: stats.rv_continuous, total: float, number: float, scale: float
) -> None:
    """1,500 quantiles of each noise: 2.25 million pairs, each as likely. A scale that is 10 % too large is further off."""
    place = law.ppf((np.arange(_POINTS) + 0.5) / _POINTS)
    noisy, counts = total + scale * place, np.maximum(number + scale * place, 1.0)
    away = np.clip(noisy[:, None] / counts, -1, 1) - total / max(number, 1.0)
    found = moments(np.array([total]), np.array([number]), scale, noise)
    assert [each[0] for each in found] == pytest.approx([away.mean(), (away**2).mean()], rel=4e-3, abs=1e-4)
    wrong = moments(np.array([total]), np.array([number]), 1.1 * scale, noise)
    assert abs(wrong[1][0] / (away**2).mean() - 1) > (4e-3 if scale < 100 else 5e-4)


def test_they_are_exact_to_eight_digits() -> None:
    """Against both integrals by SciPy's quadrature, F being the distribution function of the ratio before it is cut off:

        E(Z − z)² = (1 − z)² − ∫ 2(y − z)F(y) dy over [−1, 1]

    Panels that did not end at C̃ = |S| would be 1e-6 off.
    """
    total, number, scale = 5.26, 9.64, 1.0
    ratio = total / number

    def given(place: float) -> float:
        count = max(number + place, 1.0)

        def inner(y: float) -> float:
            return float(2 * (y - ratio) * stats.laplace.cdf(y, total / count, scale / count))

        return (1 - ratio) ** 2 - float(integrate.quad(inner, -1, 1, points=[total / count], epsabs=1e-12)[0])

    ends = [1 - number, total - number, 0.0, 40.0]
    parts = [
        integrate.quad(lambda x: given(x) * stats.laplace.pdf(x), *pair, epsabs=1e-11)[0] for pair in itertools.pairwise(ends)
    ]
    expected = stats.laplace.cdf(ends[0]) * given(ends[0]) + sum(parts)
    found = moments(np.array([total]), np.array([number]), scale, LAPLACE)
    assert found[1][0] == pytest.approx(expected, rel=1e-8)


def test_scales_are_those_of_the_mechanisms() -> None:
    """Which round up by one float."""
    assert LAPLACE.scale(7.0) == pytest.approx(Laplace().law(targets.Mean(), 7.0, PureDP(1.0)).scale, rel=1e-15)
    assert NORMAL.scale(7.0) == pytest.approx(Gaussian().law(targets.Mean(), 7.0, ApproxDP(1.0, 1e-6)).scale, rel=1e-15)
    assert [LAPLACE.norm, NORMAL.norm] == [L1, L2]
