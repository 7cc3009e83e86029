"""What may be told of a summary's answer, computed from its noisy numbers alone (mathematics, section 21.3).

Bars are put to 0 or above and made to fit the count of known values, quartiles stand in order, a mean stays between
its bounds. Whether something is told is decided from the released numbers and the law of the noise: no table is asked.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted as rows_in_words
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray
from dpcore.mechanisms.response_law import SHARE_WITHIN
from dpcore.targets.table_summary import of_count
from pages.experiment.summary.fitting import fitting, fitting_sum, middles_of
from pages.experiment.summary.noise import noise
from pages.experiment.summary.quartiles import QUARTILES, Quartile, quartiles

_HALF_WIDTH = -math.log1p(-SHARE_WITHIN)  # of Laplace noise, in scales
_MOST = 0.5  # of a column's width, that a mean's ± may be of what is told


@final
@dataclass(frozen=True, kw_only=True)
class Told:
    """Of one number: its value, and how close 95 in 100 releases lie to the one without noise."""

    value: float
    within: float


@final
@dataclass(frozen=True, kw_only=True)
class ColumnTold:
    """Of one column. ``bars``: whole numbers of rows that add up to the count, each ± ``within``; ``shown`` where the largest of
    them is larger than that. ``mean`` and ``quartiles``: None where they are not told, or the column has none."""

    column: Column
    labels: tuple[str, ...]
    edges: tuple[float, ...]
    known: Told
    bars: tuple[int, ...]
    within: float
    mean: Told | None
    quartiles: tuple[Quartile | None, ...]

    @property
    def counted(self) -> bool:
        """Whether the count of known values is told: where its ± is smaller than itself."""
        return self.known.within < self.known.value

    @property
    def shown(self) -> bool:
        """Whether some bar is larger than the ± of each."""
        return max(self.bars) > self.within

    @property
    def untold(self) -> tuple[str, ...]:
        """What is too small to be told, each in a sentence."""
        found = [] if self.counted else ["Known values: ± is larger than the count: not shown."]
        if not self.shown:
            what = "Bars, mean and quartiles" if self.edges else "Bars"
            return (*found, f"{what}: ± is larger than any bar: not shown.")
        if self.edges and self.mean is None:
            found.append("Mean: ± is larger than half of its public width: not shown.")
        names = [name for name, one in zip(QUARTILES, self.quartiles, strict=False) if one is None]
        return (*found, *(f"{name}: its interval is wider than half of the public width: not shown." for name in names))


@final
@dataclass(frozen=True, kw_only=True)
class PairTold:
    """Of two columns: whole numbers of rows, (cells of the first, cells of the second), each ± ``within``."""

    columns: tuple[Column, Column]
    labels: tuple[tuple[str, ...], tuple[str, ...]]
    cells: tuple[tuple[int, ...], ...]
    within: float

    @property
    def shown(self) -> bool:
        """Whether some cell is larger than the ± of each."""
        return max(map(max, self.cells)) > self.within


@final
@dataclass(frozen=True, kw_only=True)
class SummaryTold:
    """All that is told of a summary. ``cap``: how many rows of a person count; None where rows are not people's."""

    columns: tuple[ColumnTold, ...]
    pairs: tuple[PairTold, ...]
    cap: int | None = None

    @property
    def weighed(self) -> str:
        """What a row is where people's rows are weighed; empty where each counts."""
        if self.cap is None:
            return ""
        return f"Rows are weighed here, so that nobody counts for more than {rows_in_words(self.cap, ' rows')}."


def told(target: Any, response: FloatArray, scale: float, records: float) -> SummaryTold:
    """``target``: the summary. ``scale``: of the noise. ``records``: how many rows there are at most, where that is public; else
    infinity."""
    parts = iter(target.answer(target.table).split(np.asarray(response)))
    columns = []
    for place, weight in enumerate(target.weights):
        bars = next(parts)
        away = float(next(parts)[0]) if weight else None
        columns.append(_of_column(target, place, bars, away, float(next(parts)[0]), scale, records))
    pairs = [_of_pair(target, pair, next(parts), columns, scale) for pair in target.pairs]
    return SummaryTold(columns=tuple(columns), pairs=tuple(pairs), cap=None if target.person is None else target.rows)


