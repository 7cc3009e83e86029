"""How far off a summary of a table is, against one release a question: the app's own, and as dp-wizard asks them of OpenDP."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from dpcore.base import row_weights
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray
from pages.experiment import preview
from pages.experiment.summary import plan
from pages.experiment.summary.quartiles import QUARTERS
from pages.experiment.summary.told import SummaryTold, told
from pages.files.tables import read_catalog

TITLE = "A summary of a table"
NOTE = (
    "ε = 1, 6,000 columns of releases a table. *Plain*: one release a question, with Laplace noise or by the exponential "
    "mechanism, at ε over the number of questions: count, mean, three quartiles and bars of a column of numbers, count and bars "
    "of another. *dp-wizard's way*: the same split as OpenDP's context does it where a row is added or removed, sums uncentred, "
    "quartiles picked among the edges of the bars; its ε is about other neighbours, of which a replaced row is two. The errors "
    "are root mean squares over the public width of a column, or over the number of rows; a number is the summary's over the "
    "other's. A number that is not shown counts as the middle. No column says publicly that nothing is missing. Times to default "
    "are declared from 0 to 10; clinic visits are those of people who count for 3 rows each. Half is missed for the quartiles of "
    "two classes, whose medians lie between two heaps, and of visits, whose minutes are whole, which nobody declared: for half "
    "of its own error the plain way would need 7 times its ε on the one; on the other it has at least .66 of it at any ε."
)
HEADER = ("table, against", "wanted", "count", "mean", "quartiles", "bars")
TABLES = "diabetes", "breast_cancer", "two_classes", "loan_defaults", "visits"
_KINDS = "count", "mean", "quartiles", "bars"
_COLUMNS, _GRID, _EPSILON = 6_000, 2_001, 1.0  # the first of all releases of a table together
Errors = dict[str, list[float]]


def rows() -> Iterator[tuple[str, ...]]:
    """(table and way, wanted, the ratio of each kind)."""
    for name in TABLES:
        ours, plain, wizard = errors(name, _COLUMNS)
        yield (f"{name}, plain", "≤ 0.5", *(f"{ours[kind] / plain[kind]:.2f}" for kind in _KINDS))
        yield (f"{name}, dp-wizard's way", "shown", *(f"{ours[kind] / wizard[kind]:.2f}" for kind in _KINDS))


def errors(name: str, released: int) -> tuple[dict[str, float], dict[str, float], dict[str, float]]:
    """The root mean squares of each kind, of the summary, the plain way and dp-wizard's, on a table of ours: over so many columns
    that are released, in all releases together."""
    table = read_catalog(Path(__file__).parents[2] / "data")[name]
    if name == "loan_defaults":
        table = table.declared(replace(table.columns[0], bounds=(0.0, 10.0)))
    scenario = plan.asking(table, plan.offered(table).columns, _EPSILON)
    target: Any = scenario.target
    database = table.prepare(scenario.columns, target).database
    weigh = np.ones(len(database))
    if target.person is not None:
        weigh = row_weights.weights(database[target.person], np.zeros(len(database), dtype=np.int64), target.rows)
    columns = [_Column.of(target, place, database, weigh) for place in range(len(target.table))]
    calibrated = preview.calibrated_worst_case(scenario)
    assert calibrated is not None
    raw, rng = target(database), np.random.default_rng(1)
    releases = released // len(columns)
    ours: Errors = {kind: [] for kind in _KINDS}
    for response in calibrated.law.simulate(raw, size=releases, rng=rng):
        _add(ours, columns, told(target, response, calibrated.law.scale, scenario.n * target.rows))
    questions = sum(6 if column.column.categories is None else 2 for column in columns)
    found = [_root(ours)]
    for way in (_plain, _wizard):
        asked: Errors = {kind: [] for kind in _KINDS}
        for column in columns:
            way(column, asked, questions * target.rows / _EPSILON, releases, rng, scenario.n * target.rows)
        found.append(_root(asked))
    return found[0], found[1], found[2]


@dataclass(frozen=True, eq=False)
class _Column:
    """``values``: as shares of the public width; of categories none. ``bars``: what each holds."""

    column: Column
    values: FloatArray
    weigh: FloatArray
    bars: FloatArray
    edges: FloatArray

    @classmethod
    def of(cls, target: Any, place: int, database: Any, weigh: FloatArray) -> _Column:
        column: Column = target.table[place]
        at, _ = target.placed(place, database)
        bars = np.bincount(at, weights=weigh, minlength=target.bars[place])
        if column.categories is not None:
            return cls(column, np.empty(0), weigh, bars, np.empty(0))
        low, high = column.bounds or (0.0, 1.0)
        values = np.clip((database[column.name] - low) / (high - low), 0, 1)
        return cls(column, values, weigh, bars, np.linspace(0, 1, target.bars[place] + 1))

    @property
    def rows(self) -> float:
        return float(self.weigh.sum())

    @property
    def mean(self) -> float:
        return float(self.values @ self.weigh / self.rows)

    def below(self, places: FloatArray) -> FloatArray:
        """How many rows are not above each place."""
        order = np.argsort(self.values)
        sums = np.concatenate([[0.0], np.cumsum(self.weigh[order])])
        return np.asarray(sums[np.searchsorted(self.values[order], places, side="right")])

    @property
    def quartiles(self) -> list[float]:
        order = np.argsort(self.values)
        sums = np.cumsum(self.weigh[order])
        return [float(self.values[order][np.searchsorted(sums, q * sums[-1] - 1e-9)]) for q in QUARTERS]


def _root(found: Errors) -> dict[str, float]:
    return {kind: math.sqrt(float(np.mean(np.square(some)))) for kind, some in found.items()}


def _add(found: Errors, columns: list[_Column], said: SummaryTold) -> None:
    """What is told of a release; a number that is not shown has its middle, for nothing better is known."""
    for true, one in zip(columns, said.columns, strict=True):
        found["count"].append((one.known.value - true.rows) / true.rows)
        found["bars"] += ((np.array(one.bars) - true.bars) / true.rows).tolist()
        if len(true.values):
            low, high = true.column.bounds or (0.0, 1.0)
            means = 0.5 if one.mean is None else (one.mean.value - low) / (high - low)
            found["mean"].append(means - true.mean)
            for q, quartile, truth in zip(QUARTERS, one.quartiles, true.quartiles, strict=True):
                value = q if quartile is None else (quartile.value - low) / (high - low)
                found["quartiles"].append(value - truth)


def _plain(true: _Column, found: Errors, scale: float, size: int, rng: np.random.Generator, most: int) -> None:
    """Each question by the app's own proved release: a count moves by 1, bars by 2, a centred sum and its number by 2 together,
    and a quantile's scores by 2 against one another."""
    n = true.rows
    found["count"] += ((np.clip(n + rng.laplace(0, scale, size), 0, most) - n) / n).tolist()
    noisy = np.clip(true.bars + rng.laplace(0, 2 * scale, (size, len(true.bars))), 0, most)
    found["bars"] += ((noisy - true.bars) / n).ravel().tolist()
    if not len(true.values):
        return
    sums = (2 * true.mean - 1) * n + rng.laplace(0, 2 * scale, size)
    counts = np.maximum(n + rng.laplace(0, 2 * scale, size), 1)
    found["mean"] += (np.clip((sums / counts + 1) / 2, 0, 1) - true.mean).tolist()
    _picked(true, found, np.linspace(0, 1, _GRID), [2 * scale] * 3, size, rng)


