"""How far each question moves between the same neighbours, once measured: the sensitivity of all for any widths at no cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np

from dpcore.base.norms import L2, Norm
from dpcore.base.types import FloatArray, Oracle, Target, asked_together
from dpcore.errors import InfiniteSensitivityError, InvalidValueError, ZeroSensitivityError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.sampling.sampler import sample_sensitivity
from dpcore.targets.together import in_shares
from dpcore.workbench.scenario import Scenario

Widths = tuple[float, ...]


class Size(Protocol):
    """How far all questions together move, each counted in its width."""

    def of(self, widths: Widths, /) -> float:
        """The sensitivity that sizes the noise; DpcoreError where there is none."""
        ...

    def without(self, place: int, /) -> Size:
        """Of the other questions."""
        ...


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
    """The worst case of the same questions, whatever their widths."""

    parts: tuple[Target, ...]
    norm: Norm
    n: int
    adjacency: Any

    def of(self, widths: Widths, /) -> float:
        """As it is proved for these widths."""
        asked = in_shares(self.parts, widths)
        found = asked.global_sensitivity(self.norm, self.n, self.adjacency)
        if found is None:
            raise InvalidValueError("worst case", "proved for each of the questions", None)
        return found.value

    def without(self, place: int, /) -> Proved:
        """Of the other questions."""
        return Proved((*self.parts[:place], *self.parts[place + 1 :]), self.norm, self.n, self.adjacency)


def measured(scenario: Scenario, oracle: Oracle, *, m: int) -> FloatArray:
    """How far each question moves between the neighbours of m pairs under the scenario's seed, (m, q), in its own unit.

    Each question is measured by the way that all of them need, so that all are measured on the same pairs: these hang on the
    way, the oracle and the seed alone.
    """
    basket: Any = scenario.target
    at = OperatingPoint.for_sample_size(m)
    samples = [
        sample_sensitivity(
            _Alone(in_shares((part,), (1.0,)), basket.ways),
            oracle,
            norm=scenario.norm,
            n=scenario.n,
            at=at,
            seed=scenario.seed,
            adjacency=scenario.adjacency,
        )
        for part in asked_together(basket)
    ]
    return np.stack([sample.distances for sample in samples], axis=1)


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
