"""One record whose value in one column is moved: how far the answer moves with it, by asking the target itself at each place."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.sampling.blocks import Subject, answered, compared, vector
from dpcore.sampling.ways import AdditiveWay, choose
from pages.experiment.attacked_tables import ABOVE, BELOW, middle, values_of
from pages.experiment.computable import computable
from pages.experiment.scenario import Scenario

MOST_PLACES, FEWEST_PLACES = 200, 24
MOST_SECONDS = 0.6  # of all places together
_FAR = 10.0  # ranges of a column with bounds, within which places lie
_BEYOND = 0.1  # of their width, how far places go beyond bounds
_ROUND = (1.0, 2.0, 2.5, 5.0, 10.0)
_NEAR = 0.3  # of a step: a place so near to a bound gives way to it


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Dragged:
    """``places`` (p,) of the record's value in a ``column``, rising, at ``home`` its own; ``distances`` (p,), how far the answer
    moves from that of the table, in the sensitivity's norm: ∞ where there is no answer. ``others`` (r,): the values of all other
    records that are known, rising. ``like``: of a place that moves the answer as a bound does, that bound, else NaN.

    ``removes``: a neighbour lacks a record, so the distance is from the answer without it.
    """

    column: Column
    places: FloatArray
    home: int
    distances: FloatArray
    like: FloatArray
    others: FloatArray
    removes: bool

    @property
    def words(self) -> list[str]:
        """Each place as people read it, with its unit. It holds a text from outside: a page escapes it."""
        return [self._place(*one) for one in zip(self.places.tolist(), self.like.tolist(), strict=True)]

    def _place(self, place: float, like: float) -> str:
        said = self._value(place) if self.column.since else counted(self._value(place), self._after)
        return said if math.isnan(like) else f"{said} (counts like {self._value(like)})"

    @property
    def _after(self) -> str:
        return f" {self.column.unit}" if self.column.unit else ""

    def _value(self, value: float) -> str:
        """To four digits; of a column of days the day."""
        return self.column.shown(float(round(value))) if self.column.since else f"{float(f'{value:.4g}'):,.10g}"


SLOW = "This answer takes about {:.2g} s for each table, too long to try a row at many places."
UNKNOWN = "No row that the question asks for has a known value here, so there is none to drag."


@computable
def dragged(
    scenario: Scenario, database: Database, columns: tuple[Column, ...], column: Column, seconds: Callable[[], float]
) -> Dragged | str:
    """The record in the middle of those that the question asks for, moved from far below the column to far above it.

    ``database``: public, or made up by the oracle. ``columns``: as the target takes them. ``seconds``: what one answer takes,
    where records are not looked at alone: slow ones are asked for at fewer places. A sentence where that leaves too few, or where
    no value is known.
    """
    additive = choose(scenario.target, None, scenario.n, scenario.adjacency).name == AdditiveWay.name
    call = 0.0 if additive else seconds()
    most = MOST_PLACES if call * MOST_PLACES <= MOST_SECONDS else int(MOST_SECONDS / call)
    values = values_of(database, columns, column)
    record = middle(scenario.target, database, values)
    if record is None or most < FEWEST_PLACES:
        return UNKNOWN if record is None else SLOW.format(call)
    others = np.sort(np.delete(values, record))
    others = others[np.isfinite(others)]
    own = float(values[record])
    places = spread(others if others.size else np.array([own]), own, column.bounds, most)
    places = places[places >= 0] if column.since else places
    measure = _by_record if additive else _by_table
    distances = measure(scenario, database, columns, column, record, places)
    return Dragged(
        column=column,
        places=places,
        home=int(np.searchsorted(places, own)),
        distances=distances,
        like=_like(places, distances, column.bounds),
        others=others,
        removes=scenario.adjacency.removes,
    )


def spread(others: FloatArray, own: float, bounds: tuple[float, float] | None, most: int) -> FloatArray:
    """At most so many places, round numbers at equal steps and among them the record's ``own``: from below the column to three
    of its ranges above it; of one with public bounds from below these to above them, but ten ranges away at most."""
    low, high = float(others.min()), float(others.max())
    wide = high - low or (bounds[1] - bounds[0] if bounds else 0.0) or abs(low) or 1.0
    left, right = low - BELOW * wide, high + ABOVE * wide
    if bounds is not None:
        edge = _BEYOND * (bounds[1] - bounds[0])
        left, right = max(bounds[0] - edge, low - _FAR * wide), min(bounds[1] + edge, high + _FAR * wide)
    left, right = min(left, low, own), max(right, high, own)
    step = _step((right - left) / (most - 6))  # room for both ends, both bounds and its own
    if (others == np.rint(others)).all():
        step = max(step, 1.0)
    places = np.arange(math.floor(left / step), math.ceil(right / step) + 1) * step
    kept = np.array([own, *(bound for bound in bounds or () if left <= bound <= right)])
    apart = np.abs(places[:, None] - kept).min(axis=1)
    return np.union1d(places[apart >= _NEAR * step], kept)


def _step(least: float) -> float:
    """The least of 1, 2, 2.5, 5, 10, … that is no less."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(times * power for times in _ROUND if times * power >= least * (1 - 1e-9))


def _by_record(
    scenario: Scenario, database: Database, columns: tuple[Column, ...], column: Column, record: int, places: FloatArray
) -> FloatArray:
    """‖c(x, n) − c(x′, n)‖ of the record at each place x, or ‖c(x, n)‖ where one is left out: as the sampler measures a target
    that adds up c over the records, so that a distance that is Δ̂ is that to the bit."""
    moved, own = (np.repeat(database[[record]], len(places), axis=0) for _ in range(2))
    values_of(moved, columns, column)[:] = places
    no_oracle: Any = None  # nothing is drawn
    subject = Subject(scenario.target, no_oracle, scenario.norm, scenario.n, 0, scenario.adjacency)
    return AdditiveWay().on(subject, np.stack((moved, own), axis=1)).distances


def _by_table(
    scenario: Scenario, database: Database, columns: tuple[Column, ...], column: Column, record: int, places: FloatArray
) -> FloatArray:
    """‖f(D with the record at a place) − f(D)‖ for each, or − f(D without the record)."""
    before = np.delete(database, record, axis=0) if scenario.adjacency.removes else database
    with np.errstate(all="ignore"):
        stands = vector(scenario.target(before))  # whose failure is that of the whole question
        moved = database.copy()
        cells, seen = values_of(moved, columns, column), moved.view()
        seen.flags.writeable = False

        def target(given: Database) -> FloatArray:
            return stands if given is before else scenario.target(given)

        def at(place: float) -> Any:
            cells[record] = place
            return answered(target, iter((before, seen)))

        return compared(scenario.norm, [at(place) for place in places.tolist()]).distances


def _like(places: FloatArray, distances: FloatArray, bounds: tuple[float, float] | None) -> FloatArray:
    """Of a place beyond a bound that bound, where every place beyond it moves the answer equally far."""
    like = np.full(len(places), np.nan)
    if bounds is None:
        return like
    for bound, beyond in ((bounds[0], places < bounds[0]), (bounds[1], places > bounds[1])):
        at = distances[places == bound]
        if at.size and np.isfinite(at).all() and (distances[beyond] == at).all():
            like[beyond] = bound
    return like
