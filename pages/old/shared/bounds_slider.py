"""The slider of the bounds of values, as far as they are narrower than declared, and what takes a setting of a question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.bounds import Interval
from pages import state
from pages.experiment.question import asked_alone
from pages.old.shared import form, widgets
from pages.old.state.contributions import Analysis


def show(found: Analysis) -> None:
    """Of a question that has bounds; of another one a sentence."""
    question = found.question
    if question.bounds is None or question.widest is None:
        st.markdown(f":small[Each row of a {question.asked.name} counts as 0 or 1, so there are no bounds to choose.]")
        return
    pairs = {_end(pair): pair for pair in question.pairs}
    widgets.slider(
        "bound",
        _label(question.widest),
        "bound",
        sorted(pairs),
        _end(question.bounds),
        lambda end: take_bounds(found, pairs.get(end) or _ending(found, end)),
        step=(question.widest[1] - question.widest[0]) / 100,
    )


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


def take_bounds(found: Analysis, bounds: Interval) -> None:
    """Values between these bounds; the oracle stays, for what it draws is clipped too."""

    def changed() -> Any:
        alone: Any = asked_alone(state.scenario())
        return replace(alone, bounds=bounds)

    take(found, changed, lambda changed: state.rework(target=changed))


def take(found: Analysis, make: Callable[[], Any], adopt: Callable[[Any], None]) -> None:
    """Another target, unless another question took the place of the one that was analysed."""
    form.in_time(form.owner_of(found.scenario.target, found.scenario), asked_now, lambda: form.propose(make, adopt))


def asked_now() -> Any:
    """The target of the scenario that is shown."""
    return state.scenario().target
