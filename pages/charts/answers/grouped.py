"""An answer for each group: bars or dots side by side, with whiskers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import Within
from dpcore.answers.grouped import Grouped
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.charts import moving
from pages.charts.answers import ANSWERS, ERROR, Described
from pages.charts.drawn import BLUE, GREEN, VERMILION, Drawn, no_proved_worst_case
from pages.charts.groups import MOST_DRAWN, Whiskers, groups
from pages.charts.moving import Moving
from pages.charts.noise_rules import follows, half_width, mean_error
from pages.charts.responses import SCALES
from pages.experiment.headlines.grouped import GroupedHeadline
from pages.experiment.headlines.numbers import NumbersHeadline, joint_share

SAMPLED, WORST = "95 in 100, sized to Δ̂", "95 in 100, worst case"


def chart(shown: GroupedHeadline) -> Described:
    """Each group's answer with a whisker for its private versions, and a dashed one under the worst case; and a description."""
    answer: Any = shown.answer
    looks = ((shown.noise, SAMPLED, BLUE, "solid"), (shown.worst, WORST, VERMILION, "2px,2px"))
    whiskers = []
    for (noise, name, colour, dash), scale in zip(looks, SCALES, strict=True):
        if noise is not None and views(shown):
            half = half_width(noise.law, SHARE_WITHIN, moving.named(scale, noise.law.scale))
            whiskers.append(Whiskers(name, np.ones(len(shown.labels)), colour, dash, half))
        elif noise is not None:
            whiskers.append(Whiskers(name, shown.reaches(noise, SHARE_WITHIN), colour, dash))
    drawn = groups(
        shown.labels,
        shown.centres,
        whiskers,
        name=shown.exact.name,
        colour=GREEN,
        from_zero=answer.from_zero,
        unit=answer.unit,
        more=() if shown.worst is not None else (no_proved_worst_case(),),
    )
    dashed = ", and a dashed one under the worst case" if shown.worst is not None else ""
    return drawn, moving.words_of(f"{described(shown)} ", moving.at_epsilon(shown.scenario.epsilon), f" lie within{dashed}.")


def views(shown: GroupedHeadline) -> tuple[str, ...]:
    """None where a ± is not so many times the noise's scale, as of a choice, or of a ratio of noisy numbers."""
    of_numbers = all(isinstance(one, NumbersHeadline) for one in shown.each)
    return (ANSWERS, ERROR) if of_numbers and follows(shown.noise.law) else ()


def said(shown: GroupedHeadline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The ± of a group, the same of every group, for all have the same noise; and of all at once."""
    law, after = noise.law, shown.answer.after
    half, every = (half_width(law, share, scale) for share in (SHARE_WITHIN, joint_share(len(shown.labels), SHARE_WITHIN)))
    reach = moving.words_of("± ", moving.counted(half, after))
    return {
        "reach": Moving(shown.short_reach(noise), reach.rule),
        "together": moving.words_of("± ", moving.counted(every, after)),
    }


def error_by_scale(shown: GroupedHeadline) -> Any:
    """E|noise|, the same in each group."""
    return lambda scale: mean_error(shown.noise.law, scale)


def described(shown: GroupedHeadline) -> str:
    """The beginning of a description."""
    answer: Any = shown.answer
    marks = "Bars" if answer.from_zero else "Dots"
    whose = f"{marks} for {_how_many(shown.labels)} {shown.exact.of}"
    return f"{whose}, each with a whisker that 95 in 100 private answers"


def published(response: Any, answer: Grouped, within: Within = None) -> Drawn:
    """The released answers; with a whisker each where it is known how far 95 in 100 lie."""
    assert answer.values is not None  # of kinds that are drawn
    values = answer.values(response)
    whiskers = [] if within is None else [Whiskers("95 in 100 lie within", np.broadcast_to(within, values.shape), BLUE)]
    return groups(
        tuple(name for name, _ in answer.parts(response)),
        values,
        whiskers,
        name="private answer",
        colour=BLUE,
        from_zero=answer.from_zero,
        unit=answer.unit,
    )


def _how_many(labels: tuple[str, ...]) -> str:
    size = len(labels)
    if size > MOST_DRAWN:
        return f"the first {MOST_DRAWN:,} of {size:,} answers"
    return f"{size:,} answers" if size > 1 else "the answer"
