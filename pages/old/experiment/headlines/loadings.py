"""A principal component: by which angle a private one is off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.loadings import Loadings
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline

_RESPONSES = 200  # draws of the noise that an error is read off


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class LoadingsHeadline(Headline):
    """Its error is the mean angle, in degrees, between private directions and the one without noise."""

    answer: Loadings

    def reach(self, noise: Calibrated[Any]) -> str:
        """The mean angle, and what share of the variance the direction has."""
        share = percent(float(f"{self.own[-1]:.2g}"))
        off = f"a private direction is {self.short_reach(noise)}"
        return f"{off} ({share} of the variance lies along it)"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """The mean angle."""
        return f"off by about {figure(self.error(noise.law))}°"

    @property
    def own(self) -> FloatArray:
        """The loadings and the share without noise, (d+1,)."""
        return self.exact.value

    def private(self, law: Any, size: int, seed: Any) -> FloatArray:
        """So many simulated private ones: (size, d+1)."""
        return self.answer.of(self.simulated(law, size, seed))

    @computable
    def error(self, law: Any) -> float:
        """Over 200 simulated directions, the same noise at each ε."""
        cosines = self.private(law, _RESPONSES, SEED)[:, :-1] @ self.own[:-1]
        return float(np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0))).mean())
