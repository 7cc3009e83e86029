"""How far a choice falls short of the best: never above the proved bound, which some scores attain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.arrays import FloatArray
from dpcore.mechanisms.exponential import SelectionLaw

pytestmark = pytest.mark.statistical
WAYS: tuple[Any, ...] = ("permute-and-flip", "gumbel")


def _law(places: int, scale: float, way: Any) -> SelectionLaw:
    return SelectionLaw(scale, tuple(range(places)), way)


def _beyond(law: SelectionLaw, scores: FloatArray, gap: float) -> float:
    """P(the chosen score lies so far below the best, or further), by the law itself."""
    return float(law.probabilities(scores)[scores <= scores.max() - gap].sum())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("places", [2, 3, 40, 2_001])
@pytest.mark.parametrize("scale", [0.2, 2.0, 20.0])
def test_it_is_attained_where_all_others_lie_that_far_below(way: Any, places: int, scale: float) -> None:
    law = _law(places, scale, way)
    most = law.most_missed(0.95)
    scores = np.full(places, -most)
    scores[places // 2] = 0.0
    assert _beyond(law, scores, most) == pytest.approx(0.05, rel=1e-6)
    scores = np.full(places, -0.9 * most)  # a ± that is a tenth smaller holds too seldom
    scores[0] = 0.0
    assert _beyond(law, scores, 0.9 * most) > 0.051


@pytest.mark.parametrize("way", WAYS)
def test_no_scores_exceed_it(way: Any) -> None:
    """400 vectors of scores of six shapes: each probability is the law's own, so nothing is left to chance."""
    rng, worst = np.random.default_rng(55), 0.0
    for _ in range(400):
        places, scale = int(rng.integers(2, 300)), float(np.exp(rng.uniform(-2, 3)))
        law = _law(places, scale, way)
        most = law.most_missed(0.95)
        shape = rng.integers(6)
        far = most * rng.uniform(0.8, 1.3)
        scores = -far * np.ones(places) if shape < 2 else -rng.random(places) * 2 * far
        scores = {2: -far * (rng.random(places) < 0.9), 3: np.round(scores), 4: -np.abs(np.arange(places) - places / 3)}.get(
            int(shape), scores
        )
        scores[int(rng.integers(places))] = 0.0 if shape != 5 else far
        worst = max(worst, _beyond(law, scores, most))
    assert 0.045 < worst <= 0.05 * (1 + 1e-6)
