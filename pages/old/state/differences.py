"""What differs among scenarios that stand side by side, in words as short as tell them apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, final

from dpcore.base.facts import facts
from dpcore.base.types import takes_fields
from dpcore.guarantees import words
from dpcore.guarantees.privacy import Guarantee
from pages.experiment.choices import first_mechanism, kind_of, own_settings
from pages.experiment.question import asked_alone
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.old.wording.question_words import oracle_words, question
from pages.old.wording.values import bound_words, kind_words, name_words, number, small, spoken

MOST_SAID = 2  # of the settings that differ: with more of them, their names alone are said
_LONGEST = 60  # characters of one scenario's words
Words = tuple[str, ...]
Asked = tuple[Scenario, Table | None]
"""A scenario, and its table where that is still what it was."""
Promised = tuple[Guarantee | None, ...]


@final
@dataclass(frozen=True)
class Differences:
    """``settings``: the names of what differs. ``whole``: what they are in each scenario. ``each``: the same where that is short
    enough to be said in a line; else empty. ``kinds``: those of the guarantees, where they differ; else empty."""

    settings: Words
    whole: Words
    each: Words
    kinds: Words = ()

    @property
    def legends(self) -> Words:
        """What is said of each where it is drawn; of long differences the kinds of the guarantees alone."""
        return self.each or self.kinds

    @property
    def heading(self) -> str:
        """All of it in a line: "ε = 0.5 | ε = 2"."""
        if not self.settings:
            return " | ".join(self.kinds) or "nothing differs"
        if self.each:
            return " | ".join(self.each)
        *first, last = self.settings
        named = f"{', '.join(first)} and {last}" if first else last
        return f"{' | '.join(self.kinds)}; they also differ in {named}" if self.kinds else f"they differ in {named}"


def differences(some: list[Asked], promised: Promised = ()) -> Differences:
    """Among two scenarios or more; what follows from another difference, as a norm from its mechanism, is not named.

    ``promised``: what each promises first. Where the kinds differ, each is said before all else.
    """
    found: dict[str, Words] = {}
    for name, said in _SAID.items():
        if _differ(some, name) and not _follows(name, some):
            found[name] = said(some)
    kinds = _kinds(promised)
    whole = _joined([kinds, *found.values()] if kinds else list(found.values()), len(some))
    apart = len(set(whole)) == len({repr(one) for one, _ in some})
    short = apart and 0 < len(found) <= MOST_SAID and all(len(one) <= _LONGEST for one in whole)
    each = _without_void(kinds, found, promised) or whole if short else ()
    return Differences(tuple(_NAMES.get(name, name_words(name)) for name in found), whole, each, kinds)


def _joined(said: list[Words], size: int) -> Words:
    """All that is said of each, in a line."""
    return tuple(", ".join(filter(None, one)) for one in zip(*said, strict=True)) or ("",) * size


def _kinds(promised: Promised) -> Words:
    """Those of the guarantees, '' where there is none; nothing where they are all of one kind."""
    kinds = tuple("" if one is None else words.kind(one) for one in promised)
    return kinds if len(set(kinds) - {""}) > 1 else ()


def _without_void(kinds: Words, found: dict[str, Words], promised: Promised) -> Words:
    """The same without γ where a guarantee has none, if that still tells all apart; else nothing."""
    if not kinds or "gamma" not in found:
        return ()
    has = [one is None or facts(one).gamma is not None for one in promised]
    gammas = tuple(said if there else "" for said, there in zip(found["gamma"], has, strict=True))
    said = _joined([kinds, *(found | {"gamma": gammas}).values()], len(kinds))
    return said if len(set(said)) == len(said) else ()


def _differ(some: list[Asked], name: str) -> bool:
    return len({repr(getattr(one, name)) for one, _ in some}) > 1


def _follows(name: str, some: list[Asked]) -> bool:
    """Whether a difference comes with another one that is named."""
    asked = any(takes_fields(one.target) for one, _ in some)
    if name == "target" and not asked and (_differ(some, "table") or _differ(some, "columns")):
        return len({repr((kind_of(one.target), own_settings(one.target))) for one, _ in some}) == 1
    if name == "columns":
        return asked or _differ(some, "table")
    if name == "n":
        return all(table is not None and one.n == table.size(one.columns, one.target) for one, table in some)
    if name == "mechanism":
        return all(one.mechanism == first_mechanism(one.target) for one, _ in some)
    return any(_differ(some, other) for other in _WITH.get(name, ()))


def _tables(some: list[Asked]) -> Words:
    return tuple(one.table if table is None else table.title or one.table for one, table in some)


def _columns(some: list[Asked]) -> Words:
    return tuple(", ".join(_called(name, table) for name in one.columns) for one, table in some)


def _called(name: str, table: Table | None) -> str:
    known = {} if table is None else {column.name: column.label or column.name for column in table.columns}
    return known.get(name, name)


def _targets(some: list[Asked]) -> Words:
    """The kinds where they tell targets apart; else a setting or two; else what is asked."""
    apart = None
    if not any(takes_fields(one.target) for one, _ in some):
        apart = _members([asked_alone(one) for one, _ in some])
    return apart or tuple("" if table is None else small(question(one, table)) for one, table in some)


def _oracles(some: list[Asked]) -> Words:
    kinds = tuple(kind_words(kind_of(one.oracle)) for one, _ in some)
    apart = len(set(kinds)) == len({repr(one.oracle) for one, _ in some})
    return kinds if apart else tuple(oracle_words(one.oracle) for one, _ in some)


def _mechanisms(some: list[Asked]) -> Words:
    return _members([one.mechanism for one, _ in some]) or ("",) * len(some)


def _members(members: list[Any]) -> Words | None:
    """By their kinds, or by up to two settings in which members of one kind differ; None where neither tells them apart."""
    size = len({repr(one) for one in members})
    kinds = tuple(small(str(facts(one).named) or kind_words(kind_of(one))) for one in members)
    if len(set(kinds)) == size:
        return kinds
    if len({type(one) for one in members}) > 1 or not is_dataclass(members[0]):
        return None
    differ = [one.name for one in fields(members[0]) if len({repr(getattr(member, one.name)) for member in members}) > 1]
    said = tuple(", ".join(_setting(name, getattr(one, name)) for name in differ) for one in members)
    known = all(_spoken(getattr(one, name)) for one in members for name in differ)
    return said if known and 0 < len(differ) <= MOST_SAID else None


def _setting(name: str, value: Any) -> str:
    return f"no {name_words(name)}" if value is None else f"{name_words(name)} {_spoken(value)}"


def _spoken(value: Any) -> str:
    if isinstance(value, tuple) and len(value) == 2 and all(isinstance(end, (int, float)) for end in value):
        return f"{number(value[0])} to {number(value[1])}"
    return spoken(value).strip("“”")


def _numbers(name: str, form: str) -> Callable[[list[Asked]], Words]:
    def said(some: list[Asked]) -> Words:
        return tuple(form.format(_number(getattr(one, name))) for one, _ in some)

    return said


def _number(value: float | None) -> str:
    return "none" if value is None else f"{value:,}" if isinstance(value, int) else f"{value:g}"


def _bounds(some: list[Asked]) -> Words:
    return tuple(bound_words(one.bound.name).removeprefix("the ") for one, _ in some)


def _changes(some: list[Asked]) -> Words:
    return tuple(words.trial_of(one.adjacency) for one, _ in some)


_NAMES = {"adjacency": "who is protected", "bound": "the bound", "m": "m", "n": "n", "seed": "the draws"}
_WITH = {"delta": ("mechanism",), "confidence": ("bound",)}
_SAID: dict[str, Callable[[list[Asked]], Words]] = {
    "table": _tables,
    "target": _targets,
    "columns": _columns,
    "oracle": _oracles,
    "n": _numbers("n", "n = {}"),
    "adjacency": _changes,
    "bound": _bounds,
    "confidence": _numbers("confidence", "confidence {}"),
    "m": _numbers("m", "m = {}"),
    "gamma": _numbers("gamma", "γ = {}"),
    "epsilon": _numbers("epsilon", "ε = {}"),
    "delta": _numbers("delta", "δ = {}"),
    "mechanism": _mechanisms,
    "seed": _numbers("seed", "seed {}"),
}
