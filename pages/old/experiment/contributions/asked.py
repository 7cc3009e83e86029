"""The questions about people whose error is predicted, a count, a sum, a mean and a share; and which of them a scenario asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval, interval
from dpcore.base.facts import facts
from dpcore.base.types import Database, Target, person_of
from dpcore.errors import InvalidValueError, TableError
from dpcore.guarantees.privacy import Adjacency
from dpcore.targets.capped import moved
from dpcore.targets.people_rows import AskedOfPeople, placed
from pages.experiment.scenario import Scenario
from pages.old.experiment.contributions.cap import MOST, Cap, CountedRows, Keeping, counted_rows
from pages.old.experiment.contributions.limit import Limit, public_limits
from pages.old.experiment.contributions.noise import Noise, noise_for
from pages.old.experiment.contributions.released import Added, Divided, Released


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


Kept = Cap | Limit
"""How much of each person is kept."""

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

    def sensitivity(self, asked: Asked, cap: Kept, bounds: Interval, groups: int = 1) -> float:
        """How far adding, removing or replacing a person of capped rows moves what is released, in the noise's norm.

        It is s times what one row in each of the person's g groups moves (mathematics, section 9.1). Of a limit of totals it
        hangs on that alone.
        """
        if isinstance(cap, Limit):
            return cap.moved(self.noise.norm, self.adjacency, groups)
        lost, changed = asked.released.moved(bounds, self.noise.norm)
        return cap.rows * moved(self.noise.norm, lost, changed, cap.groups_of(groups), groups, self.adjacency)


# A scenario's question about people as the prediction takes it: its rows, its terms, its cap, and the grids around them.


_KNOWN = {"count": COUNT, "sum": SUM, "mean": MEAN, "share": SHARE}  # by what a target says of itself
_ALONG = 30  # caps of a chart
_WIDTHS = (0.01, 0.02, 0.03, *(share / 20 for share in range(1, 21)))  # of bounds, as shares of the declared ones


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Question:
    """What a scenario asks of people, on one database: ``widest`` are the values' declared bounds, None where the question has
    its own."""

    rows: CountedRows
    asked: Asked
    terms: Terms
    cap: Kept
    bounds: Interval | None
    widest: Interval | None

    @property
    def caps(self) -> tuple[Kept, ...]:
        """From one row up to the most that somebody has, closer together where they are small, and the chosen one; or limits of
        totals from a public list."""
        if isinstance(self.cap, Limit):
            return self.limits or (self.cap,)
        return tuple(Cap(rows, self.cap.groups) for rows in sorted(self._numbers() | {self.cap.rows}))

    @property
    def limits(self) -> tuple[Limit, ...]:
        """Those that a person's total can have; none where rows are counted, of which a cap does the same, and of a mean."""
        if self.asked is not SUM or self.widest is None:
            return ()
        return public_limits(self.widest, self.cap if isinstance(self.cap, Limit) else None)

    @property
    def row_caps(self) -> tuple[Cap, ...]:
        """Caps over all groups from one row up to the most that somebody has, and none that was chosen."""
        return tuple(map(Cap, sorted(self._numbers())))

    @property
    def pairs(self) -> tuple[Interval, ...]:
        """Narrower bounds up to the declared ones, and the chosen ones; none if the question has its own bounds, or if a person's
        total has a limit, because then no bound of a row makes the noise smaller."""
        if self.bounds is None or self.widest is None or isinstance(self.cap, Limit):
            return ()
        found = {*(narrowed(self.widest, share) for share in _WIDTHS), self.bounds}
        return tuple(sorted(found, key=lambda pair: (pair[1] - pair[0], pair)))

    def _numbers(self) -> set[int]:
        most = max(2, int(self.rows.rows_a_person.max()))
        return {*np.round(np.geomspace(1, most, _ALONG)).astype(int).tolist()}


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


def kept_of(target: Any) -> Kept:
    """How much of each person a question about people keeps: so many rows, or a total with a limit."""
    totals = facts(target).totals
    return Cap(target.rows, target.groups_each) if totals is None else Limit(*totals)


def terms_of(scenario: Scenario) -> Terms:
    """The scenario's noise, neighbours, and how its question keeps rows."""
    salted = facts(scenario.target).salt is not None
    return Terms(noise_for(scenario.privacy), scenario.adjacency, Keeping.ROWS if salted else Keeping.WEIGHTS)


def predicted(scenario: Scenario) -> Asked | None:
    """What the scenario asks of people, where its error is predicted: of a question with a cap, under noise that is added, which
    alone is sized in these norms."""
    target: Any = scenario.target
    if person_of(target) is None or facts(target).target is None:
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
        cap=kept_of(target),
        bounds=bounds,
        widest=None if bounds is None else widest or bounds,
    )
