"""How far each question moves between the same neighbours, once measured: the sensitivity of all for any widths at no cost."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.norms import L2, Norm
from dpcore.base.types import FloatArray, Oracle, Target, asked_together
from dpcore.errors import DpcoreError, InfiniteSensitivityError, InvalidValueError, ZeroSensitivityError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.sampling.sampler import sample_sensitivity
from dpcore.sampling.ways import choose
from dpcore.targets.proved import joined, largest_in_shares
from dpcore.targets.together import in_shares
from pages.experiment import cost, preview
from pages.experiment.scenario import Scenario

Widths = tuple[float, ...]


# How far all questions together move, each counted in its width: the sensitivity that sizes the noise, or DpcoreError.


@final
@dataclass(frozen=True, eq=False)
class Sampled:
    """``distances``: of each pair and question, in the question's own unit, (m, q); +∞ where it failed."""

    distances: FloatArray
    norm: Norm
    point: OperatingPoint

    def together(self, widths: Widths) -> FloatArray:
        """H of each pair: Σ ‖f_i − f_i'‖/b_i in L1, the root of the sum of their squares in L2 (mathematics, section 19.1)."""
        shares = self.distances / np.asarray(widths)
        return np.asarray(np.sqrt((shares**2).sum(axis=1)) if self.norm == L2 else shares.sum(axis=1))

    def of(self, widths: Widths, /) -> float:
        """The order statistic of H at the point."""
        found = float(np.sort(self.together(widths))[self.point.k - 1])
        if np.isinf(found):
            raise InfiniteSensitivityError(self.failed, len(self.distances), self.point.k, self.reasons)
        if found == 0:
            raise ZeroSensitivityError(found, 0.0)
        return found

    def without(self, place: int, /) -> Sampled:
        """Of the other questions, on the same pairs."""
        return Sampled(np.delete(self.distances, place, axis=1), self.norm, self.point)

    @property
    def failed(self) -> int:
        """How many pairs some question failed on."""
        return int(np.isinf(self.distances).any(axis=1).sum())

    @property
    def reasons(self) -> dict[str, int]:
        """How many pairs each question failed on, of those that failed."""
        counts = np.isinf(self.distances).sum(axis=0).tolist()
        return {f"question {place}": count for place, count in enumerate(counts, 1) if count}


@final
@dataclass(frozen=True, eq=False)
class Proved:
    """The worst case of the same questions, whatever their widths: what each has proved is worked out once."""

    parts: tuple[Once, ...]
    norm: Norm
    n: int
    adjacency: Any

    def of(self, widths: Widths, /) -> float:
        """As it is proved for these widths."""
        found = joined(_InShares(self.parts, widths), self.norm, self.n, self.adjacency)
        if found is None:
            raise InvalidValueError("worst case", "proved for each of the questions", None)
        return found[0]

    def without(self, place: int, /) -> Proved:
        """Of the other questions."""
        return Proved((*self.parts[:place], *self.parts[place + 1 :]), self.norm, self.n, self.adjacency)


def proved(parts: tuple[Target, ...], norm: Norm, n: int, adjacency: Any) -> Proved:
    """That of these questions."""
    return Proved(tuple(map(Once, parts)), norm, n, adjacency)


@final
class Once:
    """What a question has proved of itself, of which the same is asked for all widths."""

    def __init__(self, part: Target) -> None:
        said = facts(part)
        self.where, self.regardless_of_n = said.where, said.regardless_of_n
        self.global_sensitivity, self.lost, self.largest = (
            None if one is None else cache(one) for one in (said.global_sensitivity, said.lost, said.largest)
        )


@final
@dataclass(frozen=True, slots=True)
class _InShares:
    """Questions together, as their worst case is joined; a release asks them as a ``Together``, which checks them."""

    parts: tuple[Once, ...]
    widths: Widths

    @property
    def largest(self) -> Callable[[int], tuple[float, ...]] | None:
        """As a ``Together`` has it."""
        if any(part.largest is None for part in self.parts):
            return None
        return lambda n: largest_in_shares(self.parts, self.widths, n)


