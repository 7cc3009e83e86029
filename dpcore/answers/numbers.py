"""Numbers, each with a label, in one unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.rounded import ShownNumber, beside, first_of, in_full, itself
from dpcore.base.types import FloatArray
from dpcore.result_types.kind import KindOfAnswer

SHARE = "share"  # the unit of shares of all records
_MOST_LABEL = 40  # characters
_COUNTED = ("rows", "people", "records")  # the last in files of earlier versions
_POSSIBLE = {SHARE: (0.0, 1.0)} | dict.fromkeys(_COUNTED, (0.0, np.inf))


@final
@dataclass(frozen=True, slots=True)
class Numbers(KindOfAnswer):
    """``labels``: one a number. ``unit``: empty where there is none that all share. ``bars``: whether they are parts of one
    whole, and drawn as bars. ``amount``: whether they are amounts, as counts and sums are, of which 0 is none."""

    labels: tuple[str, ...] = field()
    unit: str = ""
    bars: bool = False
    amount: bool = False

    @property
    def after(self) -> str:
        """The unit as it stands behind a number; nothing for a share."""
        return f" {self.unit}" if self.unit and self.unit != SHARE else ""

    @property
    def from_zero(self) -> bool:
        """Whether 0 is nothing of what is answered, so that bars may stand for it."""
        return self.bars or self.amount or self.unit == SHARE

    def names(self, size: int) -> tuple[str, ...]:
        """A label for each of so many numbers: its own, else their places, as of a target that does not say what it answers."""
        return self.labels if len(self.labels) == size else tuple(f"number {place}" for place in range(1, size + 1))

    def brief(self, response: FloatArray, /) -> str:
        """The first numbers of a response."""
        return first_of(map(in_full, response), response.size)

    def parts(self, response: FloatArray, /) -> tuple[tuple[str, str], ...]:
        """Each label with its number in its unit; beside a share that the noise drove out of [0, 1], and a count below 0, the
        nearest one that there is."""
        return tuple(zip(self.names(response.size), self.rounded(response, (0.0,) * response.size), strict=True))

    def rounded(self, response: FloatArray, near: tuple[float, ...], /) -> tuple[str, ...]:
        """The numbers alone, each rounded to its ±; in full where that is 0."""
        low, high = _POSSIBLE.get(self.unit, (-np.inf, np.inf))
        return tuple(
            beside(value, min(max(value, low), high), self.after, one) for value, one in zip(response, near, strict=True)
        )

    def values(self, response: FloatArray, /) -> FloatArray:
        """The numbers that a chart shows of it."""
        return response

    def shown(self, response: FloatArray, /) -> tuple[ShownNumber, ...]:
        """Each number by itself."""
        named = zip(self.names(response.size), response, strict=True)
        return tuple(ShownNumber(name=name, after=self.after, noisy=np.array([value]), of=itself) for name, value in named)

    def plain(self, response: FloatArray, /) -> dict[str, float]:
        """As JSON: a number a label."""
        return dict(zip(self.names(response.size), response.tolist(), strict=True))


def label_of(columns: Iterable[Column]) -> tuple[str, ...]:
    """The columns' labels, their names where they have none."""
    return tuple(column.label or column.name for column in columns)


def shared_unit(columns: Iterable[Column]) -> str:
    """The columns' unit; empty where they have several."""
    units = {column.unit for column in columns}
    return units.pop() if len(units) == 1 else ""


def squared(unit: str) -> str:
    """The square of a unit."""
    return f"({unit})²" if any(mark in unit for mark in " /·²³") else f"{unit}²" if unit else ""


def short(candidates: Iterable[object]) -> tuple[str, ...]:
    """Candidates for people, shortened where they are long."""
    return tuple(map(label, candidates))


def label(candidate: object) -> str:
    """A candidate for people, shortened where it is long."""
    text = f"{candidate:g}" if isinstance(candidate, float) else str(candidate)
    return text if len(text) <= _MOST_LABEL else f"{text[: _MOST_LABEL - 1]}…"
