"""The controls of the page People for how much of each person counts: so many rows, or so large a total."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.targets.capped import about_people
from dpcore.targets.clipped_totals import clipped_at
from pages import state
from pages.old.experiment.contributions.limit import Limit, public_limits
from pages.old.shared import bounds_slider, widgets
from pages.old.shared.widgets import control
from pages.old.state.contributions import Analysis

_WAYS = {False: "How many of their rows count, s", True: "How large their total can be, B"}
CAP_GRID = [*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1_000]
_MOST_CAP = 1_000_000


def way(found: Analysis) -> None:
    """What is limited of each person; of a sum alone, for a count of rows is the same either way."""
    control(
        st.radio,
        "What is limited of each person?",
        list(_WAYS),
        key="limited",
        holds=isinstance(found.question.cap, Limit),
        act=lambda total: bounds_slider.take(found, partial(_limited, total=total), lambda changed: state.change(target=changed)),
        format_func=_WAYS.__getitem__,
        horizontal=True,
        help="A cap on rows gives the rows of whoever has many less weight, whatever they add up to. A limit of the total clips "
        "only what a person brings above it, so it often loses less under the same noise.",
    )


def _limited(*, total: bool) -> Any:
    """The question with a limit of totals in place of a cap on rows, of the same noise; or the other way round."""
    about = bounds_slider.asked_now()
    most = max(map(abs, about.target.bounds))
    if total:
        return clipped_at(about.question, about.person, about.rows * most)
    rows = max(1, min(_MOST_CAP, round(max(map(abs, about.totals)) / most)))
    return about_people(about.question, about.columns, about.person, about.question, cap=rows)


def cap(found: Analysis) -> None:
    """s: how many rows of each person count; or B: up to where each person's total does."""
    if isinstance(found.question.cap, Limit):
        _limit(found, found.question.cap)
        return
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


def take_cap(found: Analysis, size: float) -> None:
    """So many rows of each person, or totals up to that, in the question that was analysed."""
    cap = found.question.cap

    def changed() -> Any:
        if isinstance(cap, Limit):
            limit = cap.of_size(size)
            return replace(bounds_slider.asked_now(), totals=(limit.low, limit.high))
        return replace(bounds_slider.asked_now(), rows=int(size))

    bounds_slider.take(found, changed, lambda changed: state.change(target=changed))
