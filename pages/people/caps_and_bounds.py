"""The sliders of the page People: how many rows count, between which bounds, and under how much noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.bounds import Interval
from dpcore.workbench.contributions.of_question import narrowed
from dpcore.workbench.question import asked_alone
from pages.shared import form, sliders
from pages.state import state
from pages.state.contributions import Analysis

CAP_GRID = [*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1_000]
_MOST_CAP = 1_000_000
_SHARES = (0.01, 0.02, 0.03, *(share / 20 for share in range(1, 21)))


def cap(found: Analysis) -> None:
    """s: how many rows of each person count."""
    st.markdown("## How many rows do people have?")
    where = " in each group" if found.question.cap.a_group else ""
    sliders.slider(
        "cap",
        f"Rows that a person counts for{where}, s",
        "s",
        CAP_GRID,
        found.question.cap.rows,
        partial(take_cap, found),
        form="%d",
        most=_MOST_CAP,
    )


def epsilon(found: Analysis) -> None:
    """ε of the answer."""
    st.markdown("## What does the cap cost?")
    sliders.epsilon(found.scenario.epsilon)


def bound(found: Analysis) -> None:
    """The bounds of the values, as far as they are narrower than declared."""
    st.markdown("## Which values count in full?")
    question = found.question
    if question.bounds is None or question.widest is None:
        st.markdown(f":small[Each row of a {question.asked.name} counts as 0 or 1, so there are no bounds to choose.]")
        return
    pairs = {_end(pair): pair for pair in (*_choices(question.widest), question.bounds)}
    sliders.slider(
        "bound",
        _label(question.widest),
        "bound",
        sorted(pairs),
        _end(question.bounds),
        lambda end: take_bounds(found, pairs.get(end) or _ending(found, end)),
        step=(question.widest[1] - question.widest[0]) / 100,
    )


def _choices(widest: Interval) -> list[Interval]:
    return [narrowed(widest, share) for share in _SHARES]


def _end(pair: Interval) -> float:
    """The end that is moved: the upper one, unless no value is above 0."""
    return pair[1] if pair[1] > 0 else pair[0]


def _label(widest: Interval) -> str:
    if widest[0] < 0 < widest[1]:
        return "Upper bound of a value, U; the lower one moves with it"
    return "Upper bound of a value, U" if widest[1] > 0 else "Lower bound of a value"


def _ending(found: Analysis, end: float) -> Interval:
    """The bounds that end at a number from the box."""
    widest = found.question.widest
    assert widest is not None
    low, high = widest
    if high <= 0:
        return end, high
    return (low if low >= 0 else float(f"{low * end / high:.3g}"), end)


def take_cap(found: Analysis, rows: int) -> None:
    """So many rows of each person, in the question that was analysed."""
    _take(found, lambda: replace(_target(), rows=rows), lambda changed: state.change(target=changed))


def take_bounds(found: Analysis, bounds: Interval) -> None:
    """Values between these bounds; the oracle stays, for what it draws is clipped too."""

    def changed() -> Any:
        alone: Any = asked_alone(state.scenario())
        return replace(alone, bounds=bounds)

    _take(found, changed, lambda changed: state.rework(target=changed))


def _take(found: Analysis, make: Callable[[], Any], take: Callable[[Any], None]) -> None:
    form.in_time(form.owner_of(found.scenario.target, found.scenario), _target, lambda: form.propose(make, take))


def _target() -> Any:
    return state.scenario().target
