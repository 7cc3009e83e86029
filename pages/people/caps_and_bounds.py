"""The controls of the page People: how many rows count or how large a total, between which bounds, and under how much noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.bounds import Interval
from dpcore.targets.capped import Capped
from dpcore.targets.clipped_totals import ClippedTotals
from dpcore.targets.total_scores import totals_of
from pages.experiment.contributions.asked import narrowed
from pages.experiment.contributions.limit import Limit, public_limits
from pages.experiment.question import asked_alone
from pages.shared import form, widgets
from pages.shared.widgets import control
from pages.state import state
from pages.state.contributions import Analysis

_WAYS = {False: "How many of their rows count, s", True: "How large their total can be, B"}
CAP_GRID = [*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1_000]
_MOST_CAP = 1_000_000
_SHARES = (0.01, 0.02, 0.03, *(share / 20 for share in range(1, 21)))


def way(found: Analysis) -> None:
    """What is limited of each person; only of a sum, for a count of rows is the same either way."""
    if not found.question.limits:
        return
    control(
        st.radio,
        "What is limited of each person?",
        list(_WAYS),
        key="limited",
        holds=isinstance(found.question.cap, Limit),
        act=lambda total: _take(found, partial(_limited, total=total), lambda changed: state.change(target=changed)),
        format_func=_WAYS.__getitem__,
        horizontal=True,
        help="A cap on rows gives the rows of whoever has many less weight, whatever they add up to. A limit of the total clips "
        "only what a person brings above it, so it often loses less under the same noise.",
    )


def _limited(*, total: bool) -> Any:
    """The question with a limit of totals in place of a cap on rows, of the same noise; or the other way round."""
    about = _target()
    most = max(map(abs, about.target.bounds))
    if total:
        return ClippedTotals(about.question, about.person, totals_of(about.question, about.rows * most))
    rows = max(1, min(_MOST_CAP, round(max(map(abs, about.totals)) / most)))
    return Capped(about.question, about.person, rows)


def cap(found: Analysis) -> None:
    """s: how many rows of each person count; or B: up to where each person's total does."""
    if isinstance(found.question.cap, Limit):
        _limit(found, found.question.cap)
        return
    st.markdown("## How many rows do people have?")
    where = " in each group" if found.question.cap.a_group else ""
    widgets.slider(
        "cap",
        f"Rows that a person counts for{where}, s",
        "s",
        CAP_GRID,
        found.question.cap.rows,
        partial(take_cap, found),
        form="%d",
        most=_MOST_CAP,
    )


def _limit(found: Analysis, limit: Limit) -> None:
    st.markdown("## Whose total is clipped?")
    grid = [each.size for each in public_limits(found.question.widest or (0.0, 1.0))]
    lower = "; the lower one moves with it" if limit.low and limit.high else ""
    end = "Upper" if limit.high else "Lower"
    widgets.slider(
        "limit",
        f"{end} bound of each person's total, B{lower}",
        "B",
        grid,
        limit.size,
        partial(take_cap, found),
        most=1e9 * grid[-1],
    )


def epsilon(found: Analysis) -> None:
    """ε of the answer."""
    st.markdown(f"## What does the {'limit' if isinstance(found.question.cap, Limit) else 'cap'} cost?")
    widgets.epsilon(found.scenario.epsilon)


def bound(found: Analysis) -> None:
    """The bounds of the values, as far as they are narrower than declared."""
    st.markdown("## Which values count in full?")
    question = found.question
    if isinstance(question.cap, Limit):
        st.markdown(":small[The noise depends on B alone. So the bounds of a single value stay as they are.]")
        return
    if question.bounds is None or question.widest is None:
        st.markdown(f":small[Each row of a {question.asked.name} counts as 0 or 1, so there are no bounds to choose.]")
        return
    pairs = {_end(pair): pair for pair in (*(narrowed(question.widest, share) for share in _SHARES), question.bounds)}
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


def take_cap(found: Analysis, size: float) -> None:
    """So many rows of each person, or totals up to that, in the question that was analysed."""
    cap = found.question.cap

    def changed() -> Any:
        if isinstance(cap, Limit):
            limit = cap.of_size(size)
            return replace(_target(), totals=(limit.low, limit.high))
        return replace(_target(), rows=int(size))

    _take(found, changed, lambda changed: state.change(target=changed))


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
