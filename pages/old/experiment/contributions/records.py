"""A question about records, each somebody's only row: what bounds of its values cost, predicted as of people's rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.bounds import Interval
from dpcore.base.condition import known
from dpcore.base.facts import facts
from dpcore.base.people import CODE, PERSON
from dpcore.base.types import Database, Target, person_of, takes_fields
from dpcore.errors import TableError
from dpcore.guarantees.privacy import Adjacency
from pages.experiment.scenario import Scenario
from pages.old.experiment.contributions import asked
from pages.old.experiment.contributions.asked import Asked, Question, Terms
from pages.old.experiment.contributions.cap import Cap, CountedRows, counted_rows
from pages.old.experiment.contributions.noise import noise_for
from pages.old.experiment.contributions.released import Averaged


def predicted(scenario: Scenario) -> bool:
    """Whether the error of what the scenario asks of records is predicted: a count, a sum, a mean or a share of one column, under
    noise that is added."""
    target: Any = scenario.target
    if person_of(target) is not None or scenario.norm != noise_for(scenario.privacy).norm:
        return False
    return asked_of(target, scenario.n) is not None


def question(scenario: Scenario, database: Database, widest: Interval | None) -> Question | None:
    """It, on a database of records; None where it is not predicted. TableError where no record counts."""
    target: Any = scenario.target
    found = asked_of(target, len(database)) if predicted(scenario) else None
    if found is None:
        return None
    bounds = bounds_of(target) if found.bounds is None else None
    return Question(
        rows=rows_of(target, database),
        asked=found,
        terms=terms_of(scenario),
        cap=Cap(1),
        bounds=bounds,
        widest=None if bounds is None else widest or bounds,
    )


def rows_of(target: Any, database: Database) -> CountedRows:
    """The records that the question counts, each somebody's only row: what each brings, and its group."""
    inner = _alone(target)
    values, places = target.placed(database) if takes_fields(target) else (database, np.zeros(len(database), dtype=np.int64))
    column = values[..., 0] if values.ndim == 2 else values  # of a single column, as ``_asked`` takes it
    counts, brings = facts(inner).rows_that_count or known, facts(inner).row_values or _itself
    held = (places >= 0) & counts(column)
    if not held.any():
        raise TableError("No row meets the conditions and groups and has a value.", "Ask for less, or of another column.")
    persons = np.zeros(len(database), dtype=PERSON)
    persons[CODE] = np.arange(len(database))
    return counted_rows(persons, brings(column), where=held, group=places, groups=max(1, len(facts(target).groups)))


def _itself(values: Database) -> Database:
    return values


def _alone(target: Any) -> Any:
    return facts(target).target or target


def bounds_of(target: Target) -> Interval:
    """Of the values that it asks for, under whatever conditions."""
    bounds: Interval = facts(_alone(target)).bounds
    return bounds


def asked_of(target: Target, records: int) -> Asked | None:
    """The prediction that a target names, under whatever conditions; None where it names none."""
    inner = _alone(target)
    if facts(inner).predicted_as != "average":
        return asked.asked_of(inner)
    bounds = facts(inner).bounds
    one = bounds is not None and not isinstance(bounds[0], tuple)
    return Asked("mean", Averaged(records), None) if one else None


def terms_of(scenario: Scenario) -> Terms:
    """The scenario's noise, for people with one row each: replacing a record is replacing a person, and so for one that is added
    or removed."""
    replaced = scenario.adjacency is Adjacency.REPLACE_ONE_RECORD
    users = Adjacency.REPLACE_ONE_USER if replaced else Adjacency.ADD_OR_REMOVE_ONE_USER
    return Terms(noise_for(scenario.privacy), users)
