"""Tables of people, and what a cap leaves of them in plain loops: a second way to what the page People predicts."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.people import CODE, PERSON

EPSILON = 0.1  # at which noise and dropped rows weigh alike in these tables
Floats = NDArray[np.float64]
Bounds = tuple[float, float]


@dataclass(frozen=True)
class Table:
    """Rows of people: ``person`` and ``value`` of each, the person's beside one another."""

    person: list[int]
    value: list[float]

    @property
    def field(self) -> NDArray[Any]:
        """The people as the library takes them."""
        field = np.zeros(len(self.person), dtype=PERSON)
        field[CODE] = self.person
        return field


def uniform(people: int = 1_000) -> Table:
    """1 to 20 rows a person, values from 0 to 100."""
    rng = np.random.default_rng(1)
    rows = rng.integers(1, 21, people)
    return _table(rows, rng.uniform(0, 100, rows.sum()))


def heavy_tailed(people: int = 1_000) -> Table:
    """A Pareto number of rows a person, up to 1,000, and values with a long tail that are larger for active people."""
    rng = np.random.default_rng(2)
    rows = np.minimum(1_000, np.ceil(rng.pareto(1.2, people) + 1e-9)).astype(int)
    return _table(rows, rng.lognormal(3, 1, rows.sum()) * np.repeat(rows, rows) ** 0.2)


def concentrated(people: int = 1_000) -> Table:
    """One person in a hundred has 300 rows with values near 90; all others have a single one near 20."""
    rng = np.random.default_rng(3)
    rows = np.where(np.arange(people) % 100 == 0, 300, 1)
    return _table(rows, rng.normal(np.where(np.repeat(rows, rows) > 1, 90, 20), 10))


TABLES = {"uniform": uniform, "heavy-tailed": heavy_tailed, "concentrated": concentrated}


def _table(rows: NDArray[Any], values: Floats) -> Table:
    return Table(np.repeat(np.arange(len(rows)), rows).tolist(), values.tolist())


def capped(table: Table, s: int, bounds: Bounds) -> tuple[float, float]:
    """Σ w·clip(v) and Σ w in plain loops, w = min(1, s/N)."""
    number = Counter(table.person)
    total = rows = 0.0
    for person, value in zip(table.person, table.value, strict=True):
        weight = min(1.0, s / number[person])
        total += weight * min(max(value, bounds[0]), bounds[1])
        rows += weight
    return total, rows


def salted(table: Table, s: int, bounds: Bounds, salts: int, rng: np.random.Generator) -> Floats:
    """Σ clip(v) of s rows a person, chosen afresh for each of so many salts, (salts,)."""
    of_person = defaultdict[int, list[float]](list)
    for person, value in zip(table.person, table.value, strict=True):
        of_person[person].append(min(max(value, bounds[0]), bounds[1]))
    totals = np.zeros(salts)
    for values in of_person.values():
        if len(values) <= s:
            totals += sum(values)
        else:
            drawn = rng.random((salts, len(values))).argpartition(s - 1, axis=1)[:, :s]
            totals += np.array(values)[drawn].sum(axis=1)
    return totals


def count_releases(table: Table, s: int, size: int, rng: np.random.Generator) -> Floats:
    """Capped counts for adding or removing a person, (size,)."""
    return capped(table, s, (0.0, 1.0))[1] + rng.laplace(scale=s / EPSILON, size=size)


def sum_releases(table: Table, s: int, bounds: Bounds, size: int, rng: np.random.Generator) -> Floats:
    """Capped sums for adding or removing a person, (size,)."""
    return capped(table, s, bounds)[0] + rng.laplace(scale=s * max(map(abs, bounds)) / EPSILON, size=size)


def mean_releases(table: Table, s: int, bounds: Bounds, size: int, rng: np.random.Generator) -> Floats:
    """Capped means, (size,): of the sum of shares from −1 to 1 and of the number of rows, both noisy."""
    (low, high), (total, rows) = bounds, capped(table, s, bounds)
    shares = 2 * (total - low * rows) / (high - low) - rows
    noisy, number = shares + rng.laplace(scale=2 * s / EPSILON, size=size), rows + rng.laplace(scale=2 * s / EPSILON, size=size)
    return np.clip(low + (high - low) * (noisy / np.maximum(number, 1.0) + 1) / 2, low, high)


def measured(responses: Floats, truth: float) -> tuple[float, float]:
    """The root mean squared distance of responses from the truth, and their standard deviation."""
    return math.sqrt(float(((responses - truth) ** 2).mean())), float(responses.std())
