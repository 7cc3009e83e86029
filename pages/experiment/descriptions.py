"""Settings, targets, oracles and questions in plain words, made from the titles of classes and the labels of their fields.

``settings`` lists those of a scenario, and ``differences`` what several scenarios do not share.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from functools import cache
from itertools import repeat
from typing import Any

import numpy as np

from dpcore import ApproxDP, Bound, Column, PureDP, RandomDP, oracles, targets
from dpcore.base.norms import Norm
from dpcore.base.text import counted, quoted
from dpcore.guarantees import descriptions
from dpcore.guarantees.descriptions import percent
from dpcore.registry import FOLDERS, members, title_of
from dpcore.targets.query import AsksTarget, unasked
from dpcore.targets.user_limits import AskedOfPeople
from pages.experiment.choices import kind_of, title
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table

_CATALOGUED = ("dpcore.targets.", "dpcore.oracles.", "dpcore.curves.", "dpcore.mechanisms.", "pages.experiment.scenario")
_INNER = ("curve", "oracle", "rows", "columns", "question", "names", "person")  # fields that are described separately
_MOST_ITEMS = 12
_LONGEST = 40  # characters of a number
_NAMES = {
    "(low, high)": "lowest and highest value",
    "bound": "bound",
    "bounds": "public bounds",
    "category, interval": "category or the interval",
    "categories, edges": "categories or the bin edges",
    "delta": "δ",
    "dims": "number of dimensions",
    "epsilon": "ε",
    "gamma": "γ",
    "m": "number of sampled pairs",
    "n": "number of rows",
    "p": "shares",
    "database": "table",
    "databases": "tables",
    "point.m": "number of sampled pairs",
    "rho": "ρ",
    "x_bounds": "public bounds of the columns",
    "y_bounds": "public bounds of the last column",
}


def bound_words(name: str) -> str:
    """Return the name of a bound in the middle of a sentence, such as "the rank bound"."""
    return f"the {Bound[name].words} bound" if name in Bound.__members__ else "the chosen bound"


def name_words(name: str) -> str:
    """Return the name of a setting; plug-in classes state it as ``words`` or ``label`` of a field."""
    return _NAMES.get(name) or small(_field_names().get(name) or name.replace("_", " "))


def small(text: str) -> str:
    """Return a text with a small first letter. Proper names and abbreviations keep theirs."""
    if text.startswith(_proper_names()) or (len(text) > 1 and text[1] == text[1].upper() and text[1].isalpha()):
        return text
    return text[:1].lower() + text[1:]


def kind_words(kind: str) -> str:
    """Return the title of a plug-in class in the middle of a sentence."""
    return small(title(kind))


@cache
def _field_names() -> dict[str, str]:
    options = [option for kind in _kinds().values() for option in fields(kind)]
    return {one.name: text for one in options if (text := one.metadata.get("words", one.metadata.get("label")))}


@cache
def _proper_names() -> tuple[str, ...]:
    return tuple(title(name) for name, kind in _kinds().items() if kind.named_after_somebody)


@cache
def _kinds() -> dict[str, Any]:
    """Return all plug-in classes by name."""
    return {name: kind for folder in FOLDERS for name, kind in members(folder).items()}


def number(value: float) -> str:
    """Return a number with all digits and separated thousands, such as 1,500 or 1e-08."""
    if isinstance(value, float) and not math.isfinite(value):
        return "infinity" if value > 0 else "minus infinity" if value < 0 else "no number"
    try:
        text = f"{value:,}".removesuffix(".0")
    except ValueError:  # an integer with more digits than Python converts
        return "a very long number"
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST // 2]}…"


def spoken(value: object) -> str:
    """Return a value that a person or a link gave, in words; empty if they would not recognise it."""
    if value is None:
        return "nothing"
    if isinstance(value, (bool, np.bool_)):
        return quoted(str(value).lower())
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, str):
        return title(value) if value in _kinds() else quoted(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (str, int, float)) for item in value):
        return quoted(", ".join(item if isinstance(item, str) else number(item) for item in value))
    if isinstance(value, (PureDP, ApproxDP, RandomDP)):
        return descriptions.name(value)
    return value.words if isinstance(value, Norm) else ""


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
    if whole.said_around is not None:
        return f"{question_of(whole.target, names, table)}, median of {whole.k:,} blocks"
    target, own = unasked(whole, names)
    inner = whole.question if isinstance(whole, AskedOfPeople) else whole
    grouped = inner.by
    told = {condition.column for condition in inner.where} | ({grouped.column} if grouped else set())
    # A row that meets a condition or belongs to a group has a value there, so the text need not say that it is known.
    columns = tuple(replace(table.column(name), missing="") if name in told else table.column(name) for name in own)
    what = _asked_of(target, columns, *((target.once,) if whole.each_once else ()))
    asked = ", ".join(filter(None, (what, whole.words(table.columns) if whole.accepts_structured else "")))
    return f"{asked[:1].upper()}{asked[1:]}"


def _asked_of(target: Any, columns: tuple[Column, ...], *called: str) -> str:
    """Return the target's own words, otherwise its name and the columns."""
    if target.asked_of is not None:
        return str(target.asked_of(columns, *called))
    return f"{target.named or title(kind_of(target))} of {', '.join(_labels(columns))}"


