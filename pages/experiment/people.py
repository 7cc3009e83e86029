"""The error of an answer about people under each limit and under each pair of bounds, predicted before anything is released.

Every prediction is of a target: the scenario's own with another limit or other bounds. Its sensitivity is the target's own
proof, and its noise is the mechanism's. The rows are those of a public table, or of a simulated one in place of a confidential
one. So the prediction never depends on a confidential value.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any, cast, final

import numpy as np
from numpy.typing import NDArray

from dpcore import Column
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.bounds import Interval, steps_below
from dpcore.base.users import CODE, row_weights
from dpcore.errors import InvalidValueError, TableError
from dpcore.mechanisms.laplace import GeometricLaw
from dpcore.mechanisms.response_law import NORMAL
from dpcore.result_types.numbers import Ratio
from dpcore.targets.user_limits import ClippedTotals, ContributionBounded, adds_up_to_a_total, placed
from pages.experiment.noise import computable
from pages.experiment.scenario import Scenario, require
from pages.files.tables import Table

Places = NDArray[np.int64]
AboutPeople = ContributionBounded | ClippedTotals
MOST = 1e100  # largest value: squares of sums of 2²⁴ such numbers are finite
NOISE, LEFT_OUT, HIGH, LOW, SHIFT = "noise", "beyond the limit", "clipped high", "clipped low", "shift by noise"
_CAPS = 30  # limits on rows in a chart
_WIDTHS = (0.01, 0.02, 0.03, 0.05, 0.15, *(share / 10 for share in range(1, 11)))  # shares of the declared bounds
_TIMES = 1_000  # the largest limit of a total, as a multiple of the largest value
_NODES = 32  # nodes for each half of a noise distribution


@final
@dataclass(frozen=True, eq=False)
class CountedRows:
    """Rows that count: their value is known, all conditions hold, and they are in a public group.

    Args:
        people: The person of each row, as in ``dpcore.base.users``, shape (rows,).
        records: The records that the target takes.
        values: The value of each row before clipping, shape (rows,).
        places: The group of each row, shape (rows,).
        groups: Number of public groups, at least 1.
    """

    people: Database
    records: Database
    values: FloatArray
    places: Places
    groups: int

    @classmethod
    def of(cls, target: AboutPeople, database: Database) -> CountedRows:
        """Return the rows of a database that a target counts.

        Raises:
            TableError: If no row counts.
            InvalidValueError: If a value is not finite or its size is above 1e100.
        """
        records, places = placed(target.question, database)
        counts = places >= 0
        if not counts.any():
            raise TableError("No row meets the conditions and groups and has a value.", "Ask for less, or choose another column.")
        inner: Any = target.question.known
        values = np.asarray(inner.row_values(records[counts]), dtype=np.float64)
        largest = float(np.abs(values).max())
        require(largest <= MOST, "values", f"numbers from −{MOST:g} to {MOST:g}", largest)
        groups = max(1, len(target.question.groups))
        return cls(database[target.person][counts], records[counts], values, places[counts], groups)

    @cached_property
    def rows_a_person(self) -> Places:
        """The number of rows of each person, shape (people,)."""
        found = np.bincount(self.people[CODE])
        return np.asarray(found[found > 0])

    def by_group(self, of_rows: FloatArray) -> FloatArray:
        """Return the sum of each group: (rows,) -> (groups,)."""
        return summed(self.places, of_rows, self.groups)

    def weights(self, target: ContributionBounded) -> FloatArray:
        """Return how much each row counts under the limit of a target, shape (rows,)."""
        return row_weights(self.people, self.places, target.rows, target.groups_each)

    def parts(self, target: AboutPeople) -> FloatArray:
        """Return the part of each row in the answer before the limit, shape (rows, d)."""
        inner: Any = target.question.known
        return np.asarray(inner.contribution(self.records, 1), dtype=np.float64)

    def kept(self, target: AboutPeople) -> Kept:
        """Return the parts of the rows, or of people's totals, with and without the limit of a target."""
        if isinstance(target, ContributionBounded):
            parts = self.parts(target)
            return Kept(self.people[CODE], self.places, parts, parts * self.weights(target)[:, None])
        who, place, cell = self._cells
        totals = summed(cell, self.parts(target)[:, 0], len(who))
        above, below = (summed(who, np.maximum(sign * totals, 0.0), int(who[-1]) + 1) for sign in (1, -1))
        low, high = target.totals
        after = np.maximum(totals, 0.0) * _share(above, high)[who] + np.minimum(totals, 0.0) * _share(below, -low)[who]
        return Kept(who, place, totals[:, None], after[:, None])

    @cached_property
    def _cells(self) -> tuple[Places, Places, Places]:
        """The person and the group of each cell (the rows of one person in one group), and the cell of each row."""
        keys, cell = np.unique(self.people[CODE] * self.groups + self.places, return_inverse=True)
        return keys // self.groups, keys % self.groups, cell


