"""Two charts of scenarios side by side: on shared axes where their units and targets agree, else each on its own."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore import plots
from dpcore.plots.side_by_side import Errors, Moves
from dpcore.workbench.defaults import kind_of
from dpcore.workbench.question import asked_alone
from pages.components import badges, comparison
from pages.session.differing import Differences
from pages.session.pinned_views import Stood
from pages.session.view import Shown

_HEIGHT, _SMALL = 330, 250
_CONFIG = {"displayModeBar": False}
_APART = "Their answers are not of one kind, or not in one unit, so each has axes of its own."


def show(stood: list[Stood], differ: Differences) -> None:
    """Both beside one another, or one above the other where each scenario has its own."""
    says = dict(zip((one.name for one in stood), differ.each or ("",) * len(stood), strict=True))
    moved, answered = [one for one in stood if one.ordered is not None], [one for one in stood if one.curve is not None]
    if len({_measured(one) for one in moved}) < 2 and len({(_measured(one), *one.erring) for one in answered}) < 2:
        left, right = st.columns(2, gap="medium")
        with left:
            st.markdown("### How sensitive?")
            _cdfs(moved, says, _HEIGHT)
        with right:
            st.markdown("### How far off, at each ε?")
            _errors(answered, says, _HEIGHT)
        return
    st.markdown(_APART)
    for draw, some, title in ((_cdfs, moved, "How sensitive?"), (_errors, answered, "How far off, at each ε?")):
        for box, one in zip(st.columns(len(some), gap="small") if some else (), some, strict=True):
            with box:
                st.markdown(f"### {one.name}: {title[0].lower()}{title[1:]}")
                draw([one], says, _SMALL)


def _measured(one: Stood) -> tuple[str, ...]:
    """What its CDF is of."""
    return kind_of(asked_alone(one.scenario)), one.scenario.norm.name, one.unit


def _cdfs(some: list[Stood], says: dict[str, str], height: int) -> None:
    moves = [
        Moves(name=one.name, says=says[one.name], ordered=one.ordered, point=one.scenario.point)
        for one in some
        if one.ordered is not None
    ]
    if not moves:
        st.markdown("None of their trials are made.")
        return
    alt = f"Cumulative distributions of how far the answer moves in the trials of {_names(some)}, with each Δ̂."
    _chart(plots.cdfs(moves, unit=some[0].unit), f"beside_cdf_{_key(some)}", height, alt)
    badges.public_draws()


def _errors(some: list[Stood], says: dict[str, str], height: int) -> None:
    curves = [curve for one in some if (curve := _curve(one, says[one.name])) is not None]
    first = some[0].view if some else None
    if not isinstance(first, Shown) or not curves:
        st.markdown("None of them has an answer.")
        return
    chart = plots.errors_beside(curves, what=first.headline.error_words, unit=first.headline.answer.after.strip())
    alt = f"Expected errors of {_names(some)} against ε, each marked at its own."
    simulated = [one for one in some if isinstance(one.view, Shown) and one.view.headline.exact.simulated]
    if len(simulated) == len(some):
        chart, alt = plots.made_up(chart, alt)
    _chart(chart, f"beside_errors_{_key(some)}", height, alt)
    if simulated and len(simulated) < len(some):
        st.markdown(f":small[Made from a made-up table in place of a confidential one: {_names(simulated)}.]")
    _badges(some)


def _curve(one: Stood, says: str) -> Errors | None:
    """Under the noise that is said first, as on Explore."""
    if not isinstance(one.view, Shown) or one.curve is None:
        return None
    shown, worst = one.view, one.curve.worst_case
    errors = one.curve.sampled if shown.leading is shown.noise or worst is None else worst
    chosen = shown.headline.error(shown.leading.law)
    return Errors(
        name=one.name, says=says, epsilons=one.curve.epsilons, errors=errors, epsilon=one.scenario.epsilon, chosen=chosen
    )  # fmt: skip


def _badges(some: list[Stood]) -> None:
    """What the errors were made from: each of its kinds once."""
    views = [one.view for one in some if isinstance(one.view, Shown)]
    made_from = {(view.table.public, view.table.digest, view.headline.exact.simulated): view for view in views}
    with st.container(horizontal=True):
        for (_, _, simulated), view in made_from.items():
            comparison.badge(view.table, simulated=simulated)


def _chart(figure: Any, key: str, height: int, alt: str) -> None:
    st.plotly_chart(figure, height=height, key=key, config=_CONFIG, alt=alt)


def _names(some: list[Stood]) -> str:
    return ", ".join(one.name for one in some)


def _key(some: list[Stood]) -> str:
    return some[0].name if len(some) == 1 else "all"
