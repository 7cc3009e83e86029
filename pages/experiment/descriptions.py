"""Targets, oracles and questions in words, made from the labels of their fields."""

from __future__ import annotations

from dataclasses import MISSING, Field, fields, is_dataclass, replace
from itertools import pairwise, repeat
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.quoted import quoted
from dpcore.base.types import draws_people, takes_codes, takes_fields
from dpcore.guarantees.descriptions import percent
from dpcore.targets.on import unasked
from pages.experiment import choices
from pages.experiment.names import kind_words, name_words, number, small
from pages.experiment.scenario import Scenario
from pages.files.tables import Column, Table

_CATALOGUED = ("dpcore.targets.", "dpcore.oracles.", "dpcore.curves.", "dpcore.mechanisms.", "pages.experiment.scenario")
_INNER = ("curve", "oracle", "rows", "columns", "question")  # fields that are described separately
_MOST_ITEMS = 12
_DIVISORS = {0: "divided by n", 1: "divided by n − 1"}


def question(scenario: Scenario, table: Table) -> str:
    """Return a scenario's question in a few words, such as "Mean of cost, where sex is F, by ward"."""
    return question_of(scenario.target, scenario.columns, table)


def question_of(whole: Any, names: tuple[str, ...], table: Table) -> str:
    """Return the question of a target in a few words.

    Args:
        whole: The target. If it is evaluated on blocks, the text names the inner target and the number of blocks.
        names: The columns that it takes.
        table: Their table.
    """
    if facts(whole).said_around is not None:
        return f"{question_of(whole.target, names, table)}, median of {whole.k:,} blocks"
    target, own = unasked(whole, names)
    inner = facts(facts(whole).question or whole)
    grouped = inner.by
    told = {condition.column for condition in inner.where} | ({grouped.column} if grouped else set())
    # A row that meets a condition or belongs to a group has a value there, so the text need not say that it is known.
    columns = tuple(replace(table.column(name), missing="") if name in told else table.column(name) for name in own)
    what = _asked_of(target, columns, *((facts(target).once,) if facts(whole).each_once else ()))
    if facts(whole).asks is not None:  # a target of users, which states a setting of the question first
        asked: str = whole.asks(what, table.columns)
        return f"{asked[:1].upper()}{asked[1:]}"
    return ", ".join(filter(None, (what, whole.words(table.columns) if takes_fields(whole) else "")))


def _asked_of(target: Any, columns: tuple[Column, ...], *called: str) -> str:
    """Return the target's own words, otherwise its name and the columns."""
    own = facts(target).asked_of
    if own is not None:
        return str(own(columns, *called))
    which = f" {target.named_by:g}" if facts(target).named_by is not None else ""
    named = facts(target).named or f"{choices.title(choices.kind_of(target))}{which}"
    return f"{named} of {', '.join(map(_called, columns))}"


def _called(column: Column) -> str:
    return column.label or column.name


def target_words(target: Any, columns: tuple[Column, ...]) -> str:
    """Return a target with its public settings in words.

    Args:
        target: The target. Different settings give different texts, except after the twelfth item of a list.
        columns: The columns that it takes.
    """
    of = {column.name: column for column in columns}
    if facts(target).said_around is not None and _known(target):
        return str(target.said_around(target_words(target.target, columns)))
    if takes_fields(target) and facts(target).said_of is None:
        its = tuple(of.get(name, Column(name)) for name in target.columns)
        once = small(facts(target.target).once) if facts(target).each_once else ""
        what = f"the {once} with a value of {_listed(tuple(map(_called, its)))}" if once else target_words(target.target, its)
        asks = facts(target).asks  # a target of users, which states a setting of the question first
        return ", ".join(filter(None, (what, target.words(columns)))) if asks is None else str(asks(what, columns, full=True))
    names = tuple(map(_called, columns))
    if not _known(target):
        return f"a custom function of {_listed(names)}"
    made = facts(target).curve or target
    if not _known(made):
        return f"a custom curve of {_listed(names)}"
    if facts(made).said_of is not None:
        return str(made.said_of(columns))
    noun = small(facts(made).named) or kind_words(type(made).__name__)
    settings = [*_settings(made, names), *(_settings(target, names) if made is not target else [])]
    own = [text for text in settings if f"{text} ".startswith(f"{noun} ")]  # such as "quantile 0.9"
    return ", ".join([f"the {own[0] if own else noun} of {_listed(names)}", *(text for text in settings if text not in own)])


