"""Numbers over their names: what the charts of several of them share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.plots.groups import MOST_DRAWN, on_axis
from dpcore.plots.live.encoded import exactly

_LETTER, _AWAY = 6.5, 20  # pixels of a letter on end, and those under every chart that names do not need


def over_names(names: tuple[str, ...], values: FloatArray) -> dict[str, Any]:
    """``values``, their ``names``, and the ``ticks`` of an axis that has ``room`` for them: of the first 256."""
    names = names[:MOST_DRAWN]
    texts, upright, every = on_axis(names)
    return {
        "values": exactly(values[:MOST_DRAWN]), "names": list(names), "upright": upright,
        "ticks": [[place, texts[place]] for place in range(0, len(names), every)],
        "room": round(_LETTER * max(map(len, texts))) - _AWAY if upright else -_AWAY,
    }  # fmt: skip


def of_scale_one(noise: Calibrated[Any]) -> Calibrated[Any]:
    """The same noise, in units of its scale."""
    law: Any = noise.law
    return replace(noise, law=replace(law, scale=1.0))
