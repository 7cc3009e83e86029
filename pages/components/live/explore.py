"""What each part of Explore that follows the hand is given: made anew where what is asked changed, and not where γ or ε moved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

import numpy as np
import streamlit as st

from dpcore.answers.answer import moved_in
from dpcore.plots import live
from dpcore.plots.live.encoded import text
from dpcore.workbench.live import tables
from dpcore.workbench.live.grids import beside
from dpcore.workbench.scenario import MOST_M
from pages.components import drawn
from pages.components.live import mounts, words
from pages.components.live.mounts import Size
from pages.session import hand, place
from pages.session.view import Shown, View

_MOVED = ("gamma", "epsilon")  # by the hand: no part hangs on them, but for their place in the grids
_KEPT = "live_parts"
_ON_A_WALL = Size(1.45)


def offered(view: View) -> bool:
    """Whether the kind of answer has charts that follow the hand, and the browser is to draw them. Before there is an answer the
    sliders are the same, so that none is taken from a hand when it comes."""
    if not hand.offered():
        return False
    return live.has_charts(view.headline) if isinstance(view, Shown) else live.follows(view.answer)


def draws(view: View, chosen: str) -> bool:
    """Whether the chart of one of its views follows the hand."""
    return hand.offered() and isinstance(view, Shown) and live.draws(view.headline, chosen)


def lay(view: View) -> None:
    """The tables, and where γ and ε are: before everything that looks something up in them."""
    with st.container(key="laid_tables"):  # which takes no room
        mounts.part("tables", _kept("tables", view, lambda: live.tables(**_tables(view))))
        mounts.hold()


def sentences(view: Shown) -> None:
    """The answer, in words."""
    data = _kept("words", view, lambda: words.sentences(view, *_looked_up(view)))
    mounts.part("words", data, size=_ON_A_WALL if place.presenting() else mounts.TEXT)


def title(view: Shown, panel: str) -> None:
    """What a wide chart says of itself."""
    of_panel = _kept(f"title {panel}", view, lambda: words.titles(view, panel, *_looked_up(view)[2:]))
    mounts.part("words", of_panel, key=f"title_{panel}")


def sensitivity(view: View, size: Size) -> None:
    """How far the answer moves."""
    with st.container(key="cdf"):
        mounts.part("sensitivity", _kept("sensitivity", view, lambda: _sensitivity(view)), size=size)


def trials(view: View, size: Size, picked: Callable[[], None]) -> None:
    """What trials cost."""
    with st.container(key="points"):
        mounts.part("trials", _kept("trials", view, lambda: _trials(view)), size=size, picked=picked)


def answers(view: Shown, chosen: str, off: float, size: Size) -> None:
    """What would be published."""
    data = _kept("answers", view, lambda: live.answers(view.headline, chosen, off), also=(chosen, off))
    with st.container(key="responses"):
        mounts.part("answers", data, size=size)


def _tables(view: View) -> dict[str, Any]:
    by_gamma = tables.by_gamma(view.scenario)
    made: dict[str, Any] = {"by_gamma": by_gamma, "units": tables.units(view.scenario)}
    if view.trials is not None:
        made["drawn"] = found = tables.sensitivities(view.trials.sample, by_gamma)
        if isinstance(view, Shown):
            made["edge"] = tables.accuracies(view.scenario, view.leading, view.headline.exact.value.size)
        if isinstance(view, Shown) and view.worst_case is not None:
            made["worst"] = view.worst_case.value
            made["proved"] = np.array([view.leads_over(value) for value in found.values.tolist()], dtype=np.float64)
    return made


def _looked_up(view: Shown) -> tuple[Any, ...]:
    by_gamma = tables.by_gamma(view.scenario)
    epsilons, _ = tables.units(view.scenario)
    return by_gamma.gammas, epsilons, tables.sensitivities(view.trials.sample, by_gamma), live.said(view.headline)


def _sensitivity(view: View) -> dict[str, Any]:
    assert view.trials is not None
    reference = view.trials.reference
    return live.sensitivity(
        view.trials.sample, true=reference.cdf if reference else None, true_name=reference.name if reference else "",
        worst=view.worst_case.value if view.worst_case else None, unit=moved_in(view.answer),
        alt=f"{drawn.sensitivity_alt(view)}.", guesser=view.guesser if isinstance(view, Shown) else None,
        scale=view.leading.law.scale if isinstance(view, Shown) else 0.0,
    )  # fmt: skip


def _trials(view: View) -> dict[str, Any]:
    scenario = view.scenario
    return live.trials(scenario.bound, scenario.confidence, most_m=MOST_M, alt=drawn.OPERATING_POINTS)


def _kept(name: str, view: View, make: Callable[[], dict[str, Any]], *, also: Any = None) -> str:
    """The text of a part; what a session was sent last is not made again."""
    scenario = view.scenario
    exact = view.headline.exact if isinstance(view, Shown) else None
    key: tuple[Any, ...] = (
        tuple(getattr(scenario, field.name) for field in fields(scenario) if field.name not in _MOVED), view.table, type(view),
        None if exact is None else (exact.simulated, exact.value.tobytes()), beside(scenario), also,
    )  # fmt: skip
    kept: dict[str, tuple[Any, str]] = st.session_state.setdefault(_KEPT, {})
    if name not in kept or kept[name][0] != key:
        kept[name] = (key, text(make()))
    return kept[name][1]
