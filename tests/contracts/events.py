"""The event that tells two samples apart best, and a lower bound of ε from it: nothing is known of the law but its draws."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore.audits.audit import clopper_pearson
from dpcore.base.arrays import FloatArray

CUTS = np.linspace(0.005, 0.995, 41)
ATOMS = 20
Feature = Callable[[FloatArray], FloatArray]


@dataclass(frozen=True)
class Event:
    """{r: low < feature(r) <= high}, or its complement; a single value has low just below it."""

    feature: Feature
    low: float
    high: float

    def share(self, rows: FloatArray) -> int:
        """How many of the rows (size, d) are in it."""
        values = self.feature(rows)
        return int(((values > self.low) & (values <= self.high)).sum())


def least_epsilon(first: FloatArray, second: FloatArray, delta: float, doubt: float) -> float:
    """With probability 1 − ``doubt``, a mechanism with these responses to two neighbours has at least this ε at this δ.

    ε >= log((P(E) − δ)/P'(E)) for every event E. Half of the rows (size, d) choose E in each direction, the other half
    measures it by Clopper–Pearson bounds. 0 where nothing is found.
    """
    half = len(first) // 2
    lower = 0.0
    for p, q in ((first, second), (second, first)):
        event = _best(p[:half], q[:half], delta)
        hits = event.share(p[half:]), event.share(q[half:])
        sizes = len(p) - half, len(q) - half
        least, most = clopper_pearson(hits[0], sizes[0], doubt / 4)[0], clopper_pearson(hits[1], sizes[1], doubt / 4)[1]
        if least > delta:
            lower = max(lower, float(np.log((least - delta) / most)))
    return lower


def _best(p: FloatArray, q: FloatArray, delta: float) -> Event:
    """The event with the largest cautious estimate of (P − δ)/P'."""
    best, found = -np.inf, Event(_column(0), -np.inf, np.inf)
    for feature in _features(p, q):
        x, y = np.sort(feature(p)), np.sort(feature(q))
        for low, high in filter(lambda cut: len(cut[0]), _cuts(x, y)):
            estimate = _cautious(x, y, low, high, delta)
            i = int(np.argmax(estimate))
            if estimate[i] > best:
                best, found = float(estimate[i]), Event(feature, float(low[i]), float(high[i]))
    return found


def _cautious(x: FloatArray, y: FloatArray, low: FloatArray, high: FloatArray, delta: float) -> FloatArray:
    """Five standard errors against us on both sides; x and y are sorted."""
    shares = [(np.searchsorted(v, high, side="right") - np.searchsorted(v, low, side="right")) / len(v) for v in (x, y)]
    p, q = shares
    spread = 5 / np.sqrt(len(x))
    least, most = p - spread * np.sqrt(p * (1 - p)) - delta, q + spread * np.sqrt(q * (1 - q)) + spread**2
    return np.asarray(least / most)


def _cuts(x: FloatArray, y: FloatArray) -> list[tuple[FloatArray, FloatArray]]:
    """Above each cut, up to each cut, and the commonest single values."""
    cuts = np.concatenate([values[(CUTS * len(values)).astype(int)] for values in (x, y)])
    cuts = np.concatenate([cuts, np.nextafter(cuts, -np.inf)])
    endless = np.full(len(cuts), np.inf)
    starts = np.flatnonzero(np.diff(x, prepend=-np.inf))  # x is sorted
    counts = np.diff(starts, append=len(x))
    common = x[starts[np.argsort(-counts, kind="stable")[:ATOMS]]] if counts.max() > 1 else x[:0]
    return [(cuts, endless), (-endless, cuts), (np.nextafter(common, -np.inf), common)]


def _features(p: FloatArray, q: FloatArray) -> list[Feature]:
    """Each number, its place between two whole ones, their sum, their size, and the direction that Fisher's rule picks."""
    both = np.concatenate([p, q])
    spread = np.atleast_2d(np.cov(both.T)) + 1e-12 * np.eye(p.shape[1]) * (1 + both.var())
    direction = np.linalg.lstsq(spread, p.mean(axis=0) - q.mean(axis=0), rcond=None)[0]
    columns = range(min(p.shape[1], 8))
    single = [feature for j in columns for feature in (_column(j), _fraction(j))]
    return [*single, lambda rows: rows.sum(axis=1), lambda rows: np.abs(rows).max(axis=1), lambda rows: rows @ direction]


def _column(j: int) -> Feature:
    return lambda rows: rows[:, j]


def _fraction(j: int) -> Feature:
    return lambda rows: rows[:, j] % 1
