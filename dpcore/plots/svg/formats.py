"""Numbers as plotly writes them at an axis: its own way, and the formats of d3 that figures ask for."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any, final

from dpcore.plots.svg.refused import NotDrawnError

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