Size = Sampled | Proved


def measured(scenario: Scenario, oracle: Oracle, *, m: int) -> FloatArray:
    """How far each question moves between the neighbours of m pairs under the scenario's seed, (m, q), in its own unit."""
    return np.stack([measured_alone(part, scenario, oracle, m=m) for part in asked_together(scenario.target)], axis=1)


def measured_alone(part: Target, scenario: Scenario, oracle: Oracle, *, m: int) -> FloatArray:
    """How far one of the scenario's questions moves, (m,).

    It is measured by the way that all of them need, so that all are measured on the same pairs: these hang on the way, the
    oracle and the seed alone.
    """
    basket: Any = scenario.target
    return sample_sensitivity(
        _Alone(in_shares((part,), (1.0,)), basket.ways),
        oracle,
        norm=scenario.norm,
        n=scenario.n,
        at=OperatingPoint.for_sample_size(m),
        seed=scenario.seed,
        adjacency=scenario.adjacency,
    ).distances


@dataclass(frozen=True, slots=True)
class _Alone:
    """One question, which offers only the ways that all of a list have."""

    question: Any
    ways: tuple[str, ...]

    def __getattr__(self, name: str) -> Any:
        return getattr(self.question, name)

    def __call__(self, database: Any, /) -> FloatArray:
        answer: FloatArray = self.question(database)
        return answer


# Whether the noise of a list is of a size that hides each of its answers; trials of all together do not say so of one that
# hardly any of them moves.


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
        known = facts(part).global_sensitivity
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
        known = facts(part).largest
        sizes = () if known is None else known(n)
        if sizes and not max(sizes) / width * _FINEST * len(sizes) * len(parts) <= scale:
            found.append(place)
    return tuple(found)


def refused(scenario: Scenario, oracle: Oracle) -> tuple[int, ...]:
    """The places of the questions of a list whose noise is too small, by trials of the scenario's own seed; none where these
    would take long."""
    parts = asked_together(scenario.target)
    asked: Any = scenario.target
    widths: Widths = asked.widths
    seconds = len(parts) * cost.a_draw(scenario, oracle)
    m = int(min(scenario.m, _SECONDS / seconds))
    try:
        point = OperatingPoint.for_both(max(m, 1), scenario.gamma, bound=scenario.bound, confidence=scenario.confidence)
    except DpcoreError:
        return ()
    size = Sampled(measured(scenario, oracle, m=m), scenario.norm, point)
    scale = size.of(widths) / scenario.epsilon
    return tuple(uncovered(size, parts, scenario.n, widths)) or swallowed(parts, scenario.n, widths, scale)


# The width that a question begins with in a list: how far it moves by itself.


_SHARE, _MOST, _SECONDS_OF_ONE = 0.95, 199, 0.3


def own_width(scenario: Scenario, oracle: Oracle) -> float:
    """Of a list of this one question, to two digits: its worst case where it adds up records and that is proved, else how far
    most pairs of the oracle move it. Both are public, as a width must be.

    With these widths no question has more of the noise than another because of the unit that it is in.
    """
    proved = preview.worst_case(scenario)
    if proved is not None and choose(scenario.target, oracle, scenario.n, scenario.adjacency).exact:
        return _short(proved.value)
    seconds = cost.a_draw(scenario, oracle)
    m = int(min(_MOST, _SECONDS_OF_ONE / seconds))
    if m >= 10:
        distances = measured(scenario, oracle, m=m)[:, 0]
        usual = float(np.quantile(distances, _SHARE, method="inverted_cdf"))
        if 0 < usual < math.inf:
            return _short(usual)
    return 1.0 if proved is None else _short(proved.value)


def _short(value: float) -> float:
    return float(f"{value:.2g}")
