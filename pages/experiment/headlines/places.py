"""Several places, each on a scale of its own: how far each lies from the blocks' median, and all of them at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

from dpcore.answers.place import Place
from dpcore.answers.places import Places
from dpcore.mechanisms.base import Calibrated
from pages.experiment.headlines.base import MeasuredHeadline
from pages.experiment.headlines.grouped import GroupedHeadline, of_each
from pages.experiment.headlines.place import PlaceHeadline


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class PlacesHeadline(GroupedHeadline):
    """One headline a number, each of a place on that number's scale."""

    answer: Places

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …, from the nearest to the furthest."""
        return f"95 times in 100 each number, taken alone, lies within {self.short_reach(noise)} of the blocks' median"

    @cached_property
    def each(self) -> tuple[MeasuredHeadline, ...]:
        """The headline of every number."""
        common: dict[str, Any] = {
            "scenario": self.scenario,
            "columns": self.columns,
            "noise": of_each(self.noise),
            "worst": None if self.worst is None else of_each(self.worst),
            "asked": self.asked,
        }
        scales = self.answer.scales or ((0.0, 1.0),) * len(self.answer.groups)
        parts = zip(self.answer.groups, scales, self.answer.split(self.exact.value), strict=True)
        return tuple(
            PlaceHeadline(
                **common,
                answer=Place((name,), self.answer.unit, ranked=False),
                exact=replace(self.exact, value=scores),
                scale=scale,
            )
            for name, scale, scores in parts
        )
