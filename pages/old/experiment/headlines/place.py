"""A place on a scale: how far a private one lies from the one without noise, in the column's unit and in ranks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from dpcore.answers.choice import choosing
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import OneNumberHeadline


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class PlaceHeadline(OneNumberHeadline):
    """Of a target that scores the places of a scale; where the answer is ``ranked``, −score is how many records lie between a
    place and the one asked for."""

    @cached_property
    def places(self) -> FloatArray:
        """The candidates, rising."""
        target: Any = self.scenario.target
        return np.array(target.candidates, dtype=np.float64)

    @cached_property
    def without_noise(self) -> float:
        """The middle of the places with the largest score."""
        best = self.places[self.exact.value == self.exact.value.max()]
        return float(best[0] + (best[-1] - best[0]) / 2)

    @cached_property
    def _chances_by_scale(self) -> dict[float, FloatArray]:
        return {}

    def chances(self, law: Any) -> FloatArray:
        """P(place), computed once for each scale, up to its rounding: the same mechanism chooses under all of them."""
        scale = float(f"{law.scale:.9g}")
        if scale not in self._chances_by_scale:
            self._chances_by_scale[scale] = choosing(law).probabilities(self.exact.value)
        return self._chances_by_scale[scale]

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100, in the column's unit and in ranks."""
        ranks = self.ranks_within(noise, SHARE_WITHIN)
        also = "" if ranks is None else f" and ± {counted(figure(ranks), ' ranks')}"
        middle = "the one without noise" if facts(self.scenario.target).scores_of is None else "the blocks' median"
        return f"95 times in 100 answers lie within {self.short_reach(noise)}{also} of {middle}"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a distance with its unit."""
        near = float(self.reaches(noise, SHARE_WITHIN)[0])
        return counted(f"± {figure(near)}", self.answer.after) + everyday(near, self.answer.after)

    def reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """The least distance within which that share of the places lies."""
        return np.array([self._within(self.distances, noise.law, share)])

    def ranks_within(self, noise: Calibrated[Any], share: float) -> float | None:
        """The least number of records, likewise; None where scores do not count them."""
        return self._within(self.ranks, noise.law, share) if facts(self.answer).ranked else None

    @computable
    def error(self, law: Any) -> float:
        """E|place − the one without noise|."""
        return float((self.chances(law) * self.distances).sum())  # a product of vectors would wait for threads of BLAS

    @cached_property
    def distances(self) -> FloatArray:
        """How far each place lies from the one without noise."""
        return np.abs(self.places - self.without_noise)

    @property
    def ranks(self) -> FloatArray:
        """How many records lie between each place and the one asked for."""
        return -self.exact.value

    def _within(self, distances: FloatArray, law: Any, share: float) -> float:
        """The least distance within which that share of the responses lies."""
        order = np.argsort(distances)
        covered = np.cumsum(self.chances(law)[order])
        return float(distances[order[min(int(np.searchsorted(covered, share)), len(order) - 1)]])
