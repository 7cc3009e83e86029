"""A principal component: by which angle a private one is off."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.loadings import Loadings
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure, percent
from dpcore.mechanisms.base import Calibrated
from pages.experiment.computable import computable
from pages.old.experiment.headlines.base import SEED, Headline, Row, spread

_RESPONSES, _FOR_ROWS = 200, 1_000  # draws of the noise that an error, and a ±, is read off
_TURNS = (
    "One row can turn a principal component all the way, so noise for the worst case would drown it. Take an oracle whose "
    "columns hang together."
)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class LoadingsHeadline(Headline):
    """Its error is the mean angle, in degrees, between private directions and the one without noise."""

    answer: Loadings
    moves: ClassVar[str] = "the loadings and the share of the variance"
    error_words: ClassVar[str] = "angle to the direction without noise (°)"

    def reach(self, noise: Calibrated[Any]) -> str:
        """The mean angle, and what share of the variance the direction has."""
        share = percent(float(f"{self.own[-1]:.2g}"))
        off = f"a private direction is {self.short_reach(noise)}"
        return f"{off} ({share} of the variance lies along it)"

    def short_reach(self, noise: Calibrated[Any]) -> str:
        """The mean angle."""
        return f"off by about {figure(self.error(noise.law))}°"

    def on_fresh_records(self, noise: Calibrated[Any]) -> str:
        """Why there is no worst case."""
        return _TURNS if self.worst is None else ""

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

    def spread(self, noise: Calibrated[Any]) -> FloatArray:
        """Within which distance of each number 95 in 100 private ones lie: (d+1,)."""
        return spread(self.private(noise.law, _FOR_ROWS, SEED) - self.own)

    def rows(self) -> list[Row]:
        """Each loading and the share, and how far 95 in 100 private ones lie from it."""
        widths = self.of_both(lambda noise: map(figure, self.spread(noise).tolist()))
        return [
            {"of": name, self.exact.name: figure(value), "± of the noise, 95 in 100, sampled": near, "± worst case": far}
            for name, value, (near, far) in zip(self.answer.names, self.own.tolist(), widths, strict=True)
        ]
