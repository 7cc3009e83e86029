"""A mean from a noisy sum and a noisy number: how far it lies from the one without noise, simulated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.workbench.computable import computable
from dpcore.workbench.headlines.base import NO_WORST, SHARE_WITHIN, MeasuredHeadline, Row
from dpcore.workbench.headlines.numbers import moved_together

_SHARES = {"half of them": 0.5, "95 in 100": SHARE_WITHIN, "99 in 100": 0.99}


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class RatioHeadline(MeasuredHeadline):
    """Its ± depends on how many values are known, so on the answer that is shown."""

    moves: ClassVar[str] = "the sum of known values and their number"
    error_words: ClassVar[str] = "mean error"
    of_this_answer: ClassVar[bool] = True

    @property
    def without_noise(self) -> float:
        """The mean of the known values."""
        answer: Any = self.answer
        return float(answer.value(self.exact.value))

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …"""
        return f"95 times in 100 answers lie within {self.short_reach(noise)} of the one without noise"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a distance with its unit."""
        return f"± {self.spans(noise, SHARE_WITHIN)[0]}"

    @property
    def centres(self) -> FloatArray:
        """The mean."""
        return np.array([self.without_noise])

    def reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """By simulated means."""
        answer: Any = self.answer
        return np.array([answer.spread(noise.law, self.exact.value, share)])

    def moved(self, *, once: bool = False) -> str:
        """Both numbers, in the norm."""
        return moved_together(self.moves, self.scenario.norm, once=once)

    @computable
    def error(self, law: Any) -> float:
        """The mean distance of simulated means."""
        answer: Any = self.answer
        return float(answer.errors(law, self.exact.value).mean())

    def rows(self) -> list[Row]:
        """How far so many of the private means lie from the one without noise."""
        return [
            {self.exact.name: counted(figure(self.without_noise), self.answer.after), "private answers": words,
             "± sampled": self.spans(self.noise, share)[0],
             "± worst case": NO_WORST if self.worst is None else self.spans(self.worst, share)[0]}
            for words, share in _SHARES.items()
        ]  # fmt: skip
