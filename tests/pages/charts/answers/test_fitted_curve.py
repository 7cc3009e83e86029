"""A curve of two dimensions: a private one as a map, with lines of equal height of the one without noise."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.mechanisms import Bernstein
from pages.old.charts.answers import fitted_curve
from pages.old.experiment.headlines.fitted_curve import Fit, grid


@dataclass(frozen=True)
class Hill:
    """As high as the records' mean in the middle, and 0 at the edge."""

    domain: Any = ((0.0, 1.0), (0.0, 2.0))

    def values(self, database: Any, points: Any, /) -> Any:
        x, y = points.T
        return database.mean() * x * (1 - x) * y * (2 - y)


@pytest.fixture(scope="module")
def shown() -> Any:
    target = targets.OnLattice(Hill(), 5, 2)
    law, records = oracles.Uniform(0, 1), np.linspace(0, 1, 20)
    sample = sample_sensitivity(target, law, norm=L1, n=20, at=OperatingPoint.for_gamma(0.1), seed=1)
    noise = Bernstein(order=1).calibrate(sample.sensitivity(), PureDP(epsilon=50.0))
    exact = SimpleNamespace(name="without noise", value=target(records))
    at = grid(Hill().domain)
    fit = Fit(at, Hill().values(records, at), Hill().values(records, at))
    answer, scenario = SimpleNamespace(labels=("width", "depth", "height")), SimpleNamespace(seed=3)
    return SimpleNamespace(exact=exact, noise=noise, worst=None, fit=fit, answer=answer, scenario=scenario)


def test_it_is_a_map_with_lines_of_equal_height(shown: Any) -> None:
    made = fitted_curve.surface(shown.fit, shown)
    private, exact, worst = made.data
    assert (private.type, exact.type, worst.name) == ("heatmap", "contour", "no proved worst case")
    assert (made.layout.xaxis.title.text, made.layout.yaxis.title.text) == ("width", "depth")
    heights = np.asarray(exact.z)
    across, up = np.meshgrid(exact.x, exact.y)
    assert heights == pytest.approx(0.5 * across * (1 - across) * up * (2 - up))
    assert not np.array_equal(heights, np.asarray(private.z))


def test_a_released_one_is_a_map(shown: Any) -> None:
    released = shown.noise.law.polynomial(shown.exact.value)
    made = fitted_curve.published(released, shown.answer)
    (only,) = made.data
    assert only.type == "heatmap"
    assert np.asarray(only.z).max() == pytest.approx(0.125, rel=0.5)
