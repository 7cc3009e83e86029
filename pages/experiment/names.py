"""Names of settings, and their values, in plain words."""

from __future__ import annotations

import math
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.norms import Norm
from dpcore.base.quoted import quoted
from dpcore.guarantees import descriptions
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from dpcore.registry.catalog import FOLDERS, members
from pages.experiment.choices import title
from pages.experiment.scenario import OF_THE_TABLE

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


def kind_title(kind: str) -> str:
    """Return the title of a plug-in class; other texts stay."""
    return title(kind) if is_kind(kind) or kind in OF_THE_TABLE else kind


def kind_words(kind: str) -> str:
    """Return the title of a plug-in class in the middle of a sentence."""
    return small(kind_title(kind))


def is_kind(text: str) -> bool:
    """Return whether a plug-in class has this name."""
    return any(text in members(room) for room in FOLDERS)


@cache
def _field_names() -> dict[str, str]:
    options = [option for kind in _kinds() for option in fields(kind)]
    called = {option.name: option.metadata.get("words", option.metadata.get("label")) for option in options}
    return {name: text for name, text in called.items() if text}


@cache
def _proper_names() -> tuple[str, ...]:
    return tuple(title(kind.__name__) for kind in _kinds() if facts(kind).named_after_somebody)


def _kinds() -> list[Any]:
    return [kind for room in FOLDERS for kind in members(room).values()]


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
        return kind_title(value) if is_kind(value) else quoted(value)
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, (str, int, float)) for item in value):
        return quoted(", ".join(item if isinstance(item, str) else number(item) for item in value))
    if isinstance(value, (PureDP, ApproxDP, RandomDP)):
        return descriptions.name(value)
    return value.words if isinstance(value, Norm) else ""