def _of_column(
    target: Any, place: int, noisy: FloatArray, away: float | None, count: float, scale: float, records: float
) -> ColumnTold:
    column, weight, bars = target.table[place], target.weights[place], len(noisy)
    counts = of_count(weight)
    share = _precision(bars, counts)  # of the count itself, beside the bars' sum
    counted = float(np.clip(share * count + (1 - share) * noisy.sum(), 0, records))
    known = Told(value=counted, within=scale * _far_of_count(bars, counts))
    whole = fitting(noisy, known.value)
    said = _rounded(whole)
    mean: Told | None = None
    found: tuple[Quartile | None, ...] = (None,) * 3
    edges = np.array(target.edges(place)) if weight else np.empty(0)
    within = _HALF_WIDTH * scale
    if away is not None and known.value >= 1 and max(said) > within:
        parts = target.middles(place)
        value = float((noisy @ _middles(bars, parts) + away / parts) / known.value)
        off = (_off_middles(bars, parts, weight) - value * _off_count(bars, counts)) * scale / known.value
        mean = _mean(value, off, edges)
        fitted = fitting_sum(noisy, known.value, away, weight, scale) if parts < bars else whole
        found = quartiles(noisy, count, counts, fitted, scale, edges)
    return ColumnTold(
        column=column,
        labels=target.labels(place),
        edges=tuple(edges.tolist()),
        known=known,
        bars=said,
        within=within,
        mean=mean,
        quartiles=found if weight else (),
    )


def _mean(value: float, off: FloatArray, edges: FloatArray) -> Told | None:
    """From −1 to 1, in the column's own unit; None where its ± is larger than half of the column's width."""
    half = (edges[-1] - edges[0]) / 2
    within = _within(off) * half
    if within > _MOST * 2 * half:
        return None
    return Told(value=float(edges[0] + half * (np.clip(value, -1, 1) + 1)), within=within)


def _of_pair(target: Any, pair: tuple[int, int], noisy: FloatArray, columns: list[ColumnTold], scale: float) -> PairTold:
    first, second = pair
    most = min(columns[first].known.value, columns[second].known.value)
    cells = fitting(noisy, float(np.clip(noisy.sum(), 0, most)))
    whole = np.reshape(_rounded(cells), (target.side(first), target.side(second)))
    return PairTold(
        columns=(target.table[first], target.table[second]),
        labels=(target.labels(first, True), target.labels(second, True)),
        cells=tuple(tuple(map(int, row)) for row in whole),
        within=_HALF_WIDTH * scale,
    )


@lru_cache(maxsize=64)
def _off_count(bars: int, counts: float) -> FloatArray:
    """How far draws of noise of scale 1 move a count, which is joined of its own and of the bars' sum."""
    share, (of_bars, _, of_count) = _precision(bars, counts), noise(bars)
    return np.asarray(share * of_count / counts + (1 - share) * of_bars.sum(axis=1))


@lru_cache(maxsize=64)
def _far_of_count(bars: int, counts: float) -> float:
    return _within(_off_count(bars, counts))


@lru_cache(maxsize=64)
def _off_middles(bars: int, parts: int, weight: float) -> FloatArray:
    """How far the same draws move the sum of all values, from −1 to 1 each."""
    of_bars, of_sum, _ = noise(bars)
    return np.asarray(of_bars @ _middles(bars, parts) + of_sum / weight / parts)


def _middles(bars: int, parts: int) -> FloatArray:
    """The middles of the bars from −1 to 1, from which the sum is counted; zeros where it is counted from the column's own."""
    return middles_of(bars) if parts == bars else np.zeros(bars)


def _precision(bars: int, counts: float) -> float:
    """How much the count weighs beside the sum of the bars, each by one over its variance."""
    return counts**2 / (counts**2 + 1 / bars)


def _within(off: FloatArray) -> float:
    return float(np.quantile(np.abs(off), SHARE_WITHIN))


def _rounded(bars: FloatArray) -> tuple[int, ...]:
    """Whole numbers with the rounded total: the largest remainders are rounded up."""
    whole = np.floor(bars)
    left = round(float(bars.sum())) - int(whole.sum())
    for place in np.argsort(whole - bars, kind="stable")[: max(left, 0)]:
        whole[place] += 1
    return tuple(map(int, whole))