@final
@dataclass(frozen=True, eq=False)
class Kept:
    """Parts of the answer, with and without a limit on each person, of rows or of cells (one person's rows in one group).

    Args:
        people: The person of each row or cell, shape (k,).
        places: Its group, shape (k,).
        before: Its part without the limit, shape (k, d).
        after: Its part with the limit, shape (k, d). Parts of a person's total are shrunk alike (mathematics, section 15.3).
    """

    people: Places
    places: Places
    before: FloatArray
    after: FloatArray


def summed(places: Places, values: FloatArray, count: int) -> FloatArray:
    """Return the sum of the values at each place from 0 to below a count, shape (count,)."""
    return np.asarray(np.bincount(places, values, count), dtype=np.float64)


def _share(sums: FloatArray, most: float) -> FloatArray:
    """Return min(1, most/sum) for each sum."""
    return np.divide(most, sums, out=np.ones(len(sums)), where=sums > most)


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Prediction:
    """The error of one target, in the answer's unit; arrays have shape (groups,).

    The error² is (LOW + HIGH + LEFT_OUT + SHIFT)² + NOISE² (mathematics, section 9.2 and 9.3). Values are
    clipped first and then limited, so nothing is counted twice.

    Args:
        target: The target.
        size: Its place on a chart: rows per person, limit of a person's total, or the bound that is moved.
        scale: Scale of the noise.
        truth: The answer without limit, bounds and noise; NaN for a mean of no rows.
        answer: The answer without noise.
        causes: Each cause by its name, shape (groups,). LOW and HIGH: changes by clipping at the lower bound, at least 0, and
            at the upper bound, at most 0. LEFT_OUT: change by the limit on rows. SHIFT: how far noise moves the expected
            answer. NOISE: standard deviation of the answer.
    """

    target: AboutPeople
    size: float
    scale: float
    truth: FloatArray
    answer: FloatArray
    causes: dict[str, FloatArray]

    @property
    def bounds(self) -> Interval:
        """The bounds of the values, of a sum or a mean."""
        return cast(Interval, bounds_of(self.target))

    @property
    def total(self) -> float:
        """The root mean square error, over the groups that have a truth."""
        bias = sum(size for name, size in self.causes.items() if name != NOISE)
        return self._root(np.hypot(bias, self.causes[NOISE]))

    @property
    def parts(self) -> dict[str, float]:
        """The size of each cause by its name. They do not add up to the total: too much and too little cancel."""
        return {name: self._root(size) for name, size in self.causes.items()}

    def _root(self, sizes: FloatArray) -> float:
        return math.sqrt(float((sizes[~np.isnan(self.truth)] ** 2).mean()))


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Contributions:
    """Predictions around the limit and the bounds of a scenario.

    Args:
        scenario: The scenario.
        columns: The columns that its target takes.
        rows: The rows that its target counts.
        widest: The declared bounds of the values; None if rows are only counted.
    """

    scenario: Scenario
    columns: tuple[Column, ...]
    rows: CountedRows
    widest: Interval | None

    @property
    def target(self) -> AboutPeople:
        """The scenario's target."""
        return cast(AboutPeople, self.scenario.target)

    @property
    def symbol(self) -> str:
        """The symbol of the limit: s for rows, B for totals."""
        return "s" if isinstance(self.target, ContributionBounded) else "B"

    @property
    def unit(self) -> str:
        """The unit of the answer. Under another limit a number of people is one of rows, and so are all errors here."""
        return self.target.question.answer(self.columns).after.strip()

    @property
    def bounds(self) -> Interval | None:
        """The bounds of the values; None if rows are only counted."""
        return bounds_of(self.target)

    @cached_property
    def by_limit(self) -> list[Prediction]:
        """Predictions at the scenario's bounds, under limits in ascending order. The scenario's own is one of them.

        Limits on rows are from one row to the most that a person has. Those of a person's total are from a public list.
        """
        target = self.target
        if isinstance(target, ContributionBounded):
            most = max(2, int(self.rows.rows_a_person.max()))
            numbers = sorted({*np.round(np.geomspace(1, most, _CAPS)).astype(int).tolist(), target.rows})
            return [self.predict(replace(target, rows=number), number) for number in numbers]
        largest = _TIMES * max(map(abs, self.widest or (0.0, 1.0)))
        sizes = sorted({*steps_below(largest), limit_of(target)})
        return [self.predict(with_limit(target, size), size) for size in sizes]

    @cached_property
    def by_bounds(self) -> list[Prediction]:
        """Predictions under the scenario's limit, for bounds up to the declared ones. Empty if bounds do not change the noise."""
        if self.bounds is None or self.widest is None or isinstance(self.target, ClippedTotals):
            return []
        pairs = {*(narrowed(self.widest, share) for share in _WIDTHS), self.bounds}
        ordered = sorted(pairs, key=lambda pair: (pair[1] - pair[0], pair))
        return [self.predict(with_bounds(self.target, pair), moving_end(pair)) for pair in ordered]

    @property
    def can_limit_totals(self) -> bool:
        """True for a sum, where a person's total can be limited. For a count of rows both limits are the same."""
        return self.bounds is not None and adds_up_to_a_total(self.target.question)

    @property
    def chosen(self) -> Prediction:
        """The prediction of the scenario."""
        return next(one for one in self.by_limit if one.target == self.target)

    @computable
    def predict(self, target: AboutPeople, size: float) -> Prediction:
        """Return the prediction of a target.

        Args:
            target: The scenario's target with another limit, or with other bounds.
            size: Its place on a chart.

        Raises:
            InvalidValueError: If no sensitivity is proved for it.
        """
        scenario, rows, (bottom, top) = self.scenario, self.rows, bounds_of(target) or (-math.inf, math.inf)
        proved = target.global_sensitivity(scenario.norm, scenario.n, scenario.adjacency)
        if proved is None:
            raise InvalidValueError("limit of each person", "one with a proved worst case", size)
        law = scenario.mechanism.law(target, proved.value, scenario.privacy)
        low, high = (
            rows.by_group(change) for change in (np.maximum(bottom - rows.values, 0.0), np.minimum(top - rows.values, 0.0))
        )
        limited, by_rows = rows.kept(target), isinstance(target, ContributionBounded)
        if not by_rows:
            change = (limited.after - limited.before)[:, 0]
            low = low + summed(limited.places, np.maximum(change, 0.0), rows.groups)
            high = high + summed(limited.places, np.minimum(change, 0.0), rows.groups)
        kept = np.stack([summed(limited.places, column, rows.groups) for column in limited.after.T], axis=1)
        if kept.shape[1] == 1:
            whole, answer = np.ones(rows.groups), kept[:, 0]
            shift, noise = np.zeros(rows.groups), np.full(rows.groups, deviation(law))
        else:
            known = rows.by_group(np.ones(len(rows.values)))
            inner: Any = target.question.known
            whole, mean = np.where(known > 0, known, np.nan), inner.answer(self.columns[:1])
            answer = mean.value(kept)
            shift, noise = np.array([moments(mean, each, law) for each in kept]).T
        truth, low, high = rows.by_group(rows.values) / whole, low / whole, high / whole
        left_out = answer - (truth + low + high) if by_rows else np.zeros(rows.groups)
        causes = {NOISE: noise, LEFT_OUT: left_out, HIGH: high, LOW: low, SHIFT: shift}
        return Prediction(target=target, size=size, scale=law.scale, truth=truth, answer=answer, causes=causes)


