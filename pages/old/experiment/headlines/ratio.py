"""A mean from a noisy sum and a noisy number: how far it lies from the one without noise, simulated."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.ratio import Ratio
from dpcore.base.bounds import Interval
from dpcore.base.counted import counted
from dpcore.base.rounded import TOO_FEW, plus_minus
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import OneNumberHeadline


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class RatioHeadline(OneNumberHeadline):
    """Its ± depends on how many values are known, so on the answer that is shown."""

    answer: Ratio

    @property
    def without_noise(self) -> float:
        """The mean of the known values."""
        return float(self.answer.value(self.exact.value))

    def reach(self, noise: Calibrated[Any]) -> str:
        """95 times in 100 …"""
        if self._between(noise, SHARE_WITHIN)[0] == math.inf:
            return f"at this ε there would be {TOO_FEW}"
        return f"95 times in 100 answers lie within {self.short_reach(noise)} of the one without noise"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """± a distance with its unit; from the least to the largest where that hangs on how many values are known."""
        low, high = self._between(noise, SHARE_WITHIN)
        if high == math.inf:
            return TOO_FEW if low == math.inf else f"{plus_minus(low, self.answer.after)} or more"
        least = f"± {figure(low)} to " * (figure(low) != figure(high))
        return f"{least}± {counted(figure(high), self.answer.after)}"

    def reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """By simulated means; where the number of known values is not public, the largest that is foretold, and no larger than
        the bounds are wide."""
        return np.array([min(self._between(noise, share)[1], self._width)])

    def least_reaches(self, noise: Calibrated[Any], share: float) -> FloatArray:
        """The least that is foretold."""
        return np.array([min(self._between(noise, share)[0], self._width)])

    @property
    def _width(self) -> float:
        return float(self.answer.bounds[1] - self.answer.bounds[0])

    def _between(self, noise: Calibrated[Any], share: float) -> Interval:
        """The least ± and the largest; infinite where too few values may be known to tell."""
        may_be = self.foretold
        if may_be is None:
            found = float(self.answer.spread(noise.law, self.exact.value, share))
            return found, found
        return self.answer.foretold(noise.law, self.exact.value, share, least=may_be.least, most=may_be.most)

    @computable
    def error(self, law: Any) -> float:
        """The mean distance of simulated means."""
        return float(self.answer.errors(law, self.exact.value).mean())
