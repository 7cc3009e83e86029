"""An answer for each group: bars or dots side by side, with whiskers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import Within
from dpcore.answers.grouped import Grouped
from dpcore.base.types import FloatArray
from pages.old.charts.drawn import BLUE, Drawn
from pages.old.charts.groups import Whiskers, groups


def published(response: Any, answer: Grouped, within: Within = None) -> Drawn:
    """The released answers; with a whisker each where it is known how far 95 in 100 lie."""
    assert answer.values is not None  # of kinds that are drawn
    names = tuple(name for name, _ in answer.parts(response))
    return released(names, answer.values(response), within, from_zero=answer.from_zero, unit=answer.unit)


def released(names: tuple[str, ...], values: FloatArray, within: Within, *, from_zero: bool, unit: str = "") -> Drawn:
    """Several released numbers; with a whisker each where it is known how far 95 in 100 lie."""
    near = [] if within is None else [Whiskers("95 in 100 lie within", np.broadcast_to(within, values.shape), BLUE)]
    return groups(names, values, near, name="private answer", colour=BLUE, from_zero=from_zero, unit=unit)
