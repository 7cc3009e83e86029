"""What scenarios that stand side by side come to, in a sentence.

Two are compared only where both give the same guarantee, but for its ε, on the same question: a narrower ± under a weaker
guarantee is no gain, and of two questions neither answer is the more accurate.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

Terms = tuple[tuple[str, str], ...]
GUARANTEE, PROTECTED, ORACLE, SIZE = "the guarantee", "who is protected", "oracle", "n"
BY_CHANCE = frozenset({"m", "the draws"})  # settings with which the trials are others, so that Δ̂ differs by their luck too
NOTHING = "so nothing is compared"
ALIKE = 1.05  # times: two ± that are nearer to each other than that are about the same
_WORDS = ("three", "four", "five", "six", "seven", "eight", "nine", "ten")
_TIMES = {2: "twice"} | {number: f"{word} times" for number, word in enumerate(_WORDS, 3)}
_ROUND = 0.025  # of a whole number, within which a ratio is that number


@final
@dataclass(frozen=True, kw_only=True)
class Compared:
    """One scenario with a private answer. ``label``: what it is, beside the others, as "ε = 0.3".

    ``terms``: each thing that its guarantee hangs on but ε, with what it is here, the name of the guarantee first. ``asks``:
    all that its answer without noise hangs on. ``off``: its ±, None where no number says it. ``right``: how often a guesser is
    right in 100, "57" or "over 99", where the noise tells it exactly, else ``bounded`` by that; "" where that is unknown.
    ``where``: on which changes.
    """

    label: str
    terms: Terms
    asks: str
    off: float | None
    right: str = ""
    bounded: bool = False
    where: str = ""


def conclusion(some: Sequence[Compared], settings: Sequence[str], heading: str) -> str:
    """Of scenarios with an answer, in the order in which they stand; ``settings``: the names of what differs among them, and
    ``heading`` what that is.

    Empty where nothing can be said of several at once.
    """
    if len(some) < 2:
        return ""
    if apart := _differing_terms(some):
        return _of_guarantees(apart, settings)
    if len({one.asks for one in some}) > 1:
        return f"The questions differ, {NOTHING}: {heading}"
    first, last = some[0], some[-1]
    chance = " in these draws" * bool(BY_CHANCE & set(settings))
    found = [said for said in (_accuracy(first, last, chance), _guesser(first, last)) if said]
    begin = _from_to(first.label, last.label) + "," * bool(found and first.where and found[0].startswith(first.where))
    return f"{begin} {'; '.join(found)}" if found else ""


def _differing_terms(some: Sequence[Compared]) -> list[tuple[str, list[str]]]:
    """The names of those that differ, each with what it is where it is anything."""
    names = dict.fromkeys(name for one in some for name, _ in one.terms)
    found = {name: list(dict.fromkeys(value for one in some for own, value in one.terms if own == name)) for name in names}
    return [(name, values) for name, values in found.items() if len(values) > 1]


def _of_guarantees(apart: Sequence[tuple[str, list[str]]], settings: Sequence[str]) -> str:
    """The guarantees by their names where these differ, and the names of all else that does."""
    said = "".join(f": {' | '.join(values)}" for name, values in apart if name == GUARANTEE)
    named = dict.fromkeys((*(name for name, _ in apart if name != GUARANTEE), *settings))
    others = [name for name in named if name not in said]
    also = f" ({_listed(others)} {'differs' if len(others) == 1 else 'differ'})" if others else ""
    return f"The guarantees differ, {NOTHING}{said}{also}"


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _from_to(first: str, last: str) -> str:
    """From ε = 0.3 to 3"""
    (what, _, _), (same, _, value) = first.rpartition(" "), last.rpartition(" ")
    return f"From {first} to {value if what and what == same and ',' not in what else last}"


def _accuracy(first: Compared, last: Compared, chance: str) -> str:
    """By both ±, where each is a number above 0."""
    if not all(one.off is not None and math.isfinite(one.off) and one.off > 0 for one in (first, last)):
        return ""
    assert first.off is not None
    assert last.off is not None
    ratio = first.off / last.off
    if 1 / ALIKE < ratio < ALIKE:
        return "the answer is about as accurate"
    return (f"the answer is {times(ratio)} as accurate" if ratio > 1 else f"the ± is {times(1 / ratio)} as wide") + chance


def times(ratio: float) -> str:
    """A ratio above 1 as one says it: twice, 3.3 times, ten times, 33 times."""
    whole = round(ratio)
    if abs(ratio - whole) <= _ROUND * whole and whole in _TIMES:
        return _TIMES[whole]
    rounded = float(f"{ratio:.2g}")
    return f"{rounded:,.0f} times" if rounded >= 10 else f"{rounded:g} times"


def _guesser(first: Compared, last: Compared) -> str:
    """Only where both numbers are exact, or both are bounds."""
    if not (first.right and last.right) or first.bounded != last.bounded or first.where != last.where:
        return ""
    who = f"{first.where}, a guesser".removeprefix(", ") + "'s limit" * first.bounded
    if first.right == last.right:
        return f"{who} stays at {first.right} in 100"
    return f"{who} goes from {first.right} to {last.right} in 100"
