"""The link: a scenario as JSON with short keys, in one parameter of the address. It holds settings and the seed, never data.

A link is accepted or refused as a whole. Settings with their usual value are left out. If a usual value changes, here or in a
constructor of dpcore, ``VERSION`` has to change too.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, final

from dpcore.base.plain import refuse_broken, refuse_deep
from dpcore.base.quoted import quoted
from dpcore.base.types import person_of
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.guarantees.privacy import Adjacency
from dpcore.registry.fit import fits, usable
from pages.experiment.choices import kind_of, title
from pages.experiment.question import draws_for, kinds_like
from pages.experiment.scenario import VERSION, Scenario, parse, plain_form
from pages.exports import ExportError
from pages.files.tables import Table

LONGEST = 8_000  # characters
MOST_SIMULATED = 1_000_000  # rows of a simulated table in place of a confidential one
_MOST_DEPTH = 12  # of lists and entries within one another
_MOST_DIGITS = 40  # of a whole number; a seed has up to 39
KEYS = {
    "table": "t",
    "columns": "c",
    "target": "f",
    "oracle": "o",
    "n": "n",
    "mechanism": "k",
    "epsilon": "e",
    "delta": "d",
    "gamma": "g",
    "m": "m",
    "bound": "b",
    "confidence": "p",
    "noise": "z",
    "adjacency": "a",
    "seed": "s",
    "version": "v",
}
_NAMES = {key: name for name, key in KEYS.items()}
_USUAL: dict[str, Any] = {
    "epsilon": 1.0,
    "delta": None,
    "gamma": 0.05,
    "m": 199,
    "bound": "RANK",
    "confidence": None,
    "noise": "SAMPLED",
    "adjacency": "REPLACE_ONE_RECORD",
    "seed": 1,
    "version": VERSION,
}
_COPY = "Copy the whole address, or ask for a new link."
# Exceptions of a constructor that gets a value of a wrong kind.
_REFUSALS = (ValueError, TypeError, ArithmeticError, MemoryError, RecursionError)
_NEIGHBOURS = {
    Adjacency.REPLACE_ONE_RECORD: "one row replaced",
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: "one row added or removed",
    Adjacency.REPLACE_ONE_USER: "one person replaced",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "one person added or removed",
}


@final
class MissingTableError(ExportError):
    """A link to a table that is not in this session."""


def to_text(scenario: Scenario) -> str:
    """Return the scenario as the text of a link.

    Raises:
        InvalidValueError: If the text would be longer than a link may be.
        TypeError: If the target, the oracle or the mechanism is not one of dpcore's own.
    """
    said = {}
    for name, value in scenario.to_json().items():
        if name != "norm" and (name not in _USUAL or value != _USUAL[name]):  # the mechanism implies the norm
            said[KEYS[name]] = value
    for field in fields(scenario):
        if isinstance(said.get(KEYS.get(field.name, "")), dict):
            said[KEYS[field.name]] = _without_defaults(getattr(scenario, field.name), said[KEYS[field.name]])
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    if len(text) > LONGEST:
        raise InvalidValueError("link", f"a text of at most {LONGEST:,} characters; share the script instead", len(text))
    return text


def _without_defaults(value: Any, plain: Any) -> Any:
    """Return the plain form of a member without the fields that have their default."""
    if isinstance(plain, list) and isinstance(value, (list, tuple)):
        return [_without_defaults(one, its) for one, its in zip(value, plain, strict=True)]
    if not isinstance(plain, dict) or not is_dataclass(value):
        return plain
    usual = {field.name: field.default for field in fields(value) if field.default is not MISSING}
    kept = {name: item for name, item in plain.items() if name not in usual or item != plain_form(usual[name])}
    return {name: item if name == "kind" else _without_defaults(getattr(value, name), item) for name, item in kept.items()}


def from_text(text: str, tables: Mapping[str, Table]) -> Scenario:
    """Return the scenario of a link.

    Args:
        text: The text of the link.
        tables: The tables of this session, by name.

    Raises:
        MissingTableError: If the link is about a table that is not here.
        DpcoreError: If any part of the link cannot be used. Nothing of it is used then.
    """
    said = _read(text)
    if strange := [key for key in said if key not in _NAMES]:
        raise UnknownKindError("setting of a link", strange[0][:40], tuple(KEYS.values()))
    given = {_NAMES[key]: value for key, value in said.items()}
    if missing := [name for name in KEYS if name not in given and name not in _USUAL]:
        raise ExportError(f"The link does not say its {', '.join(missing)}.", _COPY)
    if type(given.get("version", VERSION)) is not int or given.get("version", VERSION) != VERSION:
        raise ExportError(f"The link is of another version than {VERSION}, which this app reads.", "Ask for a new link.")
    if not isinstance(given["table"], str):
        raise InvalidValueError("table", "a name", given["table"])
    table = tables.get(given["table"])
    if table is None:
        problem = f"The link is about the table {quoted(given['table'])}, which is not here, because a link holds no data."
        raise MissingTableError(problem, "Upload that table on the page Your data: then the link opens.")
    scenario = _scenario(_USUAL | given)
    refuse_unfit(scenario, table)
    return scenario


def _scenario(given: dict[str, Any]) -> Scenario:
    try:
        values = {name: parse(name, value) for name, value in given.items()}
        return Scenario(**values, norm=values["mechanism"].norm)
    except DpcoreError:
        raise
    except _REFUSALS:
        raise ExportError("The link has a setting of the wrong kind.", _COPY) from None


def _read(text: str) -> dict[str, Any]:
    """Return the entries of a short text of JSON, without a number or a nesting that would cost time later."""
    if len(text) > LONGEST:
        raise ExportError(f"The link has {len(text):,} characters, and a link has at most {LONGEST:,}.", _COPY)
    try:
        refuse_deep(text, _MOST_DEPTH)
    except ValueError:
        problem = f"The link has more than {_MOST_DEPTH} levels of lists and entries within one another."
        raise ExportError(problem, _COPY) from None
    try:
        said = json.loads(text, object_pairs_hook=_each_once, parse_constant=_refused, parse_float=_finite, parse_int=_whole)
        refuse_broken(said)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise ExportError(f"The link cannot be read: it begins with {quoted(text, 20)}.", _COPY)
    return said


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ExportError("The link gives the same setting twice.", _COPY)
    return found


def _refused(number: str) -> float:
    problem = f"The link has the number {quoted(number, 20)}."
    raise ExportError(problem, f"Numbers are finite, and whole ones have at most {_MOST_DIGITS} digits.")


def _finite(number: str) -> float:
    found = float(number)
    return found if math.isfinite(found) else _refused(number)


def _whole(number: str) -> float:
    return int(number) if len(number) <= _MOST_DIGITS else _refused(number)


def refuse_unfit(scenario: Scenario, table: Table) -> None:
    """Refuse a scenario that does not fit its table as that is declared in this session.

    Raises:
        DpcoreError: If columns, target, oracle, n or adjacency do not fit.
    """
    target, of = scenario.target, quoted(table.title or table.name)
    declared = tuple(table.column(name) for name in scenario.columns)
    if (person_of(target) is None) != (table.persons is None):
        records = "people" if table.persons is not None else "single rows"
        raise InvalidValueError("target", f"one about {records}, which are what {of} is declared to hold", title(kind_of(target)))
    people = person_of(target) is not None
    expected = table.adjacency if people else table.adjacency_of_rows
    if scenario.adjacency is not expected:
        came = _NEIGHBOURS[scenario.adjacency]
        raise InvalidValueError("neighbours", f"tables with {_NEIGHBOURS[expected]}, as {of} is declared", came)
    columns = table.taken(scenario.columns, target)
    known = kind_of(target) in kinds_like(table, target)
    if not known or not fits(target, columns) or usable(target, declared) != declared:
        names = ", ".join(map(quoted, scenario.columns[:5]))
        raise InvalidValueError("target", f"one that can be asked of the columns {names} of {of}", title(kind_of(target)))
    if not draws_for(scenario.resolved_oracle(table), target, columns):
        raise InvalidValueError("oracle", "one that simulates exactly the columns of the link", title(kind_of(scenario.oracle)))
    if table.public and scenario.n != (own := table.size(scenario.columns, target)):
        raise InvalidValueError("n", f"{own:,}, the number of records of {of}", scenario.n)
    if scenario.n > MOST_SIMULATED:
        raise InvalidValueError("n", f"at most {MOST_SIMULATED:,} for a simulated table", scenario.n)
