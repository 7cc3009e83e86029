"""A scenario's question about people as the prediction takes it: its rows, its terms, its cap, and the grids around them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.facts import facts
from dpcore.base.types import Database, Target, person_of, settles
from dpcore.errors import TableError
from dpcore.targets.people_rows import AskedOfPeople, placed
from pages.experiment.contributions.asked import COUNT, MEAN, SHARE, SUM, Asked, Terms
from pages.experiment.contributions.cap import Cap, CountedRows, Keeping, counted_rows
from pages.experiment.contributions.noise import noise_for
from pages.experiment.scenario import Scenario

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
