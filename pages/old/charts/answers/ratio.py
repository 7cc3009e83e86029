"""A mean from a noisy sum and a noisy number: its density."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.old.charts.answers import Described
from pages.old.charts.answers.numbers import dotted
from pages.old.charts.drawn import Drawn
from pages.old.charts.fifty_dots import of_places
from pages.old.charts.responses import likely
from pages.old.experiment.headlines.ratio import RatioHeadline

_POINTS, _NUMBERS = 161, 80  # of the scale, and equally likely noises on the number of known values
_REACH = 2.5  # in half-widths of 95 in 100


def chart(shown: RatioHeadline) -> tuple[Drawn, str]:
    """The density of private means around the one without noise, and a description."""
    exact, means = shown.exact, _means(shown, shown.noise)
    curves = [(means, _density(shown, means, noise)) for noise in (shown.noise, shown.worst) if noise is not None]
    drawn = likely(curves, shown.without_noise, exact.name, shown.answer.unit, top=float(curves[0][1].max()))
    return drawn, f"Possible private means around the one {exact.of}, at ε = {shown.scenario.epsilon:g}."


def dots(shown: RatioHeadline, noise: Calibrated[Any], off: float) -> Described:
    """Fifty private means, and how many are further off than that: of simulated ones."""
    answer: Any = shown.answer
    simulated = answer.offsets(noise.law, shown.exact.value)
    return dotted(shown, shown.without_noise, of_places(simulated, np.full(simulated.size, 1 / simulated.size)), off)


def density(shown: RatioHeadline, noise: Calibrated[Any]) -> tuple[FloatArray, FloatArray]:
    """Of private means under this noise."""
    low, high = _bounds(shown)
    means = _means(shown, noise)
    return means, 2 / (high - low) * _density(shown, means, noise)


def _bounds(shown: RatioHeadline) -> tuple[float, float]:
    answer: Any = shown.answer
    low, high = answer.bounds
    return low, high


def _means(shown: RatioHeadline, noise: Calibrated[Any]) -> FloatArray:
    """Where private means under this noise lie, within the bounds."""
    answer: Any = shown.answer
    low, high = _bounds(shown)
    reach = _REACH * answer.spread(noise.law, shown.exact.value, SHARE_WITHIN)
    return np.linspace(max(low, shown.without_noise - reach), min(high, shown.without_noise + reach), _POINTS)


def _density(shown: RatioHeadline, means: FloatArray, noise: Calibrated[Any]) -> FloatArray:
    """Of S̃/max(C̃, 1) at the ratio that each mean stands for, within the bounds: E over C̃ of the density of S̃ at ratio·C̃,
    times C̃."""
    (low, high), law, exact = _bounds(shown), noise.law, shown.exact.value
    ratios = 2 * (means - low) / (high - low) - 1
    assert isinstance(law, NoiseLaw)  # other laws make no numbers
    half = np.array([law.half_width((2 * i + 1) / _NUMBERS) for i in range(_NUMBERS // 2)])
    known = np.maximum(exact[1] + np.concatenate([-half[::-1], half]), 1.0)
    return np.asarray((law.density(ratios[:, None] * known - exact[0]) * known).mean(axis=1))
