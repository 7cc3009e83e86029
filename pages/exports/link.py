"""Links: a scenario as JSON with short keys in one parameter of the address; and saved lists of questions.

A link holds settings and the seed, never data. It is accepted or refused as a whole. It omits settings with their usual
value. If a usual value changes, ``VERSION`` has to change too.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dpcore.base.serialization import an_object, read_json, refuse_broken
from dpcore.base.text import quoted
from dpcore.base.types import Target
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.guarantees.privacy import Adjacency
from dpcore.registry import usable
from dpcore.targets.query import unasked
from pages.experiment.choices import kind_of, rows_are_public, target_kinds, title
from pages.experiment.error_sentences import plain
from pages.experiment.question import draws_for
from pages.experiment.question_list import Listed, QuestionList
from pages.experiment.scenario import Scenario, parse, plain_form
from pages.exports import ExportError
from pages.files.tables import Table

VERSION = 1
LONGEST = 8_000  # characters
MOST_SIMULATED = 1_000_000  # rows of a simulated table in place of a confidential one
_MOST_DEPTH = 12  # of lists and entries within one another
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
# Raised by constructors for a value of a wrong kind.
REFUSED = (DpcoreError, ValueError, TypeError, ArithmeticError, MemoryError, RecursionError)
_SHARED = ("oracle", "m", "gamma", "bound", "confidence", "seed", "noise")
_OF_ONE = ("target", "columns", "mechanism", "epsilon", "delta", "oracle")
_NEIGHBOURS = {
    Adjacency.REPLACE_ONE_RECORD: "one row replaced",
    Adjacency.ADD_OR_REMOVE_ONE_RECORD: "one row added or removed",
    Adjacency.REPLACE_ONE_USER: "one person replaced",
    Adjacency.ADD_OR_REMOVE_ONE_USER: "one person added or removed",
}


def to_text(scenario: Scenario) -> str:
    """Return the scenario as the text of a link.

    Raises:
        InvalidValueError: If the text would be longer than a link may be.
        TypeError: If the target, the oracle or the mechanism is not one of dpcore's own.
    """
    settings = _USUAL | scenario.to_json()
    said = {KEYS[name]: value for name, value in settings.items() if name not in _USUAL or value != _USUAL[name]}
    text = json.dumps(said, separators=(",", ":"), ensure_ascii=False)
    if len(text) > LONGEST:
        raise InvalidValueError("link", f"a text of at most {LONGEST:,} characters; share the script instead", len(text))
    return text


def from_text(text: str, tables: Mapping[str, Table]) -> Scenario:
    """Return the scenario of a link.

    Args:
        text: The text of the link.
        tables: The tables of this session, by name.

    Raises:
        DpcoreError: If the link is about a table that is not here, or any part of it cannot be used. Nothing of it is used then.
    """
    said = _read(text)
    if strange := [key for key in said if key not in _NAMES]:
        raise UnknownKindError("setting of a link", strange[0][:40], tuple(KEYS.values()))
    given = _USUAL | {_NAMES[key]: value for key, value in said.items()}
    if given.pop("version") != VERSION:
        raise ExportError(f"The link is of another version than {VERSION}, which this app reads.", "Ask for a new link.")
    if not isinstance(given.get("table"), str):
        raise InvalidValueError("table", "a name", given.get("table"))
    table = tables.get(given["table"])
    if table is None:
        problem = f"The link is about the table {quoted(given['table'])}, which is not here, because a link holds no data."
        raise ExportError(problem, "Upload that table on the page Your data, then open the link again.")
    try:
        scenario = Scenario.from_json(given)
    except DpcoreError:
        raise
    except REFUSED:
        raise ExportError("The link has a setting of the wrong kind.", _COPY) from None
    refuse_unfit(scenario, table)
    return scenario


def _read(text: str) -> dict[str, Any]:
    """Return the entries of a short text of JSON that is not nested deeply."""
    if len(text) > LONGEST:
        raise ExportError(f"The link has {len(text):,} characters, and a link has at most {LONGEST:,}.", _COPY)
    try:
        said = read_json(text, LONGEST, _MOST_DEPTH)
        refuse_broken(said)
    except ValueError:
        said = None
    if not isinstance(said, dict):
        raise ExportError(f"The link cannot be read: it begins with {quoted(text, 20)}.", _COPY)
    return said


def refuse_unfit(scenario: Scenario, table: Table) -> None:
    """Refuse a scenario that does not fit its table as that is declared in this session.

    Raises:
        DpcoreError: If columns, target, oracle, n or adjacency do not fit.
    """
    target, of = scenario.target, quoted(table.title or table.name)
    columns = table.taken(scenario.columns, target)
    expected = table.adjacency_of_rows if target.person is None else table.adjacency
    if scenario.adjacency is not expected:
        came = _NEIGHBOURS[scenario.adjacency]
        raise InvalidValueError("neighbours", f"tables with {_NEIGHBOURS[expected]}, as {of} is declared", came)
    if not suits(target, scenario.columns, table):
        names = ", ".join(map(quoted, scenario.columns[:5]))
        raise InvalidValueError("target", f"one that can be asked of the columns {names} of {of}", title(kind_of(target)))
    if not draws_for(scenario.resolved_oracle(table), target, columns):
        raise InvalidValueError("oracle", "one that simulates exactly the columns of the link", title(kind_of(scenario.oracle)))
    if table.public and scenario.n != (own := table.size(scenario.columns, target)):
        raise InvalidValueError("n", f"{own:,}, the number of records of {of}", scenario.n)
    if scenario.n > MOST_SIMULATED:
        raise InvalidValueError("n", f"at most {MOST_SIMULATED:,} for a simulated table", scenario.n)


# Lists of questions.


def list_to_plain(made: QuestionList) -> dict[str, Any]:
    """Return every question, and the settings that they share."""
    shared = {name: plain_form(getattr(made, name)) for name in _SHARED}
    questions = [{name: plain_form(getattr(one, name)) for name in _OF_ONE} for one in made.questions]
    return {"questions": questions, **shared}


def saved_list(given: object, table: Table) -> tuple[QuestionList | None, list[str]]:
    """Return the questions of a saved list that this table can be asked, and a sentence for each of the others.

    Args:
        given: A list of questions as plain data, such as that of an earlier month's file.
        table: The table.
    """
    kept: list[Listed] = []
    sentences = []
    try:
        said = an_object("list of questions", given, ("questions", *_SHARED))
        for place, one in enumerate(said["questions"], 1):
            try:
                kept.append(_listed(place, one, table))
            except REFUSED as error:
                sentences.append(f"Question {place} of the saved list was left out. {_why(error)}")
        return _list_of(said, tuple(kept), table) if kept else None, sentences
    except REFUSED as error:
        return None, [f"The saved list of questions was not opened. {_why(error)}"]


def _why(error: Exception) -> str:
    return plain(error) if isinstance(error, DpcoreError) else "It cannot be read."


def _list_of(said: dict[str, Any], questions: tuple[Listed, ...], table: Table) -> QuestionList:
    shared = {name: parse(name, said[name]) for name in _SHARED if name != "oracle"}
    made = QuestionList(table.name, questions, oracle=_oracle(said), **shared)
    if made.oracle is None and any(one.oracle is None for one in questions):
        raise InvalidValueError("oracle", "given for questions that share one", None)
    made = made.fitted(table)
    made.lines(table)  # every line is checked as any scenario is
    return made


def _oracle(said: dict[str, Any]) -> Any:
    return None if said["oracle"] is None else parse("oracle", said["oracle"])


def _listed(place: int, one: object, table: Table) -> Listed:
    said = an_object(f"question {place}", one, _OF_ONE)
    target: Target = parse("target", said["target"])
    columns = tuple(target.fields) if target.accepts_structured else parse("columns", said["columns"])
    if not suits(target, columns, table):
        raise InvalidValueError(f"question {place}", "one of this table's columns, as they are declared", None)
    oracle = _oracle(said)
    if oracle is None and not target.accepts_structured:
        raise InvalidValueError(f"question {place}", "one that names its columns, or one with its own oracle", None)
    given = {name: parse(name, said[name]) for name in ("mechanism", "epsilon", "delta")}
    return Listed(target, columns, **given, oracle=oracle)


def suits(target: Target, columns: tuple[str, ...], table: Table) -> bool:
    """Return whether a question can be asked of the table as it is declared.

    Raises:
        DpcoreError: If the table does not have a column.
    """
    declared = tuple(table.column(name) for name in columns)
    taken = table.taken(columns, target)
    number_of_rows = unasked(target, columns)[0].public_alone
    with_own_bounds = table.persons is None and target.accepts_structured and not number_of_rows
    public = number_of_rows and rows_are_public(table) and not (target.where or target.by)
    offered = (kind_of(target) in target_kinds(table) and not public) or with_own_bounds
    alike = target.fits(taken) and usable(target, declared) == declared and offered
    return alike and (table.persons is None) == (target.person is None)