def _labels(columns: tuple[Column, ...]) -> tuple[str, ...]:
    return tuple(column.label or column.name for column in columns)


def target_words(target: Any, columns: tuple[Column, ...]) -> str:
    """Return a target with its public settings in words.

    Args:
        target: The target. Different settings give different texts, except after the twelfth item of a list.
        columns: The columns that it takes.
    """
    if target.said_around is not None and _known(target):
        return str(target.said_around(target_words(target.target, columns)))
    if target.accepts_structured and target.said_of is None:
        of = {column.name: column for column in columns}
        its = tuple(of.get(name, Column(name)) for name in target.columns)
        if target.each_once:
            what = f"the {small(target.target.once)} with a value of {_listed(its)}"
        else:
            what = target_words(target.known if isinstance(target, AsksTarget) else target.target, its)
        return ", ".join(filter(None, (what, target.words(columns))))
    names, made = _labels(columns), target.curve if isinstance(target, targets.OnLattice) else target
    if not (_known(target) and _known(made)):
        return f"a custom function of {_listed(columns)}"
    if target.said_of is not None:
        return str(target.said_of(columns))
    noun = small(made.named or title_of(type(made)))
    settings = [*_settings(made, names), *(_settings(target, names) if made is not target else [])]
    own = [text for text in settings if f"{text} ".startswith(f"{noun} ")]  # such as "quantile 0.9"
    return ", ".join([f"the {own[0] if own else noun} of {_listed(columns)}", *(text for text in settings if text not in own)])


def oracle_words(oracle: Any) -> str:
    """Return an oracle with its public parameters in words."""
    if not _known(oracle):
        return "a custom oracle"
    if isinstance(oracle, TableRecords):
        return oracle.words
    parts = oracle.columns
    if isinstance(parts, tuple) and parts:
        names = (f"{quoted(name)} " for name in oracle.names) if oracle.names else repeat("")
        its = "; and ".join(name + oracle_words(part) for name, part in zip(names, parts, strict=False))
        if not oracle.draws_people:
            return f"independent columns: {its}"
        rows, settings = oracle_words(oracle.rows), ", ".join(_settings(oracle, ()))
        return f"people with several rows; rows a person: {rows}, rounded up; {settings}; each row: {its}"
    if isinstance(oracle, oracles.Mixture):
        each = zip(oracle.parts, oracle.weights, strict=True)
        return "a mixture: " + "; ".join(f"{percent(weight)} {oracle_words(part)}" for part, weight in each)
    noun = oracle_words(oracle.oracle) if isinstance(oracle, oracles.WithMissing) else kind_words(type(oracle).__name__)
    return ", ".join([noun, *_settings(oracle, ())])


def _known(value: Any) -> bool:
    return is_dataclass(value) and type(value).__module__.startswith(_CATALOGUED)


def _listed(columns: tuple[Column, ...]) -> str:
    names = _labels(columns)
    return names[0] if len(names) < 2 else f"{', '.join(names[:-1])} and {names[-1]}"


def _settings(member: Any, names: tuple[str, ...]) -> list[str]:
    """Return one phrase per field, without fields that have no value and defaults without a label."""
    by_feature = member.accepts_codes and member.categories  # each feature has bounds or a number of categories
    skipped: tuple[str, ...] = (*_INNER, "x_bounds", "categories") if by_feature else _INNER
    found: list[str] = []
    if by_feature:
        each = zip(member.x_bounds, member.categories, names or repeat("a column"), strict=False)
        found = [f"{name} of {counted(count, ' categories')}" if count else f"{name} {_span(pair)}" for pair, count, name in each]
    for field in (field for field in fields(member) if field.init and field.name not in skipped):
        value = getattr(member, field.name)
        usual = "label" not in field.metadata and field.default is not MISSING and value == field.default
        if value is not None and not usual:
            found.append(_setting(field, value, names))
    return found


