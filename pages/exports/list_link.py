"""A list of questions as JSON in a link: accepted or refused whole. It holds settings, never data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dpcore.base.facts import facts
from dpcore.base.plain import an_object, json_or_none
from dpcore.base.types import Target, takes_fields
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.registry.fit import fits, usable
from pages.experiment.choices import kind_called, kind_of
from pages.experiment.error_sentences import plain
from pages.experiment.question import kinds_like
from pages.experiment.question_list import Listed, QuestionList
from pages.experiment.scenario import parse, plain_form
from pages.files.tables import Table

KEY = "list"
MOST_BYTES = 8 * 1024
_SHARED = ("oracle", "m", "gamma", "bound", "confidence", "seed", "noise")
_OF_ONE = ("target", "columns", "mechanism", "epsilon", "delta", "oracle")
# Anything that a member may raise for values that it was never made for counts as a refusal.
REFUSED = (DpcoreError, ValueError, TypeError, ArithmeticError, MemoryError, RecursionError)


def written(made: QuestionList | None) -> dict[str, str]:
    """Return the part of a link that holds a list; nothing without questions."""
    if made is None or not made.questions:
        return {}
    return {KEY: json.dumps(to_plain(made), separators=(",", ":"), ensure_ascii=False)}


def to_plain(made: QuestionList) -> dict[str, Any]:
    """Return every question, and what the questions share."""
    shared = {name: _plain_or_none(getattr(made, name)) for name in _SHARED}
    return {"questions": [_question(one) for one in made.questions], **shared}


def _plain_or_none(value: Any) -> Any:
    return None if value is None else plain_form(value)


def _question(one: Listed) -> dict[str, Any]:
    said: dict[str, Any] = {"target": _short(plain_form(one.target))}
    if not takes_fields(one.target):
        said["columns"] = list(one.columns)
    said |= {"mechanism": plain_form(one.mechanism), "epsilon": one.epsilon}
    said |= {} if one.delta is None else {"delta": one.delta}
    return said if one.oracle is None else said | {"oracle": plain_form(one.oracle)}


def _short(value: Any) -> Any:
    """Leave out conditions and groups that are empty: a link has little room."""
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items() if item is not None and (name, item) != ("where", [])}
    return value


def read(query: Mapping[str, str], table: Table) -> tuple[QuestionList | None, str]:
    """Return the list of a link about a table, or the sentence that refuses it; neither if the link has no list.

    Args:
        query: The link's query.
        table: The table that the link is about.
    """
    if KEY not in query:
        return None, ""
    try:
        return _read(json_or_none(query[KEY], MOST_BYTES), table), ""
    except REFUSED as error:
        return None, f"The link's list of questions was not opened. {_why(error)} Make the list again on the page Release."


def read_saved(given: object, table: Table) -> tuple[QuestionList | None, list[str]]:
    """Return the questions of a saved list that this table can be asked, and a sentence for each of the others.

    Args:
        given: A list of questions as plain data, such as that of an earlier month's file.
        table: The table.
    """
    kept, sentences = [], []
    try:
        said = an_object("list of questions", given)
        for place, one in enumerate(said.get("questions") or [], 1):
            try:
                _listed(place, one, table)
                kept.append(one)
            except REFUSED as error:
                sentences.append(f"Question {place} of the saved list was left out. {_why(error)}")
        return (_read({**said, "questions": kept}, table) if kept else None), sentences
    except REFUSED as error:
        return None, [f"The saved list of questions was not opened. {_why(error)}"]


def _why(error: Exception) -> str:
    return plain(error) if isinstance(error, DpcoreError) else "It cannot be read."


def _read(given: object, table: Table) -> QuestionList:
    said = an_object("list of questions", given)
    _refuse_unknown("list", said, ("questions", *_SHARED))
    if not isinstance(said.get("questions"), list) or not said["questions"]:
        raise InvalidValueError("questions", "a list of at least one", said.get("questions"))
    questions = tuple(_listed(place, one, table) for place, one in enumerate(said["questions"], 1))
    shared: dict[str, Any] = {
        name: None if name == "oracle" and said.get(name) is None else parse(name, said.get(name)) for name in _SHARED
    }
    made = QuestionList(table.name, questions, **shared)
    if made.oracle is None and any(one.oracle is None for one in questions):
        raise InvalidValueError("oracle", "given for questions that share one", None)
    made = made.fitted(table)
    made.lines(table)  # every line is checked as any scenario is
    return made


def _refuse_unknown(what: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if unknown := sorted(set(given) - set(known)):
        raise UnknownKindError(f"setting of a {what}", unknown[0], known)


def _listed(place: int, one: object, table: Table) -> Listed:
    said = an_object(f"question {place}", one)
    _refuse_unknown("question", said, _OF_ONE)
    target: Target = parse("target", said.get("target"))
    columns = tuple(facts(target).fields) if takes_fields(target) else parse("columns", said.get("columns"))
    if not suits(target, columns, table):
        raise InvalidValueError(f"question {place}", "one of this table's columns, as they are declared", None)
    oracle = parse("oracle", said["oracle"]) if "oracle" in said else None
    if oracle is None and not takes_fields(target):
        raise InvalidValueError(f"question {place}", "one that names its columns, or one with its own oracle", None)
    given = {name: parse(name, said.get(name)) for name in ("mechanism", "epsilon", "delta")}
    return Listed(target, columns, **given, oracle=oracle)


def suits(target: Target, columns: tuple[str, ...], table: Table) -> bool:
    """Return whether a question can be asked of the table as it is declared.

    Raises:
        DpcoreError: If the table does not have a column.
    """
    declared = tuple(table.column(name) for name in columns)
    taken = table.taken(columns, target)
    kind = kind_of(target)
    with_own_bounds = table.persons is None and takes_fields(target) and not facts(kind_called(kind)).public_alone
    offered = kind in kinds_like(table, target) or with_own_bounds
    alike = fits(target, taken) and usable(target, declared) == declared and offered
    return alike and (table.persons is None) == (facts(target).person is None)
