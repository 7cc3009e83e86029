"""A place on a column's own scale, picked by its score: a median or another quantile."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.rounded import in_full
from dpcore.base.types import FloatArray
from dpcore.result_types.kind import KindOfAnswer


@final
@dataclass(frozen=True, slots=True)
class Place(KindOfAnswer):
    """``labels``: the one name of what is asked. ``unit``: of the scale, and not of the scores, which count records.
    ``ranked``: whether a score tells how many records lie between a place and the one asked for."""

    labels: tuple[str, ...] = field()
    unit: str = ""
    ranked: bool = True
    moved_after: ClassVar[str] = ""  # what moves between neighbours is a score
    picked: ClassVar[bool] = True  # so a mechanism that chooses leaves it as it is

    def values(self, response: float, /) -> FloatArray:
        """The number that a chart shows of it."""
        return np.array([response], dtype=np.float64)

    def brief(self, response: float, /) -> str:
        """The place."""
        return in_full(response)

    def parts(self, response: float, /) -> tuple[tuple[str, str], ...]:
        """What was asked, and the place with its unit."""
        return ((self.labels[0], counted(in_full(response), self.after)),)

    def plain(self, response: float, /) -> dict[str, float]:
        """As JSON: the place under what was asked."""
        return {self.labels[0]: float(response)}