def contributions(scenario: Scenario, table: Table, database: Database) -> Contributions:
    """Return the predictions around a scenario.

    Args:
        scenario: The scenario.
        table: Its table; only its declarations are used.
        database: The rows of a public table, or of a simulated one.

    Raises:
        TableError: If the error of this target is not predicted, or no row counts.
        InvalidValueError: If values or bounds are too large.
    """
    target = scenario.target
    if not isinstance(target, ContributionBounded | ClippedTotals) or not target.question.known.predicted_as:
        raise TableError(
            "The error of this question is not predicted.",
            "Ask for a count, a sum, a mean or a share of known values, published with Laplace or Gaussian noise.",
        )
    own = bounds_of(target)
    widest = None if own is None else table.column(target.question.columns[0]).bounds or own
    if widest is not None and max(map(abs, widest)) > MOST:
        raise InvalidValueError("bounds of the values", f"numbers from −{MOST:g} to {MOST:g}", widest)
    columns = tuple(map(table.column, target.question.fields))
    return Contributions(scenario=scenario, columns=columns, rows=CountedRows.of(target, database), widest=widest)


def least(predictions: Iterable[Prediction]) -> Prediction:
    """Return the first prediction with the least error."""
    return min(predictions, key=lambda one: one.total)


def limit_of(target: ClippedTotals) -> float:
    """Return the size of the limit of a person's total: its larger end."""
    return max(map(abs, target.totals))


