"""The questions about people whose error is predicted, a count, a sum, a mean and a share; and which of them a scenario asks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.facts import facts
from dpcore.base.norms import L1, L2, Norm
from dpcore.base.types import Database, FloatArray, Target, person_of, settles
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.people_rows import AskedOfPeople, placed
from pages.experiment.contributions.cap import MOST, Cap, CountedRows, Keeping, counted_rows
from pages.experiment.contributions.noise import Errors, Noise, moments, noise_for
from pages.experiment.contributions.parts import AtCap
from pages.experiment.scenario import Scenario

Moved = tuple[float, float]
"""How far one row moves the numbers that are released: one that gets lost, and one that becomes another."""


# What is released under noise: how far one row of weight 1 moves it, and the errors of the answer that is made of it.


@final
@dataclass(frozen=True, slots=True)
class Added:
    """Σ w·clip(v), under noise."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """max(|L|, |U|), and max(U, 0) − min(L, 0): a person may have no row that counts (mathematics, section 9.1)."""
        low, high = bounds
        return max(abs(low), abs(high)), max(high, 0.0) - min(low, 0.0)

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """Exact (mathematics, section 9.3)."""
        whole, none = capped.uncapped, np.zeros(len(capped.value))
        return Errors(
            truth=whole.sum,
            answer=capped.value,
            clipped_low=whole.low,
            clipped_high=whole.high,
            dropped=capped.value - (whole.sum + whole.low + whole.high),
            from_noise=none,
            salts=capped.variance_of_value,
            noise=none + noise.variance * scale**2,
        )


@final
@dataclass(frozen=True, slots=True)
class Divided:
    """(Σ w·u, Σ w), u = 2(clip(v) − L)/(U − L) − 1, both under noise; L + (U − L)(S̃/max(C̃, 1) + 1)/2, clipped to [L, U]."""

    def moved(self, bounds: Interval, norm: Norm, /) -> Moved:
        """2 and 2 in L1, √2 and 2 in L2 (mathematics, section 13.1)."""
        return {L1: 2.0, L2: math.sqrt(2)}[norm], 2.0

    def errors(self, capped: AtCap, bounds: Interval, noise: Noise, scale: float, /) -> Errors:
        """By quadrature; the variance over salts is that of the ratio without noise, linear in both sums
        (mathematics, section 9.4)."""
        whole, floor, half = capped.uncapped, np.maximum(capped.number, 1.0), (bounds[1] - bounds[0]) / 2
        rows = np.where(whole.number > 0, whole.number, np.nan)
        sums = (capped.value - bounds[0] * capped.number) / half - capped.number
        answer = bounds[0] + half * (sums / floor + 1)
        first, second = moments(sums, capped.number, scale, noise)
        return Errors(
            truth=whole.sum / rows,
            answer=answer,
            clipped_low=whole.low / rows,
            clipped_high=whole.high / rows,
            dropped=answer - (whole.sum + whole.low + whole.high) / rows,
            from_noise=half * first,
            salts=_of_ratio(capped, (bounds[0] + bounds[1]) / 2),
            noise=half**2 * np.maximum(second - first**2, 0.0),
        )


def _of_ratio(capped: AtCap, middle: float) -> FloatArray:
    """Var(V − rC)/max(C, 1)², where r = V/C, or the middle of the bounds for C below 1."""
    floor = np.maximum(capped.number, 1.0)
    ratio = np.where(capped.number < 1, middle, capped.value / floor)
    variance = capped.variance_of_value - 2 * ratio * capped.covariance + ratio**2 * capped.variance_of_number
    return np.asarray(np.maximum(variance, 0.0) / floor**2)


Released = Added | Divided


@final
@dataclass(frozen=True, slots=True)
class Asked:
    """``name``: as people say it. ``bounds``: of each value where they are known beforehand; None where they are to be chosen."""

    name: str
    released: Released
    bounds: Interval | None

    def pairs(self, bounds: Sequence[Interval] | None, /) -> tuple[Interval, ...]:
        """Its own bounds, or those that were chosen; InvalidValueError for both, for neither, and for a pair the wrong way."""
        if self.bounds is not None:
            if bounds is not None:
                raise InvalidValueError("bounds of the values", f"left out, because a {self.name} has its own", tuple(bounds))
            return (self.bounds,)
        if not bounds:
            raise InvalidValueError("bounds of the values", "at least one pair of bounds", bounds)
        pairs = tuple(interval("bounds of the values", pair) for pair in bounds)
        if max(abs(end) for pair in pairs for end in pair) > MOST:
            raise InvalidValueError("bounds of the values", f"numbers from −{MOST:g} to {MOST:g}", pairs)
        return pairs


COUNT = Asked("count of rows", Added(), (0.0, 1.0))  # the sum of a one for each row
SUM = Asked("sum", Added(), None)
MEAN = Asked("mean", Divided(), None)
SHARE = Asked("share", Divided(), (0.0, 1.0))  # the mean of ones and zeros


# On which terms people are protected, and the sensitivity that a cap then has.


_OF_USERS = (Adjacency.ADD_OR_REMOVE_ONE_USER, Adjacency.REPLACE_ONE_USER)


@final
@dataclass(frozen=True, slots=True)
class Terms:
    """The ``noise`` with its privacy level, which people are neighbours, and how their rows are kept."""

    noise: Noise
    adjacency: Adjacency
    keeping: Keeping = Keeping.WEIGHTS

    def __post_init__(self) -> None:
        if self.adjacency not in _OF_USERS:
            raise InvalidValueError("adjacency", "of one user: add or remove one, or replace one", self.adjacency)

    def sensitivity(self, asked: Asked, cap: Cap, bounds: Interval, groups: int = 1) -> float:
        """How far adding, removing or replacing a person of capped rows moves what is released, in the noise's norm.

        With t = g in L1 and √g in L2 for g groups of s rows, and c = 2 in L1 and √2 in L2, it is t·s·lost under add/remove,
        and t·s·max(changed, c·lost) under replace-one with more than one group, s·changed without (mathematics, section 9.1).
        """
        lost, changed = asked.released.moved(bounds, self.noise.norm)
        power = 1.0 if self.noise.norm == L1 else 0.5
        at_most, two = cap.groups_of(groups) ** power, 2**power
        if self.adjacency.removes:
            return float(at_most * cap.rows * lost)
        return cap.rows * changed if groups == 1 else float(at_most * cap.rows * max(changed, two * lost))


# A scenario's question about people as the prediction takes it: its rows, its terms, its cap, and the grids around them.


_KNOWN = {"count": COUNT, "sum": SUM, "mean": MEAN, "share": SHARE}  # by what a target says of itself
_ALONG, _ACROSS = 30, 10  # caps of the line, and caps and bounds of the map
_WIDTHS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)  # of bounds, as shares of the declared ones


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """What a scenario asks of people, on one database: ``widest`` are the values' declared bounds, None where the question has
    its own."""

    rows: CountedRows
    asked: Asked
    terms: Terms
    cap: Cap
    bounds: Interval | None
    widest: Interval | None

    @property
    def caps(self) -> tuple[Cap, ...]:
        """From one row up to the most that somebody has, closer together where they are small, and the chosen one."""
        return self._caps(_ALONG)

    @property
    def few_caps(self) -> tuple[Cap, ...]:
        """Some of these, and the chosen one."""
        return self._caps(_ACROSS)

    @property
    def pairs(self) -> tuple[Interval, ...] | None:
        """Narrower bounds up to the declared ones, and the chosen ones; None where the question has its own."""
        if self.bounds is None or self.widest is None:
            return None
        found = {narrowed(self.widest, share) for share in _WIDTHS} | {self.bounds}
        return tuple(sorted(found, key=lambda pair: (pair[1] - pair[0], pair)))

    def _caps(self, number: int) -> tuple[Cap, ...]:
        most = max(2, int(self.rows.rows_a_person.max()))
        found = {*np.round(np.geomspace(1, most, number)).astype(int).tolist(), self.cap.rows}
        return tuple(Cap(rows, self.cap.groups) for rows in sorted(found))


def narrowed(widest: Interval, share: float) -> Interval:
    """Bounds of which an end is moved in, by a distance of three digits: the end that is further from 0, or both where 0 lies
    between them."""
    low, high = widest
    if share >= 1:
        return widest
    if low < 0 < high:
        found = _digits(share * low), _digits(share * high)
    else:
        width = _digits(share * (high - low))
        found = (low, low + width) if low >= 0 else (high - width, high)
    return found if low <= found[0] < found[1] <= high else widest


def _digits(number: float) -> float:
    return float(f"{number:.3g}")


def asked_of(target: Target) -> Asked | None:
    """The prediction that a target names as ``predicted_as``: "count", "sum", "mean" or "share"; None where it names none."""
    return _KNOWN.get(facts(target).predicted_as)


def rows_of(about: AskedOfPeople, database: Database) -> CountedRows:
    """The rows that a question about people counts in a database of them, each with what it brings: 1 of a count, 0 or 1 of a
    share, else its value.

    TableError where no row counts, InvalidValueError for values beyond what ``counted_rows`` takes.
    """
    records, places = placed(about.question, database)
    if not (places >= 0).any():
        raise TableError("No row meets the conditions and groups and has a value.", "Ask for less, or of another column.")
    groups = max(1, len(about.question.groups))
    brought = about.target.row_values(records)
    return counted_rows(database[about.person], brought, where=places >= 0, group=places, groups=groups)


def terms_of(scenario: Scenario) -> Terms:
    """The scenario's noise, neighbours, and how its question keeps rows."""
    salted = facts(scenario.target).salt is not None
    return Terms(noise_for(scenario.privacy), scenario.adjacency, Keeping.ROWS if salted else Keeping.WEIGHTS)


def predicted(scenario: Scenario) -> Asked | None:
    """What the scenario asks of people, where its error is predicted: of a question with a cap, under noise that is added, which
    alone is sized in these norms."""
    target: Any = scenario.target
    if person_of(target) is None or settles(target):
        return None
    return asked_of(target.target) if scenario.norm == noise_for(scenario.privacy).norm else None


def question(scenario: Scenario, database: Database, widest: Interval | None) -> Question | None:
    """It, on the rows of a database; None where ``predicted`` is. ``widest``: the declared bounds of the values.

    TableError where no row counts.
    """
    asked = predicted(scenario)
    if asked is None:
        return None
    target: Any = scenario.target
    bounds = target.target.bounds if asked.bounds is None else None
    return Question(
        rows=rows_of(target, database),
        asked=asked,
        terms=terms_of(scenario),
        cap=Cap(target.rows, target.groups_each),
        bounds=bounds,
        widest=None if bounds is None else widest or bounds,
    )
