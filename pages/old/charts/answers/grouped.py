"""An answer for each group: bars or dots side by side, with whiskers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import Within
from dpcore.answers.grouped import Grouped
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.old.charts import moving
from pages.old.charts.answers import ANSWERS, ERROR, Described
from pages.old.charts.answers.numbers import plus_minus
from pages.old.charts.drawn import BLUE, GREEN, VERMILION, Drawn, no_proved_worst_case
from pages.old.charts.groups import MOST_DRAWN, Whiskers, groups
from pages.old.charts.moving import Moving
from pages.old.charts.noise_rules import follows, half_width, mean_error
from pages.old.charts.responses import SCALES
from pages.old.experiment.headlines.grouped import GroupedHeadline
from pages.old.experiment.headlines.numbers import NumbersHeadline, joint_share

LOOKS = (("95 in 100, sized to Δ̂", BLUE, "solid"), ("95 in 100, worst case", VERMILION, "2px,2px"))


def chart(shown: GroupedHeadline) -> Described:
    """Each group's answer with a whisker for its private versions, and a dashed one under the worst case; and a description."""
    answer: Any = shown.answer
    noises = [shown.noise] if shown.worst is None else [shown.noise, shown.worst]
    whiskers = []
    for noise, look, scale in zip(noises, LOOKS, SCALES, strict=False):
        reaches: FloatArray = shown.reaches(noise, SHARE_WITHIN)
        times: Any = 1.0
        if views(shown):
            reaches = np.ones(len(shown.labels))
            times = half_width(noise.law, SHARE_WITHIN, moving.named(scale, noise.law.scale))
        name, colour, dash = look
        whiskers.append(Whiskers(name, reaches, colour, dash, times))
    looks: dict[str, Any] = {"name": shown.exact.name, "colour": GREEN, "from_zero": answer.from_zero, "unit": answer.unit}
    dashed = ", and a dashed one under the worst case" if shown.worst is not None else ""
    more = () if shown.worst is not None else (no_proved_worst_case(),)
    drawn = groups(shown.labels, shown.centres, whiskers, more=more, **looks)
    return drawn, moving.words_of(f"{described(shown)} ", moving.at_epsilon(shown.scenario.epsilon), f" lie within{dashed}.")


def views(shown: GroupedHeadline) -> tuple[str, ...]:
    """None where a ± is not so many times the noise's scale, as of a choice, or of a ratio of noisy numbers."""
    of_numbers = all(isinstance(one, NumbersHeadline) for one in shown.each)
    return (ANSWERS, ERROR) if of_numbers and follows(shown.noise.law) else ()


def said(shown: GroupedHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The ± of a group, the same of every group, for all have the same noise; and of all at once."""
    shares = SHARE_WITHIN, joint_share(len(shown.labels), SHARE_WITHIN)
    half, every = (half_width(noise.law, share, scale) for share in shares)
    return plus_minus(shown, noise, half, every)


def error_by_scale(shown: GroupedHeadline) -> Any:
    """E|noise|, the same in each group."""
    return lambda scale: mean_error(shown.noise.law, scale)


def described(shown: GroupedHeadline) -> str:
    """The beginning of a description."""
    answer: Any = shown.answer
    size, marks = len(shown.labels), "Bars" if answer.from_zero else "Dots"
    many = f"{size:,} answers" if size > 1 else "the answer"
    many = f"the first {MOST_DRAWN:,} of {many}" if size > MOST_DRAWN else many
    return f"{marks} for {many} {shown.exact.of}, each with a whisker that 95 in 100 private answers"


def published(response: Any, answer: Grouped, within: Within = None) -> Drawn:
    """The released answers; with a whisker each where it is known how far 95 in 100 lie."""
    assert answer.values is not None  # of kinds that are drawn
    names = tuple(name for name, _ in answer.parts(response))
    return released(names, answer.values(response), within, from_zero=answer.from_zero, unit=answer.unit)


def released(names: tuple[str, ...], values: FloatArray, within: Within, *, from_zero: bool, unit: str = "") -> Drawn:
    """Several released numbers; with a whisker each where it is known how far 95 in 100 lie."""
    near = [] if within is None else [Whiskers("95 in 100 lie within", np.broadcast_to(within, values.shape), BLUE)]
    return groups(names, values, near, name="private answer", colour=BLUE, from_zero=from_zero, unit=unit)
