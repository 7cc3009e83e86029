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
from pages.old.experiment.headlines.base import ALONE, MeasuredHeadline, Row


def joint_share(numbers: int, share: float) -> float:
    """How much of the noise on one number lies where that on all of them lies, that share of the time.

    Their noises are independent, so y with (2·F(y) − 1)^numbers = share (mathematics, section 13).
    """
    return float(share ** (1 / numbers))


def joint_half_width(law: NoiseLaw, numbers: int, share: float) -> float:
    """How far from 0 the noise on all of ``numbers`` entries reaches, that share of the time."""
    return law.half_width(joint_share(numbers, share))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class NumbersHeadline(MeasuredHeadline):
    """One number, or several that each have the same noise. A law that is no ``NoiseLaw`` has a scale alone."""

    moves: ClassVar[str] = "all numbers"
    error_words: ClassVar[str] = "mean error of a number"
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

    def together(self, noise: Calibrated[Any]) -> str:
        """Taken alone, each is within its own reach more often than all of them are."""
        if not self._several or not isinstance(noise.law, NoiseLaw):
            return ""
        size = self.exact.value.size
        reach = counted(figure(joint_half_width(noise.law, size, SHARE_WITHIN)), self.answer.after)
        return f"All {size:,} together lie within ± {reach} 95 times in 100."

    def moved(self, *, once: bool = False) -> str:
        """The answer, or all its numbers in the norm."""
        if self._several:
            return super().moved(once=once)
        return "the answer moved by" + " at most" * (not once)

    def error(self, law: Any) -> float:
        """E|noise| on one number."""
        return law.mean_error if isinstance(law, NoiseLaw) else float(law.scale)

    def rows(self) -> list[Row]:
        """Each number, and how far its private versions lie from it."""
        alone = ALONE if self._several else ""
        widths = self.of_both(lambda noise: map(figure, self.reaches(noise, SHARE_WITHIN).tolist()))
        return [
            {
                "of": label,
                self.exact.name: figure(float(value)),
                f"± sampled, 95 in 100{alone}": near,
                f"± worst case, 95 in 100{alone}": far,
            }
            for label, value, (near, far) in zip(self.labels, self.exact.value, widths, strict=True)
        ]
