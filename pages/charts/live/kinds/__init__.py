"""What a kind of answer has under the hand, in a file of its name; and what these files share.

That is the error against ε, where it hangs on the noise alone, and numbers over their names with what stands beside them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.types import FloatArray
from dpcore.guarantees.words import figure
from dpcore.mechanisms.base import Calibrated
from dpcore.registry.beside import beside, defined, has
from pages.charts.drawn import GREY, NOT_PROVED, with_unit
from pages.charts.groups import MOST_DRAWN, on_axis
from pages.charts.live.encoded import exactly
from pages.charts.responses import ACROSS, DECADES
from pages.experiment.headlines.base import Headline


def has_kind(answer: KindOfAnswer) -> bool:
    """Whether there are charts for this kind of answer."""
    return has(answer, __name__)


def has_charts(shown: Headline) -> bool:
    """Whether there is any for this very answer. What leads must hang on γ alone, not on whether an error at this ε is free."""
    return shown.nothing_lost is None and bool(views(shown))


def answers(shown: Headline, view: str, off: float) -> dict[str, Any]:
    """What the chart of a view needs, with the names of the kind and the view."""
    return {"kind": kind(shown), "view": view, **beside(shown.answer, __name__).views(shown, off)[view]}


def views(shown: Headline) -> tuple[str, ...]:
    """The names of its charts."""
    return tuple(beside(shown.answer, __name__).names(shown)) if has_kind(shown.answer) else ()


def said(shown: Headline) -> dict[str, Any]:
    """What is said of it under the hand."""
    return {"kind": kind(shown), **beside(shown.answer, __name__).said(shown)}


def follows(shown: Headline, noise: Calibrated[Any]) -> dict[str, str]:
    """What of a kind's sentences the browser puts in, by its slot, as it is under this noise; empty where a sentence stays. A
    reach without one is all the browser's."""
    made = defined(shown.answer, __name__, "follows")
    reach = shown.short_reach(noise)
    found: dict[str, str] = made(shown, noise) if made is not None else {"reach": reach} if reach else {}
    return found


def kind(shown: Headline) -> str:
    """By which the module finds its drawings: the name of the kind's file."""
    return type(shown.answer).__module__.rpartition(".")[2]


def errors(shown: Headline) -> dict[str, Any]:
    """As ``pages.charts.errors`` draws it, without what γ and ε move. Its kind adds what the error is worked out from."""
    floor = shown.least_error
    return {
        "across": ACROSS,
        "up": with_unit(shown.error_words, shown.answer.after.strip()),
        "decades": DECADES,
        "floor": floor,
        "none": f"no privacy: {figure(floor)}",
        "worstKnown": shown.worst is not None,
        "worst": "worst case" if shown.worst is not None else NOT_PROVED,
        "alt": "Expected error against ε: sampled, worst case and without privacy.",
    }


# Numbers over their names, and what stands beside them: as bars, marks or whiskers whose noise follows the hand.


BY = ("sampledScale", "worstScale")  # whose scale a noise is in units of
_LETTER, _AWAY = 6.5, 20  # pixels of a letter on end, and those under every chart that names do not need
_LARGEST, _LEAST, _ACROSS = 4.5, 1.5, 75  # of a mark, smaller where many stand beside one another
Spec = dict[str, Any]


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Beside:
    """One mark over each name: at the number there, and where ``by`` names a scale, so many times it further by ``noise``, with
    a whisker of so many times ``half``. ``wide``: of a bar in places; 0 of a mark with this ``symbol``, if any. ``apart``: from
    the middle of the place. ``ends``: the looks of a whisker; ``name`` and ``colour`` are the mark's, where it has one."""

    name: str = ""
    colour: str = GREY
    symbol: str = ""
    wide: float = 0.0
    apart: float = 0.0
    opacity: float = 1.0
    by: str = ""
    noise: FloatArray | None = None
    half: float = 0.0
    ends: Spec | None = None

    def spec(self, size: float) -> Spec:
        """As a browser takes it."""
        looks: Spec = {"name": self.name, "opacity": self.opacity}
        if self.wide:
            looks |= {"colour": "none", "fill": self.colour, "width": 0}
        else:
            looks |= {"colour": self.colour, "symbol": self.symbol, "size": size}
        far = self.half + (0.0 if self.noise is None else float(np.abs(self.noise).max()))
        return {
            "mark": looks if self.wide or self.symbol else None,
            "wide": self.wide,
            "apart": self.apart,
            "by": self.by,
            "noise": None if self.noise is None else exactly(self.noise[:MOST_DRAWN]),
            "half": self.half,
            "ends": self.ends,
            "far": far,
        }


def side_by_side(
    names: tuple[str, ...],
    values: FloatArray,
    series: list[Beside],
    *,
    up: str,
    alt: str,
    worst: bool,
    zero: bool,
) -> Spec:
    """The first 256 of ``names`` and ``values`` with what stands there. ``zero``: whether the axis always has it.
    ``worst``: whether a worst case is proved."""
    size = max(_LEAST, min(_LARGEST, _ACROSS / min(len(names), MOST_DRAWN)))
    more = [] if worst else [{"name": NOT_PROVED, "colour": GREY, "dash": "longdash"}]
    return over_names(names, values, up=up) | {
        "series": [one.spec(size) for one in series],
        "more": more,
        "end": size / 1.5,
        "zero": zero,
        "alt": alt,
    }


def over_names(names: tuple[str, ...], values: FloatArray, *, up: str) -> Spec:
    """The first 256 of ``names`` and ``values``, and an axis that has room for them."""
    names = names[:MOST_DRAWN]
    texts, upright, every = on_axis(names)
    return {
        "values": exactly(np.asarray(values[:MOST_DRAWN], dtype=np.float64)),
        "names": list(names),
        "x": {
            "range": [-0.6, len(names) - 0.4],
            "ticks": [[i, texts[i]] for i in range(0, len(names), every)],
            "upright": upright,
        },
        "y": {"title": up},
        "room": round(_LETTER * max(map(len, texts))) - _AWAY if upright else -_AWAY,
    }


def of_scale_one(noise: Calibrated[Any]) -> Calibrated[Any]:
    """The same noise, in units of its scale."""
    law: Any = noise.law
    return replace(noise, law=replace(law, scale=1.0))
