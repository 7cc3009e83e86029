"""A list of questions as plain data: in a link, checked where it is opened."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from dpcore.base.facts import facts
from dpcore.base.plain import an_object, json_or_none
from dpcore.base.types import Target, takes_fields
from dpcore.errors import DpcoreError, InvalidValueError, UnknownKindError
from dpcore.registry.fit import fits, usable
from pages.experiment.choices import kind_of
from pages.experiment.question import kinds_like
from pages.experiment.scenario import Scenario, parse, plain_form
from pages.files.tables import Table
from pages.old.experiment.listed.question_list import MOST_QUESTIONS, Listed, QuestionList
from pages.old.experiment.listed.union import fit_to
from pages.old.state.link import REFUSED
from pages.old.wording.sentences import plain

KEY = "list"
MOST_BYTES = 8 * 1024
_SHARED = ("oracle", "m", "gamma", "bound", "confidence", "seed")
_OWN = ("worst_case",)
_OF_ONE = ("target", "columns", "mechanism", "epsilon", "delta", "oracle")
_UNREAD = "it cannot be read"


def written(made: QuestionList | None) -> dict[str, str]:
    """The part of a link that holds a list; nothing where there is none."""
    if made is None:
        return {}
    return {KEY: json.dumps(to_plain(made), separators=(",", ":"), ensure_ascii=False)}


def to_plain(made: QuestionList) -> dict[str, Any]:
    """Every question with what it shares with the others. It holds settings, never data."""
    shared = {name: plain_form(getattr(made, name)) for name in _SHARED}
    return {"questions": [_question(one) for one in made.questions], **shared, **{name: getattr(made, name) for name in _OWN}}


def _question(one: Listed) -> dict[str, Any]:
    said: dict[str, Any] = {"target": _short(plain_form(one.target))}
    if not takes_fields(one.target):
        said["columns"] = list(one.columns)
    said |= {"mechanism": plain_form(one.mechanism), "epsilon": one.epsilon}
    said |= {} if one.delta is None else {"delta": one.delta}
    return said if one.oracle is None else said | {"oracle": plain_form(one.oracle)}


def _short(value: Any) -> Any:
    """Without conditions and groups that there are none of: a link has little room."""
    if isinstance(value, dict):
        return {name: _short(item) for name, item in value.items() if item is not None and (name, item) != ("where", [])}
    return value


def read(query: Mapping[str, str], shown: Scenario, tables: Mapping[str, Table]) -> tuple[QuestionList | None, list[str]]:
    """The list of a link, about the table of the scenario that it shows, and a sentence for each question that it cannot have."""
    if KEY not in query:
        return None, []
    return checked(json_or_none(query[KEY], MOST_BYTES), tables[shown.table], "The link's")


def checked(said: Any, table: Table, whose: str) -> tuple[QuestionList | None, list[str]]:
    """The list that plain data describes, of this table; a sentence for each question that is refused, and left out."""
    if not isinstance(said, dict) or not isinstance(said.get("questions"), list):
        return None, [f"{whose} list of questions cannot be read, and was left out."]
    questions: list[Listed] = []
    problems = []
    for place, one in enumerate(said["questions"][:MOST_QUESTIONS], 1):
        try:
            found = _listed(one, table)
            if any((found.target, found.columns) == (other.target, other.columns) for other in questions):
                raise InvalidValueError("question", "another than those before it", "the same")
            questions.append(found)
        except REFUSED as error:
            why = plain(error) if isinstance(error, DpcoreError) else f"{_UNREAD}."
            problems.append(f"{whose} question {place} was left out: {why}")
    if len(said["questions"]) > MOST_QUESTIONS:
        given = f"{len(said['questions']):,} questions"
        problems.append(f"{whose} list has {given}, and there is room for {MOST_QUESTIONS}: those were read.")
    if not questions:
        return None, [*problems, f"{whose} list has no question left, so there is none."]
    try:
        made = _read_list(said, tuple(questions), table)
    except REFUSED as error:
        why = plain(error) if isinstance(error, DpcoreError) else f"{_UNREAD}."
        return None, [*problems, f"{whose} list of questions was left out: {why}"]
    return made, problems


def _read_list(said: dict[str, Any], questions: tuple[Listed, ...], table: Table) -> QuestionList:
    _refuse_strange("list", said, ("questions", *_SHARED, *_OWN))
    shared = {name: parse(name, said.get(name)) for name in _SHARED}
    own = {name: said[name] for name in _OWN if name in said}
    made = QuestionList(table.name, questions, **shared, **own)
    made = made.with_(oracle=fit_to(made, table))
    made.lines(table)  # every line is checked as any scenario is
    return made


def _refuse_strange(what: str, given: Mapping[str, Any], known: tuple[str, ...]) -> None:
    if strange := sorted(set(given) - set(known)):
        raise UnknownKindError(f"setting of a {what}", strange[0], known)


def _listed(one: object, table: Table) -> Listed:
    said = an_object("question", one)
    _refuse_strange("question", said, _OF_ONE)
    target: Target = parse("target", said.get("target"))
    columns = tuple(facts(target).fields) if takes_fields(target) else parse("columns", said.get("columns"))
    if not suits(target, columns, table):
        raise InvalidValueError("question", "one of this table's columns, as they are declared", None)
    oracle = parse("oracle", said["oracle"]) if "oracle" in said else None
    if oracle is None and not takes_fields(target):
        raise InvalidValueError("question", "one that names its columns, or one with an oracle of its own", None)
    given = {name: parse(name, said.get(name)) for name in ("mechanism", "epsilon", "delta")}
    return Listed(target, columns, **given, oracle=oracle)


def suits(target: Target, columns: tuple[str, ...], table: Table) -> bool:
    """Whether a question can be asked of the table as it is declared; the table refuses columns that it has not."""
    declared = tuple(table.column(name) for name in columns)
    taken = table.taken(columns, target)
    alike = fits(target, taken) and usable(target, declared) == declared and kind_of(target) in kinds_like(table, target)
    return alike and (table.persons is None) == (facts(target).person is None)
