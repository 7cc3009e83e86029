"""Values, norms, bounds and the names of settings in words: nothing reads as Python does."""

from __future__ import annotations

import math
from dataclasses import fields
from functools import cache
from typing import Any

import numpy as np

from dpcore.base.facts import facts
from dpcore.base.norms import Norm, norm_named
from dpcore.base.quoted import quoted
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP, PureDP, RandomDP
from dpcore.registry.catalog import members
from dpcore.registry.files import ROOMS
from pages.experiment.choices import title
from pages.experiment.scenario import OF_THE_TABLE

_MOST = 40  # characters of a number
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
    "m": "number of trials",
    "n": "number of rows",
    "p": "shares",
    "database": "table",
    "databases": "tables",
    "point.m": "number of trials",
    "rho": "ρ",
    "x_bounds": "public bounds of the columns",
    "y_bounds": "public bounds of the last column",
}


def norm_words(name: str) -> str:
    """A norm as mathematicians write it."""
    try:
        return norm_named(name).words
    except DpcoreError:
        return name


def bound_words(name: str) -> str:
    """The name of a bound as prose has it: "the rank bound"."""
    return f"the {Bound[name].words} bound" if name in Bound.__members__ else "the chosen bound"


def name_words(name: str) -> str:
    """A setting's name for people: in the words of its kind where it has some (``words``, else ``label``)."""
    return _NAMES.get(name) or small(_of_options().get(name) or name.replace("_", " "))


def small(text: str) -> str:
    """With a small first letter, as in the middle of a sentence; names and abbreviations keep theirs."""
    if text.startswith(_proper_names()) or (len(text) > 1 and text[1] == text[1].upper() and text[1].isalpha()):
        return text
    return text[:1].lower() + text[1:]


def kind_title(kind: str) -> str:
    """A kind of target, oracle or mechanism for people."""
    return title(kind) if is_kind(kind) or kind in OF_THE_TABLE else kind


def kind_words(kind: str) -> str:
    """The same in the middle of a sentence."""
    return small(kind_title(kind))


@cache
def _of_options() -> dict[str, str]:
    """What kinds call their options in a sentence."""
    options = [option for kind in _kinds() for option in fields(kind)]
    called = {option.name: option.metadata.get("words", option.metadata.get("label")) for option in options}
    return {name: words_ for name, words_ in called.items() if words_}


@cache
def _proper_names() -> tuple[str, ...]:
    """The kinds that are called after somebody."""
    return tuple(title(kind.__name__) for kind in _kinds() if facts(kind).named_after_somebody)


def _kinds() -> list[Any]:
    return [kind for room in ROOMS for kind in members(room).values()]


def number(value: float) -> str:
    """All its digits, thousands apart: 1,500, 0.1, 1e-08."""
    if isinstance(value, float) and not math.isfinite(value):
        return "infinity" if value > 0 else "minus infinity" if value < 0 else "no number"
    try:
        text = f"{value:,}".removesuffix(".0")
    except ValueError:  # a whole number of more digits than Python writes
        return "a very long number"
    return text if len(text) <= _MOST else f"{text[: _MOST // 2]}…"


def spoken(value: object) -> str:
    """A value that came from a person or a link, or "" where it is none that they would know again."""
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
        return words.name(value)
    return value.words if isinstance(value, Norm) else ""


def is_kind(text: str) -> bool:
    """Whether a member of the catalogue is called so."""
    return any(text in members(room) for room in ROOMS)
