"""An answer for each group: bars or dots side by side, with whiskers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import Within
from dpcore.answers.grouped import Grouped
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.charts.drawn import BLUE, GREEN, VERMILION, Drawn, no_proved_worst_case
from pages.charts.groups import MOST_DRAWN, Whiskers, groups
from pages.experiment.headlines.grouped import GroupedHeadline

SAMPLED, WORST = "95 in 100, sized to Δ̂", "95 in 100, worst case"


def chart(shown: GroupedHeadline) -> tuple[Drawn, str]:
    """Each group's answer with a whisker for its private versions, and a dashed one under the worst case; and a description."""
    answer: Any = shown.answer
    whiskers = [Whiskers(SAMPLED, shown.reaches(shown.noise, SHARE_WITHIN), BLUE)]
    if shown.worst is not None:
        whiskers.append(Whiskers(WORST, shown.reaches(shown.worst, SHARE_WITHIN), VERMILION, "2px,2px"))
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
    return drawn, f"{described(shown)} at ε = {shown.scenario.epsilon:g} lie within{dashed}."


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
