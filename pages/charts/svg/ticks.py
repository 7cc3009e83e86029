"""Where an axis has its numbers, and what they say: the rules of plotly.js, so that a figure reads the same."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from pages.charts.svg.values import NotDrawnError, numbers, unpacked

# Numbers as plotly writes them at an axis: its own way, and the formats of d3 that figures ask for.


MINUS = "−"
_PREFIXES = ("f", "p", "n", "μ", "m", "", "k", "M", "G", "T")
_D3 = re.compile(r"(,)?(?:\.(\d+))?(~)?([fg%])\Z")
_LEAST_EXPONENT = 3
_SI = ("B", "SI", "")


@final
@dataclass(frozen=True, slots=True)
class Format:
    """How an axis writes numbers: ``rounding`` decimals, all over the same power of ten where that is not 0."""

    rounding: int
    exponent: int
    kind: str
    thousands: bool

    @classmethod
    def of(cls, step: float, largest: float, axis: dict[str, Any]) -> Format:
        """For numbers a step apart, of which the largest is so far from 0."""
        kind = axis.get("exponentformat") or "B"
        rounding = 2 - math.floor(math.log10(step) + 0.01)
        power = math.floor(math.log10(largest) + 0.01) if largest > 0 else 0
        exponent = 0
        if abs(power) > _LEAST_EXPONENT:
            exponent = 3 * round((power - 1) / 3) if kind in _SI and not _beyond(power) else power
        return cls(rounding, exponent, kind, bool(axis.get("separatethousands")))

    def text(self, value: float, *, bare: bool = False) -> str:
        """``bare``: without its power of ten, as of 0."""
        exponent = 0 if self.kind == "none" else self.exponent
        size, places = abs(value), self.rounding
        if size < 10.0**-places / 2:
            return "0" if bare or not exponent else "0" + self._power(exponent)
        digits = _fixed(size / 10.0**exponent, places + exponent)
        return (MINUS if value < 0 else "") + self._separated(digits) + ("" if bare or not exponent else self._power(exponent))

    def _power(self, exponent: int) -> str:
        kind = "power" if self.kind in _SI and _beyond(exponent) else self.kind
        if kind == "power":
            return f"×10<sup>{str(exponent).replace('-', MINUS)}</sup>"
        if kind in ("e", "E"):
            return f"{kind}{MINUS if exponent < 0 else '+'}{abs(exponent)}"
        return "B" if kind == "B" and exponent == 9 else _PREFIXES[exponent // 3 + 5]

    def _separated(self, digits: str) -> str:
        """Thousands apart; from five digits on, and before decimals, in any case."""
        whole, point, rest = digits.partition(".")
        if self.thousands or point or len(whole) > 4:
            whole = f"{int(whole):,}"
        return whole + point + rest


def _beyond(exponent: int) -> bool:
    """Whether no prefix stands for it."""
    return exponent > 14 or exponent < -15


def _fixed(value: float, places: int) -> str:
    """At most so many decimals; none of them 0 at the end."""
    if places <= 0:
        return f"{round(value, places):.0f}"
    text = f"{value:.{min(places, 20)}f}"
    return text.rstrip("0").rstrip(".")


def by_d3(value: float, wanted: str) -> str:
    """By a format of d3, of those that figures use: [,][.precision][~] and f, g or %."""
    found = _D3.match(wanted)
    if found is None:
        raise NotDrawnError("tickformat", wanted)
    comma, precision, trimmed, kind = found.groups()
    places = 6 if precision is None else int(precision)
    size = abs(100 * value if kind == "%" else value)
    text = _significant(size, max(1, places)) if kind == "g" else f"{size:.{places}f}"
    mantissa, letter, power = text.partition("e")
    if trimmed and "." in mantissa:
        mantissa = mantissa.rstrip("0").rstrip(".")
    if comma:
        whole, point, rest = mantissa.partition(".")
        mantissa = f"{int(whole):,}{point}{rest}"
    text = (mantissa + letter + power).replace("-", MINUS)
    below = value < 0 and any(digit in "123456789" for digit in mantissa)
    return (MINUS if below else "") + text + ("%" if kind == "%" else "")


def _significant(size: float, digits: int) -> str:
    """As JavaScript's toPrecision: a power of ten below 1e−6 and from 10^digits on."""
    mantissa, _, power = f"{size:.{digits - 1}e}".partition("e")
    exponent = int(power)
    if exponent < -6 or exponent >= digits:
        return f"{mantissa}e{'+' if exponent >= 0 else '-'}{abs(exponent)}"
    return f"{size:.{max(0, digits - 1 - exponent)}f}"


Range = tuple[float, float]
_SMALL, _RAISED = 0.75, 1.25  # of the type: digits between powers of ten, and powers of ten
_NEARLY = 1e-9  # of the range, by which a number at its end may lie beyond it
_FINER = 4  # more decimals where a number is written by its own size
_MOST = 1_000
_A_NAME = 14.4  # pixels, at least, of a category whose name is shown


@final
@dataclass(frozen=True, slots=True)
class Tick:
    """``at``: on a logarithmic axis the exponent of ten. ``size``: times that of the axis's type."""

    at: float
    text: str
    size: float = 1.0


@final
@dataclass(frozen=True, slots=True)
class Step:
    """From a number to the next: linear in what the axis shows, linear in the values of a logarithmic one (L), or all or some
    digits of each power of ten (D1, D2)."""

    size: float
    kind: str = ""


