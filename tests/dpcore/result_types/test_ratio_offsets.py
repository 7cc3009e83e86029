"""How far simulated means lie from the one without noise: by the law at its own scale, however its noise is drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.mechanisms.gaussian import GaussianLaw
from dpcore.mechanisms.laplace import GeometricLaw, LaplaceLaw
from dpcore.result_types.numbers import Ratio

_MEAN = Ratio(("mean",), bounds=(10.0, 60.0))
_RESPONSE = np.array([-30.0, 400.0])  # 400 values that lie a little below the middle of the bounds


@pytest.mark.parametrize("kind", [LaplaceLaw, GaussianLaw, GeometricLaw])
def test_they_are_those_of_noise_drawn_at_that_scale_one_after_another(kind: Any) -> None:
    for scale in (20.0, 0.3, 20.0, 150.0):
        drawn = kind(scale).simulate(_RESPONSE, size=4_000, rng=np.random.default_rng(2017))
        below = np.maximum(drawn[:, 1], 1.0)
        means = 10 + 50 * np.clip((drawn[:, 0] / below + 1) / 2, 0, 1)
        exact = 10 + 50 * (-30 / 400 + 1) / 2
        assert _MEAN.offsets(kind(scale), _RESPONSE) == pytest.approx(means - exact, rel=1e-9, abs=1e-9)
        assert np.ptp(means) > 0
