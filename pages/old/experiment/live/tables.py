"""k, Δ̂ and what hangs on them for each γ, and the noise of each ε: all that is computed of a bound or a calibration is here."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from threading import Lock
from typing import Any, final
from weakref import WeakKeyDictionary

import numpy as np

from dpcore.base.norms import Norm
from dpcore.base.types import FloatArray
from dpcore.guarantees.every_gamma import orders
from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.operating_points import Bound, reachable_m
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment.computable import UNREACHABLE
from pages.experiment.scenario import LEAST_EPSILON, LEAST_GAMMA, MOST_EPSILON, MOST_GAMMA, Scenario

# The values that γ and ε take under the hand: close to one another, and round.


_STEPS = 320
_DIGITS = 3


@lru_cache(maxsize=64)
def round_grid(least: float, most: float, beside: float | None) -> FloatArray:
    """From the least to the most at equal ratios, each the roundest number that is nearer to its place than to another; and
    ``beside`` them one that is shown and has no place of its own."""
    near = (most / least) ** (0.5 / _STEPS)
    inner = {_roundest(float(x), near) for x in np.geomspace(least, most, _STEPS + 1)[1:-1]}
    grid = np.array(sorted({least, most, least if beside is None else beside} | inner))
    grid.flags.writeable = False
    return grid


gammas = partial(round_grid, LEAST_GAMMA, MOST_GAMMA)
epsilons = partial(round_grid, LEAST_EPSILON, MOST_EPSILON)


def beside(scenario: Scenario) -> tuple[float | None, float | None]:
    """A scenario's γ and ε where they are none of the grids' own."""
    own = (scenario.gamma, gammas(None)), (scenario.epsilon, epsilons(None))
    gamma, epsilon = (None if value in grid else value for value, grid in own)
    return gamma, epsilon


def _roundest(value: float, near: float) -> float:
    """Of as few digits as a number within a factor ``near`` of it can have."""
    rounded = (float(f"{value:.{digits}g}") for digits in range(1, _DIGITS))
    return next((one for one in rounded if value / near < one <= value * near), float(f"{value:.{_DIGITS}g}"))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class GammaTable:
    """For each of ``gammas``: the least order k that certifies it under the scenario's bound, 0 where none of the m draws
    does; the trials that such a γ takes, ``needs``, 0 elsewhere."""

    m: int
    gammas: FloatArray
    orders: FloatArray
    needs: FloatArray


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class SensitivityTable:
    """Δ̂ = G_(k) for each γ, NaN out of reach and ∞ where too many trials fail; and how many trials lie within it. None up to
    ``resolution`` is taken: noise of that scale would release the exact answer."""

    values: FloatArray
    covered: FloatArray
    resolution: float = 0.0


def by_gamma(scenario: Scenario) -> GammaTable:
    """Of the scenario's m and bound."""
    return _orders(scenario.m, scenario.bound, scenario.confidence, beside(scenario)[0])


@lru_cache(maxsize=64)
def _orders(m: int, bound: Bound, confidence: float | None, off_grid: float | None) -> GammaTable:
    grid = gammas(off_grid)
    found = orders(m, grid, bound, confidence)
    each = zip(grid.tolist(), found.tolist(), strict=True)
    needs = np.array([0 if order else _needed(gamma, bound, confidence) for gamma, order in each], dtype=np.float64)
    return GammaTable(m=m, gammas=grid, orders=found, needs=needs)


_needed = lru_cache(maxsize=4_096)(reachable_m)
_SENSITIVITIES: WeakKeyDictionary[SensitivitySample[Norm], tuple[GammaTable, SensitivityTable]] = WeakKeyDictionary()


def sensitivities(sample: SensitivitySample[Norm], table: GammaTable) -> SensitivityTable:
    """Of its draws. Those of the last table are kept: several parts of a page ask for them."""
    of_table, found = _SENSITIVITIES.get(sample, (None, None))
    if found is not None and of_table is table:
        return found
    ordered, reached = np.sort(sample.distances), table.orders > 0
    values = np.full(len(table.gammas), np.nan)
    values[reached] = ordered[table.orders[reached].astype(np.int64) - 1]
    covered = np.where(reached, np.searchsorted(ordered, values, side="right"), 0).astype(np.float64)
    found = SensitivityTable(values=values, covered=covered, resolution=sample.resolution)
    _SENSITIVITIES[sample] = table, found
    return found


def units(scenario: Scenario) -> tuple[FloatArray, FloatArray]:
    """(ε, the noise's scale at a sensitivity of 1 under it); NaN where the mechanism has none at this ε.

    Every law of dpcore scales with its sensitivity: at Δ the scale is Δ times that of 1, but for its last rounding up.
    """
    return _of_each(scenario, ("unit",), lambda law, _: float(law.scale))


def accuracies(scenario: Scenario, noise: Calibrated[Any], numbers: int) -> FloatArray:
    """How often the best guesser is right at the edge of what is protected, for each ε of ``units``; NaN without noise.

    At the sensitivity itself this does not hang on how large it is.
    """
    key = "edge", numbers, type(noise.guarantee)
    return _of_each(scenario, key, lambda law, at: float(guesser_at_one(noise, law, numbers, at).right(1.0)))[1]


def _of_each(scenario: Scenario, key: tuple[Any, ...], of: Callable[[Any, float], float]) -> tuple[FloatArray, FloatArray]:
    """ε, and what is made of the law under it; NaN where the mechanism has none."""
    grid = epsilons(beside(scenario)[1])
    laws = ((law_at(scenario, epsilon), epsilon) for epsilon in grid.tolist())
    each = (math.nan if law is None else of(law, epsilon) for law, epsilon in laws)
    return grid, kept((*key, *law_key(scenario)), lambda: np.array(list(each)))


def law_key(scenario: Scenario) -> tuple[Any, ...]:
    """All that a law hangs on but ε: the mechanism, δ, and what of the target changes its scale, as a curve's degree does."""
    scales = tuple(None if law is None else float(law.scale) for law in (law_at(scenario, epsilon) for epsilon in _PROBES))
    return repr(scenario.mechanism), scenario.delta, scales, beside(scenario)[1]


_PROBES = (0.05, 0.5, 5.0)  # at which two laws that are not the same differ


def law_at(scenario: Scenario, epsilon: float) -> Any:
    """The law of noise for a sensitivity of 1 at another ε; None where the mechanism has none."""
    try:
        return scenario.mechanism.law(scenario.target, 1.0, replace(scenario.privacy, epsilon=epsilon))
    except UNREACHABLE:  # as the classical Gaussian from ε = 1 on
        return None


def guesser_at_one(noise: Calibrated[Any], law: Any, numbers: int, epsilon: float) -> Guesser:
    """The best one against the same mechanism under this ε, where the sensitivity is 1: so it is whatever the trials are."""
    guarantee = replace(noise.guarantee, epsilon=epsilon)
    return replace(noise, law=law, guarantee=guarantee, sensitivity=replace(noise.sensitivity, value=1.0)).guesser(numbers)


_KEPT: dict[tuple[Any, ...], FloatArray] = {}
_MOST_KEPT, _LOCK = 128, Lock()


def kept(key: tuple[Any, ...], make: Callable[[], FloatArray]) -> FloatArray:
    """What hangs on a mechanism and the grid of ε alone is made once for all tabs."""
    if (found := _KEPT.get(key)) is None:
        found = make()
        with _LOCK:
            _KEPT[key] = found
            for oldest in list(_KEPT)[:-_MOST_KEPT]:
                del _KEPT[oldest]
    return found
