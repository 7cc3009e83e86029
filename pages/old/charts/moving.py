"""What a hand on γ and ε moves in a figure: a value as it is, and the rule by which a browser works it out at any γ and ε.

A builder writes ``raw + scale * noise`` once. Where ``scale`` is moving, so is the sum: its value is drawn where a figure stands
still, and its rule is followed under the hand. Rules are read by
``pages/old/charts/drawing/moves.js``, which has the same functions.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.counted import counted as in_unit
from dpcore.base.everyday import everyday
from dpcore.base.types import FloatArray
from dpcore.errors import UnknownKindError
from dpcore.guarantees import words
from pages.old.charts.encoded import exactly, in_parts, unit


@final
@dataclass(frozen=True, eq=False)
class Moving:
    """A number, numbers (n,) or a text. ``rule``: a name of what is looked up, a number, numbers, or a function of rules, as
    ``["+", "gamma", 1]``."""

    value: Any
    rule: Any

    __array_ufunc__ = None  # an array on the left asks this class

    def __add__(self, other: Any) -> Moving:
        return call("+", value_of(self) + value_of(other), self, other)

    def __radd__(self, other: Any) -> Moving:
        return call("+", value_of(other) + self.value, other, self)

    def __sub__(self, other: Any) -> Moving:
        return call("-", self.value - value_of(other), self, other)

    def __rsub__(self, other: Any) -> Moving:
        return call("-", value_of(other) - self.value, other, self)

    def __mul__(self, other: Any) -> Moving:
        return call("*", self.value * value_of(other), self, other)

    def __rmul__(self, other: Any) -> Moving:
        return call("*", value_of(other) * self.value, other, self)

    def __truediv__(self, other: Any) -> Moving:
        return call("/", self.value / value_of(other), self, other)

    def __rtruediv__(self, other: Any) -> Moving:
        return call("/", value_of(other) / self.value, other, self)


def named(name: str, value: float) -> Moving:
    """What is looked up under this name (``pages/old/charts/live/module/look.js``), as it is now."""
    return Moving(float(value), name)


def sent_once(values: FloatArray, name: str, *given: Any) -> Moving:
    """Numbers that do not move, and are made in the browser of fewer: what is only drawn, right to a part of the largest."""
    return Moving(values, [name, *(in_parts(one) if isinstance(one, np.ndarray) else rule_of(one) for one in given)])


def value_of(one: Any) -> Any:
    """As it is now, of what moves and of what does not."""
    return one.value if isinstance(one, Moving) else one


def rule_of(one: Any) -> Any:
    """A rule as JSON; what does not move is its own."""
    if isinstance(one, Moving):
        return one.rule
    if isinstance(one, np.ndarray):
        return exactly(one)
    if isinstance(one, (float, np.floating)) and not math.isfinite(one):
        return ["nothing"]
    return float(one) if isinstance(one, (int, float, np.number)) and not isinstance(one, bool) else one


def call(name: str, value: Any, *given: Any) -> Moving:
    """What this function in JavaScript makes of these, which is ``value`` now."""
    if name not in FUNCTIONS:
        raise UnknownKindError("function of a rule", name, tuple(sorted(FUNCTIONS)))
    return Moving(value, [name, *map(rule_of, given)])


_OF_ALL = "+ - * / joined where at_most least most roundUp words figure general whole counted distance percent at rows"
_OF_NUMBERS = "twice stackX stackY columns beyond chances best shortfall rooted errorLow errorHigh power"
_OF_OTHERS = "iconX iconY passed wholeNoise wholeError wholeDensity"
FUNCTIONS = frozenset([*_OF_ALL.split(), *_OF_NUMBERS.split(), *_OF_OTHERS.split(), "accuracyPlaces", "accuracyTexts"])
"""Those that JavaScript has: in ``moves.js``, and of particular figures in ``functions.js``."""

# Functions of both languages.


def joined(*parts: Any) -> Moving:
    """Numbers one after another: (n,) of single ones and of arrays."""
    values = [np.atleast_1d(np.asarray(value_of(part), dtype=np.float64)) for part in parts]
    return call("joined", np.concatenate(values), *parts)


def where(condition: Moving, one: Any, other: Any) -> Moving:
    """``one`` where the condition is met, else ``other``."""
    return call("where", value_of(one) if condition.value else value_of(other), condition, one, other)


def at_most(one: Any, other: Any) -> Moving:
    """Whether ``one <= other``; no number is at most another."""
    return call("at_most", bool(value_of(one) <= value_of(other)), one, other)


def least(*given: Any) -> Moving:
    """The least of single numbers and of all in arrays, without what is no number."""
    return call("least", float(np.nanmin(joined(*given).value)), *given)


def most(*given: Any) -> Moving:
    """The largest of them."""
    return call("most", float(np.nanmax(joined(*given).value)), *given)


_ROUND = (1.0, 1.5, 2.0, 3.0, 5.0, 7.0, 10.0)


def round_up(given: Any) -> Moving:
    """The least of 1, 1.5, 2, 3, 5, 7, 10, … that is at least the value: what stays the same while that changes a little."""
    value = float(value_of(given))
    rounded = 1.0
    if value > 0 and math.isfinite(value):
        power = 10.0 ** math.floor(math.log10(value))
        rounded = power * next((times for times in _ROUND if times * power >= value * (1 - 1e-9)), 10.0)
    return call("roundUp", rounded, given)


def words_of(*parts: Any) -> Moving:
    """A text of pieces, each a text or one that moves."""
    return Moving("".join(str(value_of(part)) for part in parts), ["words", *map(rule_of, parts)])


def figure(given: Any) -> Moving:
    """A number of three digits, as words write it."""
    return call("figure", words.figure(float(value_of(given))), given)


def general(given: Any) -> Moving:
    """A number as short as it can be."""
    return call("general", f"{value_of(given):g}", given)


def whole(given: Any) -> Moving:
    """A whole number, with thousands apart."""
    return call("whole", f"{round(value_of(given)):,}", given)


def counted(given: Any, after: str) -> Moving:
    """A number with its unit."""
    return call("counted", in_unit(words.figure(float(value_of(given))), after), given, unit(after))


def distance(given: Any, after: str) -> Moving:
    """The same, and in an everyday unit where that says more."""
    value = float(value_of(given))
    return call("distance", in_unit(words.figure(value), after) + everyday(value, after), given, unit(after))


def at_epsilon(epsilon: float) -> Moving:
    """at ε = 0.5"""
    return words_of("at ε = ", general(named("epsilon", epsilon)))


def by_hand(rule: Any) -> bool:
    """Whether a rule hangs on anything that is looked up: others are numbers that are sent in another form."""
    if isinstance(rule, str):
        return True
    inside = rule[1:] if isinstance(rule, list) else ()
    return any(by_hand(one) for one in inside if not (rule[0] == "words" and isinstance(one, str)))


def settled(part: Any, place: tuple[str | int, ...] = ()) -> tuple[Any, list[list[Any]]]:
    """The same as it is now; and [place, rule] of all in it that moves."""
    if isinstance(part, Moving):
        return part.value, [[list(place), part.rule]]
    moves: list[list[Any]] = []
    if isinstance(part, dict):
        made: Any = {}
        for name, one in part.items():
            made[name], found = settled(one, (*place, name))
            moves += found
        return made, moves
    if isinstance(part, (list, tuple)):
        several = [settled(one, (*place, i)) for i, one in enumerate(part)]
        return type(part)(one for one, _ in several), [move for _, found in several for move in found]
    return part, moves


Numbers = float | FloatArray | Moving