def _setting(field: Field[Any], value: Any, names: tuple[str, ...]) -> str:
    if isinstance(value, np.ndarray):
        return f"from {counted(f'{len(value):,}', ' public rows')}"
    label = field.metadata.get("label", "")
    name = small(label) if len(label) > 1 else name_words(field.name)  # a label of one letter is a formula's
    if field.name.endswith("bounds") or field.name in ("interval", "clip"):
        return _between(field.name, name, value, names)
    if field.name == "ddof":
        return f"divided by n − {value}" if value else "divided by n"
    return f"{name}{':' * (name[-1:].isdigit() or isinstance(value, bool))} {_value(value)}"


def _value(value: Any) -> str:
    if isinstance(value, tuple):
        more = len(value) - _MOST_ITEMS
        return ", ".join(map(_value, value[:_MOST_ITEMS])) + (f" and {more:,} more up to {_value(value[-1])}" if more > 0 else "")
    if isinstance(value, bool):
        return "yes" if value else "no"
    return quoted(value) if isinstance(value, str) else number(value)


def _between(field: str, label: str, value: Any, names: tuple[str, ...]) -> str:
    """Return one interval, or one for each column. ``y_bounds`` belongs to the last column, the others to the first ones."""
    if isinstance(value[0], tuple):
        return ", ".join(f"{names[i] if i < len(names) else f'column {i + 1}'} {_span(pair)}" for i, pair in enumerate(value))
    if field not in ("x_bounds", "y_bounds"):
        return _span(value)
    return f"{names[-1 if field == 'y_bounds' else 0] if names else label} {_span(value)}"


def _span(pair: tuple[float, float]) -> str:
    return f"between {number(pair[0])} and {number(pair[1])}"


IN_FULL = "target in full"
_ALONE = ("table", "target", IN_FULL, "oracle", "neighbours")  # settings that are said without their name
# Settings that usually follow from another target or table; they are said only if the others do not tell scenarios apart.
_FOLLOW = (IN_FULL, "oracle", "n", "mechanism", "neighbours", "δ", "table")


def settings(scenario: Scenario, table: Table) -> dict[str, str]:
    """Return the settings of a scenario by name.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    adjacency = scenario.adjacency
    change = "added or removed" if adjacency.removes else "replaced"
    said = {
        "table": table.title or table.name,
        "target": question(scenario, table),
        IN_FULL: target_words(scenario.target, tuple(table.column(name) for name in scenario.columns)),
        "oracle": oracle_words(scenario.oracle),
        "n": f"{scenario.n:,} {descriptions.counted_in(adjacency)}",
        "neighbours": f"{descriptions.unit_of(adjacency)} {change}",
        "mechanism": title(type(scenario.mechanism).__name__),
        "noise": scenario.noise.words,
        "ε": f"{scenario.epsilon:g}",
        "δ": "" if scenario.delta is None else f"{scenario.delta:g}",
        "γ": f"{scenario.gamma:g}",
        "m": f"{scenario.m:,}",
        "bound": scenario.bound.words,
        "confidence": "" if scenario.confidence is None else f"{scenario.confidence:g}",
        "seed": str(scenario.seed),
    }
    return {name: words for name, words in said.items() if words}


def differences(several: Sequence[dict[str, str]]) -> list[str]:
    """Return for each of several scenarios what it does not share with the others.

    Args:
        several: The settings of each.
    """
    names = list(dict.fromkeys(name for one in several for name in one))
    differ = [name for name in names if len({one.get(name) for one in several}) > 1]
    moved = "table" in differ or "target" in differ
    said = [name for name in differ if not moved or name not in _FOLLOW]
    if len(set(_phrases(several, said))) < len(set(_phrases(several, differ))):
        said = differ
    return _phrases(several, said)


def _phrases(several: Sequence[dict[str, str]], names: Sequence[str]) -> list[str]:
    return [", ".join(_phrase(name, one[name]) for name in names if name in one) for one in several]


def _phrase(name: str, words: str) -> str:
    if name in _ALONE:
        return words
    return f"{name} = {words}" if len(name) == 1 else f"{name}: {words}"
