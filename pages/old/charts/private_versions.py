"""Private versions of a curve or a line: the one without noise, and so many times the noise in each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.old.charts import moving
from pages.old.charts.noise_rules import of_scale_one
from pages.old.charts.responses import SCALES

BAND = (0.5 - SHARE_WITHIN / 2, 0.5 + SHARE_WITHIN / 2)
Simulated = Callable[[Calibrated[Any]], FloatArray]  # heights of so many versions under a noise, (k, p)


@final
@dataclass(frozen=True, eq=False)
class Versions:
    """``base`` (p,), and ``scale`` times ``noise`` (k, p)."""

    base: FloatArray
    scale: Any
    noise: FloatArray

    @classmethod
    def of(cls, base: FloatArray, noise: Calibrated[Any], which: int, away: Simulated | None, private: Simulated) -> Versions:
        """Sized to Δ̂, or to the worst case. ``away``: noise alone, where private versions are that much ``away``; where they are
        not, their noise is what they are away as they are now."""
        if away is None:
            return cls(base, 1.0, private(noise) - base)
        return cls(base, moving.named(SCALES[which], noise.law.scale), away(replace(noise, law=of_scale_one(noise.law))))

    def at(self, noise: FloatArray) -> Any:
        """One that is so far away."""
        return self.base + self.scale * noise

    @property
    def first(self) -> Any:
        """The one that is shown."""
        return self.at(self.noise[0])

    @property
    def ends(self) -> tuple[FloatArray, FloatArray]:
        """Noise that 95 in 100 lie between, at each point."""
        low, high = np.quantile(self.noise, BAND, axis=0)
        return low, high
