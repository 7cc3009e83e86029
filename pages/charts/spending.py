"""What answers about one table spend: bars that fill with each answer, and are hollow for what is to come."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, final

import numpy as np

from dpcore.guarantees.words import figure as digits
from pages.charts.drawn import BLUE, INK, ON_INK, SILENT, VERMILION, Drawn, figure, gapped, line, shown

PIXELS = 46  # of a bar with its title
_THICK, _TITLE = 0.46, 0.24  # of a bar, and how far above it the middle of its title stands, in rows
_ROWS = (-_THICK / 2 - 0.08, 1 - _THICK / 2 - 0.08)  # from the last bar's foot, and to the first one's title
_STUB, _STUBS = 0.3, 0.66  # of the width: a part that has no number, and all of them together at most
_LETTER = 0.0185  # of the width, on a phone
_STRIPE, _HATCH = 0.012, 0.06  # of the width: between two lines of a hatch, and all of it beside a text


@final
@dataclass(frozen=True)
class Part:
    """An answer, or several. ``to``: the sum with it, as the ledger has it. ``made``: it is spent. ``lacks``: what is said of one
    that joins no sum, in place of a number."""

    said: str
    to: float
    made: bool = False
    lacks: str = ""


@final
@dataclass(frozen=True)
class Bar:
    """One sum, such as ε. ``said``: when its answers were fixed. ``budget`` is its end, of which ``left`` is not spent yet; None
    where the bar above says so."""

    symbol: str
    said: str
    parts: tuple[Part, ...]
    budget: float | None = None
    left: float | None = None

    @property
    def title(self) -> str:
        """The sum and when its answers were fixed; no sum where one part joins none."""
        whole = not any(part.lacks for part in self.parts)
        total = f" = {digits(self.parts[-1].to)}," if whole else ":"
        ends = "" if self.budget is None or self.left is None else f". Budget {digits(self.budget)}: {digits(self.left)} left"
        return f"{self.symbol}{total} {self.said}{ends}"

    @property
    def in_words(self) -> str:
        """The title, and what stands in the bar."""
        steps = (part.lacks or f"{self.symbol} = {digits(part.to)}" for part in self.parts)
        said = (part.said + " (to come)" * (not part.made) for part in self.parts)
        return f"{self.title}. {', '.join(f'{one}: {step}' for one, step in zip(said, steps, strict=True))}."


@final
@dataclass(frozen=True)
class _Piece:
    """What is drawn of a part: from ``low`` to ``high`` of the width."""

    part: Part
    low: float
    high: float
    hatched: bool


def spending(bars: tuple[Bar, ...]) -> tuple[Drawn, str]:
    """The bars under one another, those of one symbol on one scale; and what they say."""
    traces: list[dict[str, Any]] = []
    for row, bar in enumerate(bars):
        up = float(len(bars) - 1 - row)
        scale = _scale([one for one in bars if one.symbol == bar.symbol])
        traces += [trace for piece in _pieces(bar, scale) for trace in _drawn(piece, up)]
        if bar.budget is not None:
            ends = up + np.array([-0.32, -0.13, np.nan, 0.13, 0.32])  # above and below what is written in the bar
            traces.append(line("budget", bar.budget * scale, ends, VERMILION, width=4, **SILENT))
        traces.append(_text(bar.title, 0.0, up + _THICK / 2 + _TITLE, INK, at="middle right"))
    x, y = {"visible": False, "range": [-0.004, 1.008]}, {"visible": False, "range": [_ROWS[0], len(bars) - 1 + _ROWS[1]]}
    made = figure(traces, x=x, y=y, showlegend=False, margin=dict.fromkeys("lrtb", 0))
    return made, " ".join(bar.in_words for bar in bars)


def _stub(bar: Bar) -> float:
    return min(_STUB, _STUBS / max(1, sum(bool(part.lacks) for part in bar.parts)))


def _scale(alike: list[Bar]) -> float:
    """How much of the width 1 is, so that the longest bar ends with it."""
    room = 1 - max(_stub(bar) * sum(bool(part.lacks) for part in bar.parts) for bar in alike)
    longest = max(max(bar.parts[-1].to, bar.budget or 0.0) for bar in alike)
    return room / longest if longest > 0 else 0.0


def _pieces(bar: Bar, scale: float) -> list[_Piece]:
    """From left to right: as much as each part adds to the sum, and where it joins none a stub."""
    found: list[_Piece] = []
    end = 0.0
    for before, part in pairwise((Part("", 0.0), *bar.parts)):
        for wide, hatched in ((scale * (part.to - before.to), False), (_stub(bar) * bool(part.lacks), True)):
            if wide > 0:
                found.append(_Piece(part, end, end + wide, hatched))
                end += wide
    return found


def _drawn(piece: _Piece, up: float) -> list[dict[str, Any]]:
    """Its outline, which is filled where it is spent, its hatch, and what it is, where there is room for that."""
    low, high, foot, top = piece.low + 0.002, piece.high - 0.002, up - _THICK / 2, up + _THICK / 2
    spent = piece.part.made and not piece.hatched
    ink = VERMILION if piece.hatched else BLUE
    fill: dict[str, Any] = {"fill": "toself", "fillcolor": ink} if spent else {}
    found = [line(piece.part.said, [low, high, high, low, low], [foot, foot, top, top, foot], ink, **fill, **SILENT)]
    said = piece.part.lacks if piece.hatched else piece.part.said
    fits = high - low >= _LETTER * len(said) + _HATCH * piece.hatched
    if piece.hatched:
        written = low + _HATCH if fits else high
        starts = np.arange(low, written - _STRIPE, _STRIPE)
        stripes = gapped(starts, starts + _STRIPE), gapped(np.full(len(starts), foot), np.full(len(starts), top))
        found.append(line("hatch", *stripes, ink, width=1.5, **SILENT))
        low = written
    return [*found, _text(said, (low + high) / 2, up, ON_INK if spent else INK)] if fits else found


def _text(said: str, x: float, y: float, colour: str, *, at: str = "middle center") -> dict[str, Any]:
    where = {"x": np.array([x]), "y": np.array([y]), "text": [shown(said)], "textposition": at}
    return {"type": "scatter", "mode": "text", "name": said, "textfont": {"size": 12, "color": colour}} | where | SILENT
