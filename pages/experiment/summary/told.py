"""What may be told of a summary's answer, computed from its noisy numbers alone (mathematics, section 21.3).

Bars are put to 0 or above and made to fit the count of known values, quartiles are read off them in order, a mean stays between
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

QUARTERS = 0.25, 0.5, 0.75
QUARTILES = "Lower quartile", "Median", "Upper quartile"
_DRAWS, _SEED = 4_000, 2017  # of the noise, always the same
_HALF_WIDTH = -math.log1p(-SHARE_WITHIN)  # of Laplace noise, in scales
_FEW = 2  # bars that a quartile can be in, up to which it is read off as it stands
_MOST = 0.5  # of a column's width, or of a count, that a ± may be of what is told


@final
@dataclass(frozen=True, kw_only=True)
class Told:
    """Of one number: its value, and how close 95 in 100 releases lie to the one without noise."""

    value: float
    within: float


@final
@dataclass(frozen=True, kw_only=True)
class Quartile:
    """Its value, and an interval that holds the one without noise in 95 of 100 releases."""

    value: float
    low: float
    high: float


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
    quartiles: tuple[Quartile | None, ...] = (None,) * 3
    edges = np.array(target.edges(place)) if weight else np.empty(0)
    within = _HALF_WIDTH * scale
    if away is not None and known.value >= 1 and max(said) > within:
        parts = target.middles(place)
        value = float((noisy @ _middles(bars, parts) + away / parts) / known.value)
        off = (_off_middles(bars, parts, weight) - value * _off_count(bars, counts)) * scale / known.value
        mean = _mean(value, off, edges)
        quartiles = _quartiles(noisy, whole, scale, edges)
    return ColumnTold(
        column=column,
        labels=target.labels(place),
        edges=tuple(edges.tolist()),
        known=known,
        bars=said,
        within=within,
        mean=mean,
        quartiles=quartiles if weight else (),
    )


def _mean(value: float, off: FloatArray, edges: FloatArray) -> Told | None:
    """From −1 to 1, in the column's own unit; None where its ± is larger than half of the column's width."""
    half = (edges[-1] - edges[0]) / 2
    within = _within(off) * half
    if within > _MOST * 2 * half:
        return None
    return Told(value=float(edges[0] + half * (np.clip(value, -1, 1) + 1)), within=within)


def _quartiles(noisy: FloatArray, whole: FloatArray, scale: float, edges: FloatArray) -> tuple[Quartile | None, ...]:
    found: list[Quartile | None] = []
    values = quantiles(whole, edges)
    before = float(edges[0])
    for q, value in zip(QUARTERS, values, strict=True):
        below, far = _beyond(noisy[None], q)[0], scale * _far(len(noisy), q)  # at each edge
        can_begin, can_end = below <= far, below >= -far
        can_begin[0] = can_end[-1] = True
        places = np.flatnonzero(can_begin[:-1] & can_end[1:])
        low, high = (edges[places[0]], edges[places[-1] + 1]) if len(places) else (value, value)
        if len(places) > _FEW:
            value = _likely(whole, q, far, edges)
        value = before = max(value, before)
        low, high = min(float(low), value), max(float(high), value)
        wide = high - low > _MOST * (edges[-1] - edges[0])
        found.append(None if wide else Quartile(value=value, low=low, high=high))
    return tuple(found)


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


def fitting(noisy: FloatArray, total: float) -> FloatArray:
    """The nearest numbers of 0 or more with this total: (b,) -> (b,)"""
    falling = np.sort(noisy)[::-1]
    over = (np.cumsum(falling) - total) / np.arange(1, len(noisy) + 1)
    kept = int(np.count_nonzero(falling > over))
    return np.asarray(np.maximum(noisy - over[max(kept, 1) - 1], 0.0))


def quantiles(bars: FloatArray, edges: FloatArray) -> tuple[float, ...]:
    """Quartiles of bars, where what lies below grows smoothly through the edges, never falling; in order."""
    from scipy.interpolate import PchipInterpolator

    below = np.concatenate([[0.0], np.cumsum(bars)])
    at = np.linspace(edges[0], edges[-1], 40 * len(bars) + 1)
    smooth = np.maximum.accumulate(PchipInterpolator(edges, below)(at))
    rising = smooth + np.arange(len(at)) * (below[-1] * 1e-12)
    return tuple(float(np.interp(q * below[-1], rising, at)) for q in QUARTERS)


def _beyond(bars: FloatArray, q: float) -> FloatArray:
    """At each edge (1 − q) of what lies below less q of what lies above: (k, b) -> (k, b + 1)"""
    below = np.concatenate([np.zeros((len(bars), 1)), np.cumsum(bars, axis=1)], axis=1)
    return np.asarray(below - q * below[:, -1:])


def _likely(whole: FloatArray, q: float, far: FloatArray, edges: FloatArray) -> float:
    """The mean of all places, each as likely as the noise makes it: where few rows lie about a quartile, it can be anywhere
    among them, and the middle is nearest on average."""
    at = np.linspace(edges[0], edges[-1], 40 * len(whole) + 1)
    off = np.interp(at, edges, _beyond(whole[None], q)[0]) / np.interp(at, edges, far / 2)
    likely = np.exp(-(off**2) / 2)
    return float(at @ likely / likely.sum())


@lru_cache(maxsize=64)
def _noise(bars: int) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Draws of noise of scale 1 on the bars, the sum and the count of a column, the same for each column."""
    drawn = np.random.default_rng(_SEED).laplace(size=(_DRAWS, bars + 2))
    return drawn[:, :bars], drawn[:, bars], drawn[:, bars + 1]


@lru_cache(maxsize=64)
def _off_count(bars: int, counts: float) -> FloatArray:
    """How far draws of noise of scale 1 move a count, which is joined of its own and of the bars' sum."""
    share, (of_bars, _, of_count) = _precision(bars, counts), _noise(bars)
    return np.asarray(share * of_count / counts + (1 - share) * of_bars.sum(axis=1))


@lru_cache(maxsize=64)
def _far_of_count(bars: int, counts: float) -> float:
    return _within(_off_count(bars, counts))


@lru_cache(maxsize=64)
def _off_middles(bars: int, parts: int, weight: float) -> FloatArray:
    """How far the same draws move the sum of all values, from −1 to 1 each."""
    of_bars, of_sum, _ = _noise(bars)
    return np.asarray(of_bars @ _middles(bars, parts) + of_sum / weight / parts)


@lru_cache(maxsize=256)
def _far(bars: int, q: float) -> FloatArray:
    """Within which distance of 0 they leave what ``_beyond`` gives, in 95 of 100 draws: (b + 1,)"""
    return np.asarray(np.quantile(np.abs(_beyond(_noise(bars)[0], q)), SHARE_WITHIN, axis=0))


def _middles(bars: int, parts: int) -> FloatArray:
    """The middles of the bars from −1 to 1, from which the sum is counted; zeros where it is counted from the column's own."""
    return (2 * np.arange(bars) + 1) / bars - 1 if parts == bars else np.zeros(bars)


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
