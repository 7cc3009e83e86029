"""Whether the noise of a list is of a size that hides each of its answers; trials of all together do not say so of one that
hardly any of them moves."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.types import Oracle, Target, asked_together
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.workbench import cost
from dpcore.workbench.listed.distances import Sampled, Widths, measured
from dpcore.workbench.scenario import Scenario

_LEAST = 0.5  # of what a record moves such an answer by
_SECONDS = 5.0  # of trials that are made for this alone
_FINEST = 1024 * 2.0**-52  # of a number: noise that is finer is refused by a release (mechanisms.noise)


def needed(size: Sampled, parts: tuple[Target, ...], n: int) -> tuple[float, ...]:
    """The least that a question's width times Δ̂ has to be, in its own unit; 0 where Δ̂ of all covers it in any case.

    Of a question that is not moved by as many pairs as Δ̂ stands for, its own Δ̂ would be zero, and its answer alone would not be
    released (mathematics, section 11). Beside others it is, where its noise is sized at half its own worst case or more, or,
    where none is proved, at half the largest of its distances: a pair that moves it then loses at most 2ε by it, though nothing
    is promised of pairs that γ leaves out.
    """
    distances = np.sort(size.distances, axis=0)
    own, largest = distances[size.point.k - 1], distances[-1]
    found = []
    for place, part in enumerate(parts):
        if own[place] > 1e-12 * largest[place]:
            found.append(0.0)
            continue
        known = getattr(part, "global_sensitivity", None)
        try:
            proved = None if known is None else known(size.norm, n)
        except DpcoreError:
            proved = None
        found.append(_LEAST * (float(largest[place]) or np.inf if proved is None else float(proved.value)))
    return tuple(found)


def uncovered(size: Sampled, parts: tuple[Target, ...], n: int, widths: Widths) -> dict[int, float]:
    """The places of the questions whose noise is too small for that, and what their width times Δ̂ would have to be."""
    scale = size.of(widths)
    least = needed(size, parts, n)
    return {place: one for place, one in enumerate(least) if widths[place] * scale < one * (1 - 1e-9)}


def swallowed(parts: tuple[Target, ...], n: int, widths: Widths, scale: float) -> tuple[int, ...]:
    """The places of the questions whose answers, over their widths, can be so large that floats are coarser than noise of this
    scale: a release would fail, and be charged."""
    found = []
    for place, (part, width) in enumerate(zip(parts, widths, strict=True)):
        sizes = part.largest(n) if hasattr(part, "largest") else ()
        if sizes and not max(sizes) / width * _FINEST * len(sizes) * len(parts) <= scale:
            found.append(place)
    return tuple(found)


def refused(scenario: Scenario, oracle: Oracle) -> tuple[int, ...]:
    """The places of the questions of a list whose noise is too small, by trials of the scenario's own seed; none where these
    would take long."""
    parts = asked_together(scenario.target)
    asked: Any = scenario.target
    widths: Widths = asked.widths
    seconds = len(parts) * cost.seconds(scenario.target, scenario.n, 1, oracle, scenario.adjacency)
    m = int(min(scenario.m, _SECONDS / seconds))
    try:
        point = OperatingPoint.for_both(max(m, 1), scenario.gamma, bound=scenario.bound, confidence=scenario.confidence)
    except DpcoreError:
        return ()
    size = Sampled(measured(scenario, oracle, m=m), scenario.norm, point)
    scale = size.of(widths) / scenario.epsilon
    return tuple(uncovered(size, parts, scenario.n, widths)) or swallowed(parts, scenario.n, widths, scale)