def with_limit(target: ClippedTotals, size: float) -> ClippedTotals:
    """Return a target with another limit of a person's total, in the same proportion below and above 0."""
    own = limit_of(target)
    low, high = (end / own * size for end in target.totals)
    return target if size == own else replace(target, totals=(low, high))


def bounds_of(target: AboutPeople) -> Interval | None:
    """Return the bounds of the values of a sum or a mean; None if rows are only counted."""
    found: Interval | None = target.question.target.bounds or None
    return found


def with_bounds(target: AboutPeople, bounds: Interval) -> AboutPeople:
    """Return a target with other bounds of its values."""
    inner: Any = target.question.target
    return replace(target, question=replace(target.question, target=replace(inner, bounds=bounds)))


def moving_end(bounds: Interval) -> float:
    """Return the size of the bound that is moved: the upper one, unless no value is above 0."""
    return bounds[1] if bounds[1] > 0 else -bounds[0]


def narrowed(widest: Interval, share: float) -> Interval:
    """Return bounds whose end further from 0 is moved in, or both if 0 is between them, to distances of three digits."""
    fixed = min(max(0.0, widest[0]), widest[1])
    low, high = (fixed + float(f"{share * (end - fixed):.3g}") for end in widest)
    return (low, high) if share < 1 and widest[0] <= low < high <= widest[1] else widest


def deviation(law: Any) -> float:
    """Return the standard deviation of noise on one number."""
    if isinstance(law, GeometricLaw):
        return math.sqrt(0.5) / math.sinh(0.5 / law.scale)
    return float(law.scale) * (1.0 if law.composes_as == NORMAL else math.sqrt(2))


def moments(mean: Ratio, raw: FloatArray, law: Any) -> tuple[float, float]:
    """Return how far noise moves the expected mean, and the standard deviation of the mean (mathematics, section 9.3).

    Args:
        mean: The mean, computed from a noisy sum and a noisy number.
        raw: Both without noise, shape (2,).
        law: The noise on each.
    """
    nodes, weights = _two_noises(law.composes_as == NORMAL)
    away = mean.value(raw + law.scale * nodes) - mean.value(raw)
    shift = float(away @ weights)
    return shift, math.sqrt(max(float(away**2 @ weights) - shift**2, 0.0))


@cache
def _two_noises(normal: bool) -> tuple[FloatArray, FloatArray]:
    """Return Gauss quadrature of two independent noises of scale 1, normal or Laplace: nodes, shape (k², 2), and weights."""
    if normal:
        nodes, weights = np.polynomial.hermite_e.hermegauss(2 * _NODES)
    else:
        half, of_half = np.polynomial.laguerre.laggauss(_NODES)
        nodes, weights = np.concatenate([-half, half]), np.concatenate([of_half, of_half])
    both = np.stack(np.meshgrid(nodes, nodes), axis=-1).reshape(-1, 2)
    return both, np.outer(weights, weights).ravel() / weights.sum() ** 2
