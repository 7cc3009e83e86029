"""The three panels of Explore: a slider, a chart, and what it was made from."""

from __future__ import annotations

from typing import Any

import numpy as np
import streamlit as st

from dpcore import plots
from dpcore.answers.answer import moved_in
from dpcore.guarantees import words
from dpcore.workbench.error_curve import error_curve
from dpcore.workbench.headlines.base import Headline
from dpcore.workbench.scenario import LEAST_EPSILON, LEAST_GAMMA, LEAST_M, MOST_EPSILON, MOST_GAMMA, MOST_M
from pages.components import badges, live, points, proof
from pages.components.escape import escaped
from pages.session import ledger, state
from pages.session.view import Shown, View, Waiting

HEIGHT = 266  # so that a fourth line of the answer still fits a window of 800
_ANSWERS, _ERROR = "Answers", "Error"
_CONFIG = {"displayModeBar": False}


def _grid(least: float, most: float, steps: int) -> list[float]:
    return sorted({least, most, *(float(f"{x:.2g}") for x in np.geomspace(least, most, steps))})


M_GRID = sorted({int(m) for m in _grid(LEAST_M, MOST_M, 60)} | {19, 99, 199, 999})
GAMMA_GRID = sorted({*_grid(LEAST_GAMMA, MOST_GAMMA, 40), 0.05})
EPSILON_GRID = sorted({*_grid(LEAST_EPSILON, MOST_EPSILON, 60), 1.0})


_SYMBOLS = {"m": "m", "gamma": "γ", "epsilon": "ε"}
_FORMATS = {"m": "%d", "gamma": "%.6g", "epsilon": "%.6g"}


def sensitivity(view: View) -> None:
    """How far the target moves on random neighbours."""
    st.markdown("## How sensitive is it?")
    _slider("m", f"Trials, m: made-up tables with {words.trial_of(view.scenario.adjacency)}", M_GRID, view.scenario.m)
    if isinstance(view, Waiting):
        live.show(view)
        return
    if view.trials is None:
        _instead(view.why)
        return
    sample, reference = view.trials.sample, view.trials.reference
    chart = plots.sensitivity_cdf(
        sample, true=reference.cdf if reference else None, true_name=reference.name if reference else "",
        unit=moved_in(view.answer), global_sensitivity=view.worst_case.value if view.worst_case else None,
    )  # fmt: skip
    alt = (
        f"Cumulative distribution of how far the answer moves over {view.scenario.m} trials, "
        f"with {'the true one, ' if reference else ''}a 95 % band, which holds for the whole curve at once, "
        f"and its inversion at the order k = {view.scenario.point.k}."
    )
    _chart(chart, "cdf", alt)
    with _footer():
        badges.public_draws()
        proof.numbers(view)


def operating_point(view: View) -> None:
    """What m buys."""
    st.markdown("## How many trials do I need?")
    _slider("gamma", "Share of changes not protected, γ (no count of people)", GAMMA_GRID, view.scenario.gamma)
    alt = (
        "Least number of trials m for each γ under each bound, with this choice marked. "
        f"Hollow points need more than {MOST_M:,} trials, which this page does not offer."
    )
    st.plotly_chart(
        plots.operating_points(view.scenario.point, most_m=MOST_M), height=HEIGHT, key="points", config=_CONFIG, alt=alt,
        on_select=points.clicked, selection_mode="points",
    )  # fmt: skip
    with _footer():
        badges.public_draws()
        proof.proof(view)


def readers(view: View) -> None:
    """What a private answer would look like, or how its error falls as ε grows."""
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap=None):
        st.markdown("## What would be published?", width="content")
        _view_switch()
    _slider("epsilon", "ε (more ε: less protection, more accuracy)", EPSILON_GRID, view.scenario.epsilon)
    if not isinstance(view, Shown):
        _instead(view.why)
        with _footer():
            _size(view)
        return
    chart, alt = _error_chart(view.headline) if st.session_state["readers"] == _ERROR else plots.answer(view.headline)
    if view.headline.exact.simulated:
        chart, alt = plots.made_up(chart, alt)
    _chart(chart, "responses", alt)
    with _footer():
        if not view.table.public:
            _comparison(view)
        _size(view)
        if view.confidential:
            badges.confidential()
        elif view.headline.exact.simulated:
            badges.simulated()
        else:
            badges.public_table()


def _view_switch() -> None:
    st.session_state["readers"] = st.session_state.get("readers_shown", _ANSWERS)  # kept when another page was shown between

    def keep() -> None:
        st.session_state["readers_shown"] = st.session_state["readers"]

    st.segmented_control(
        "Shown", [_ANSWERS, _ERROR], key="readers", label_visibility="collapsed", required=True, on_change=keep
    )  # fmt: skip


def _error_chart(headline: Headline) -> tuple[Any, str]:
    scenario = headline.scenario
    curve = error_curve(headline)
    chosen = headline.error(headline.noise.law)
    chart = plots.errors(curve, epsilon=scenario.epsilon, chosen=chosen, unit=headline.answer.after.strip())
    return (
        chart,
        f"Expected error against ε: sampled, worst case and without privacy; at ε = {scenario.epsilon:g} it is {chosen:.3g}.",
    )


def _footer() -> Any:
    return st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute")


def _comparison(view: View) -> None:
    name = view.table.name
    st.session_state["compare"] = state.compared(name)
    st.toggle(
        "Compare with the table", key="compare",
        on_change=lambda: ledger.compare(view.table, on=st.session_state["compare"]),
        help="Shows the table's own answer here, and a regression's records, to you alone. Whatever you then choose in view "
        "of it (target, oracle, bounds, "
        "ε) is covered by no guarantee, and every later release of this table says so.",
    )  # fmt: skip


def _size(view: View) -> None:
    """A box for n, where a made-up table stands in for the table."""
    if not state.made_up():
        return
    st.session_state["exact_n"] = view.scenario.n
    own = view.table.size(view.scenario.columns, view.scenario.target)
    with st.container(horizontal=True, vertical_alignment="center", width="content", gap="xsmall"):
        st.markdown(f":small[{words.counted_in(view.scenario.adjacency).capitalize()}, n]", width="content")
        st.number_input(
            "Records of the made-up table, n", 1, max(own, state.MOST_MADE_UP), key="exact_n", step=1, format="%d", width=92,
            label_visibility="collapsed", on_change=lambda: state.change(n=st.session_state["exact_n"]),
        )  # fmt: skip


def _slider(name: str, label: str, grid: list[Any], value: Any) -> None:
    """The slider with its grid, and beside it a box for every value between its ends."""
    key, exact = f"slide_{name}", f"exact_{name}"
    st.session_state[key] = st.session_state[exact] = value
    st.markdown(f":small[{label}]")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.select_slider(
            label, sorted({*grid, value}), key=key, on_change=lambda: state.change(**{name: st.session_state[key]}),
            format_func=lambda number: f"{number:,}" if number >= 1000 else f"{number:g}", label_visibility="collapsed",
        )  # fmt: skip
        st.number_input(
            f"Exact {_SYMBOLS[name]}", grid[0], grid[-1], key=exact, step=grid[0], format=_FORMATS[name], width=92,
            label_visibility="collapsed", on_change=lambda: state.change(**{name: st.session_state[exact]}),
        )  # fmt: skip


def _chart(figure: Any, key: str, alt: str) -> None:
    st.plotly_chart(figure, height=HEIGHT, key=key, config=_CONFIG, alt=alt)


def _instead(sentence: str) -> None:
    with st.container(height=HEIGHT, border=True):
        st.markdown(escaped(sentence))
