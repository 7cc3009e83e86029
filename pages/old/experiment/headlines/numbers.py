"""Numbers: how far each lies from the one without noise, and all together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.numbers import Numbers
from dpcore.base.counted import counted
from dpcore.base.everyday import everyday
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.old.experiment.headlines.base import MeasuredHeadline


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class NumbersHeadline(MeasuredHeadline):
    """One number, or several that each have the same noise. A law that is no ``NoiseLaw`` has a scale alone."""

    of_this_answer: ClassVar[bool] = False

    @property
    def _several(self) -> bool:
        return self.exact.value.size > 1

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each number."""
        return Numbers(self.answer.labels).names(self.exact.value.size)

    @property
    def centres(self) -> FloatArray:
        """The numbers themselves."""
        return self.exact.value

    def reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """The same for each."""
        law = noise.law
        return np.full(self.exact.value.size, law.half_width(share) if isinstance(law, NoiseLaw) else law.scale)

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …"""
        reach = self.short_reach(noise)
        if not reach:
            return f"noise of scale {figure(noise.law.scale)} on each number"
        which = "each number, taken alone, lies" if self._several else "answers lie"
        return f"95 times in 100 {which} within {reach} of the one without noise"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a number with its unit."""
        law, after = noise.law, self.answer.after
        if not isinstance(law, NoiseLaw):
            return ""
        near = law.half_width(SHARE_WITHIN)
        return counted(f"± {figure(near)}", after) + everyday(near, after)

    def error(self, law: Any) -> float:
        """E|noise| on one number."""
        return law.mean_error if isinstance(law, NoiseLaw) else float(law.scale)