def ticks(axis: dict[str, Any], kind: str, shown: Range, length: float, categories: Sequence[str]) -> list[Tick]:
    """Those of an axis of this kind that shows this range on so many pixels. ``categories`` are the names at 0, 1, 2…"""
    low, high = sorted(shown)
    room = _NEARLY * (high - low)
    if kind == "category" and axis.get("tickvals") is None:
        every = max(1, math.ceil((high - low) / (length / _A_NAME)))
        return [Tick(float(i), categories[i]) for i in range(0, len(categories), every) if low - room <= i <= high + room]
    given = axis.get("tickvals")
    if axis.get("tickmode", "array" if given is not None else "auto") == "array" and given is not None:
        return [tick for tick in _chosen(axis, kind) if low - room <= tick.at <= high + room]
    if (fixed := axis.get("dtick")) is not None:
        step = Step(float(fixed))
    else:
        step = automatic(shown, kind, _roughly(axis, shown, length))
    places = _between(low - room, high + room, step)
    return [_tick(place, axis, kind, shown, step) for place in places]


def _roughly(axis: dict[str, Any], shown: Range, length: float) -> float:
    """How far two numbers are apart, about."""
    pixels = 40.0 if axis["letter"] == "y" else 80.0
    many = axis.get("nticks") or min(max(length / pixels, 4), 9) + 1
    return abs(shown[1] - shown[0]) / float(many)


def automatic(shown: Range, kind: str, rough: float) -> Step:
    """The step that is at least so large and round."""
    if kind != "log":
        return Step(_round(rough))
    if rough > 0.7:
        return Step(float(math.ceil(rough)))
    low, high = sorted(shown)
    if high - low < 1:
        many = 1.5 * (high - low) / rough
        return Step(_round((10.0**high - 10.0**low) / many), "L")
    return Step(1.0, "D2" if rough > 0.3 else "D1")


def _round(rough: float) -> float:
    base = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    return base * next((one for one in (2.0, 5.0, 10.0) if one >= rough / base), 10.0)


def _between(low: float, high: float, step: Step) -> list[float]:
    if step.kind in ("D1", "D2"):
        digits = (1, 2, 3, 4, 5, 6, 7, 8, 9) if step.kind == "D1" else (1, 2, 5)
        powers = range(math.floor(low), math.ceil(high) + 1)
        places = [power + math.log10(digit) for power in powers for digit in digits]
        return [place for place in places if low <= place <= high]
    if step.kind == "L":
        return [math.log10(value) for value in _multiples(10.0**low, 10.0**high, step.size) if value > 0]
    return _multiples(low, high, step.size)


def _multiples(low: float, high: float, step: float) -> list[float]:
    first, last = math.ceil(low / step), math.floor(high / step)
    if last - first > _MOST:
        raise NotDrawnError("dtick", step)
    return [place * step for place in range(first, last + 1)]


def _tick(place: float, axis: dict[str, Any], kind: str, shown: Range, step: Step) -> Tick:
    wanted = axis.get("tickformat")
    if kind == "log":
        return _logarithmic(place, axis, shown, step)
    if wanted:
        return Tick(place, by_d3(place, wanted))
    largest = max(abs(shown[0]), abs(shown[1]))
    return Tick(place, Format.of(step.size, largest, axis).text(place, bare=abs(place / step.size) < 1e-6))


def _logarithmic(place: float, axis: dict[str, Any], shown: Range, step: Step) -> Tick:
    value, wanted = 10.0**place, axis.get("tickformat")
    if wanted:
        return Tick(place, by_d3(value, wanted))
    if step.kind == "L":
        return Tick(place, Format.of(step.size, max(10.0 ** shown[0], 10.0 ** shown[1]), axis).text(value))
    if step.kind and (place + 0.01) % 1 >= 0.1:
        return Tick(place, str(round(10.0 ** (place % 1))), _SMALL)
    power = round(place)
    if axis.get("exponentformat") == "power" or abs(power) > 14:
        raised = {0: "1", 1: "10"}.get(power, f"10<sup>{'' if power > 0 else MINUS}{abs(power)}</sup>")
        return Tick(place, raised, _RAISED)
    return Tick(place, _alone(value, axis))


def _chosen(axis: dict[str, Any], kind: str) -> list[Tick]:
    """At the places that the figure chose, with its texts, or with numbers."""
    values = numbers(axis["tickvals"], "tickvals")
    with np.errstate(divide="ignore", invalid="ignore"):
        places = np.log10(values) if kind == "log" else values
    texts = axis.get("ticktext")
    if texts is not None:
        return [Tick(float(at), str(text)) for at, text in zip(places, unpacked(texts), strict=False) if math.isfinite(at)]
    known = [(float(at), float(value)) for at, value in zip(places, values, strict=True) if math.isfinite(at)]
    return [Tick(at, by_d3(value, wanted) if (wanted := axis.get("tickformat")) else _alone(value, axis)) for at, value in known]


def _alone(value: float, axis: dict[str, Any]) -> str:
    """A number that is written by its own size, whatever stands beside it."""
    own = Format.of(abs(value) or 1.0, abs(value) or 1.0, axis)
    return Format(own.rounding + _FINER, own.exponent, own.kind, own.thousands).text(value)