def oracle_words(oracle: Any) -> str:
    """Return an oracle with its public parameters in words."""
    if not _known(oracle):
        return "a custom oracle"
    parts = facts(oracle).columns
    if isinstance(parts, tuple) and parts:
        names = (f"{quoted(name)} " for name in oracle.names) if oracle.names else repeat("")
        its = "; and ".join(name + oracle_words(part) for name, part in zip(names, parts, strict=False))
        return f"{_people(oracle)}: {its}" if draws_people(oracle) else f"independent columns: {its}"
    if groups := facts(oracle).parts:
        each = zip(groups, oracle.weights, strict=True)
        return "a mixture: " + "; ".join(f"{percent(weight)} {oracle_words(part)}" for part, weight in each)
    inner = facts(oracle).oracle
    noun = kind_words(type(oracle).__name__) if inner is None else oracle_words(inner)
    return ", ".join([noun, *_settings(oracle, ())])


def _people(oracle: Any) -> str:
    """Return the number of rows per user, and the settings of their correlation."""
    settings = [text for text in _settings(oracle, ()) if not text.startswith(("names", "person"))]
    return f"people with several rows; rows a person: {oracle_words(oracle.rows)}, rounded up; {', '.join(settings)}; each row"


def _known(value: Any) -> bool:
    return is_dataclass(value) and type(value).__module__.startswith(_CATALOGUED)


def _listed(names: tuple[str, ...]) -> str:
    return names[0] if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def _settings(member: Any, names: tuple[str, ...]) -> list[str]:
    """Return one phrase per field, without fields that have no value and defaults without a label."""
    found = [(field, getattr(member, field.name)) for field in fields(member) if field.init and field.name not in _INNER]
    counts: tuple[int, ...] = member.categories if takes_codes(member) else ()
    if counts:
        bounds = next(field for field, _ in found if field.name == "x_bounds")
        found = [(field, value) for field, value in found if field.name not in ("x_bounds", "categories")]
        first = [_of_features(bounds, member.x_bounds, counts, names)]
    else:
        first = []
    return first + [_setting(field, value, names) for field, value in found if value is not None and not _silent(field, value)]


def _of_features(field: Field[Any], bounds: tuple[Any, ...], counts: tuple[int, ...], names: tuple[str, ...]) -> str:
    """Return the bounds or the number of categories of each feature."""
    each = zip(bounds, counts, names or ("a column",) * len(counts), strict=False)
    return ", ".join(
        f"{name} of {counted(count, ' categories')}" if count else _between(field, pair, (name,)) for pair, count, name in each
    )


def _silent(field: Field[Any], value: Any) -> bool:
    if isinstance(value, np.ndarray) or field.name == "ddof":
        return False
    named = "label" in field.metadata or "bounds" in field.name
    return not named and field.default is not MISSING and value == field.default


def _setting(field: Field[Any], value: Any, names: tuple[str, ...]) -> str:
    name = field.name
    if isinstance(value, np.ndarray):
        return f"from {counted(f'{len(value):,}', ' public rows')}"
    if name == "ddof":
        return _DIVISORS[value]
    if name == "longest":
        return f"at most {counted(f'{value:,}', ' letters')} of a row"
    if name == "alphabet":
        return _letters(value)
    if name.endswith("bounds") or name in ("interval", "clip"):
        return _between(field, value, names)
    label = field.metadata.get("label", "")
    name = small(label) if len(label) > 1 else name_words(name)  # a label of one letter is a formula's
    if name[-1:].isdigit():
        name += ":"
    if isinstance(value, bool):
        return f"{name}: {'yes' if value else 'no'}"
    if isinstance(value, tuple):
        return f"{name} {_list(value)}"
    return f"{name} {quoted(value) if isinstance(value, str) else number(value)}"


def _between(field: Field[Any], value: Any, names: tuple[str, ...]) -> str:
    """Return one interval, or one for each column. ``y_bounds`` belongs to the last column, the others to the first ones."""
    if not isinstance(value[0], tuple):
        if names and field.name in ("x_bounds", "y_bounds"):
            whose = f"{names[-1 if field.name == 'y_bounds' else 0]} "
        else:
            whose = f"{small(field.metadata['label'])} " if field.name in ("x_bounds", "y_bounds") else ""
        return f"{whose}between {number(value[0])} and {number(value[1])}"
    whose_all = [names[i] if i < len(names) else f"column {i + 1}" for i in range(len(value))]
    pairs = zip(whose_all, value, strict=True)
    return ", ".join(f"{whose} between {number(low)} and {number(high)}" for whose, (low, high) in pairs)


def _list(values: tuple[Any, ...]) -> str:
    shown = [quoted(item) if isinstance(item, str) else number(item).replace(",", "") for item in values[:_MOST_ITEMS]]
    more = len(values) - len(shown)
    return ", ".join(shown) + (f" and {more} more up to {number(values[-1])}" if more and not isinstance(values[-1], str) else "")


def _letters(alphabet: str) -> str:
    run = len(alphabet) > 3 and all(ord(b) == ord(a) + 1 for a, b in pairwise(alphabet))
    return f"letters {alphabet[0]} to {alphabet[-1]}" if run else f"letters {quoted(alphabet)}"