def _wizard(true: _Column, found: Errors, scale: float, size: int, rng: np.random.Generator, most: int) -> None:
    """As OpenDP has them where a row is added or removed: a count and bars move by 1; a mean is a sum, which moves by its largest
    value, and a number, each with half of its ε; a quantile is picked with 2·max(q, 1 − q)."""
    n = true.rows
    found["count"] += ((np.clip(n + rng.laplace(0, scale, size), 0, most) - n) / n).tolist()
    noisy = np.clip(true.bars + rng.laplace(0, scale, (size, len(true.bars))), 0, most)
    found["bars"] += ((noisy - true.bars) / n).ravel().tolist()
    if not len(true.values):
        return
    low, high = true.column.bounds or (0.0, 1.0)
    of_value = max(abs(low), abs(high)) / (high - low)
    sums = (low / (high - low) + true.mean) * n + rng.laplace(0, 2 * scale * of_value, size)
    counts = np.maximum(n + rng.laplace(0, 2 * scale, size), 1)
    found["mean"] += (np.clip(sums / counts - low / (high - low), 0, 1) - true.mean).tolist()
    _picked(true, found, true.edges, [2 * max(q, 1 - q) * scale for q in QUARTERS], size, rng)


def _picked(true: _Column, found: Errors, grid: FloatArray, scales: list[float], size: int, rng: np.random.Generator) -> None:
    below = true.below(grid)
    for q, scale, truth in zip(QUARTERS, scales, true.quartiles, strict=True):
        weights = np.exp(-np.abs(below - q * true.rows) / scale)
        found["quartiles"] += (rng.choice(grid, size, p=weights / weights.sum()) - truth).tolist()
