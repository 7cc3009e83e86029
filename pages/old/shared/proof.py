"""Which bound? Why? Few trials, a wrong oracle, the bounds, Table 1 as numbers, the miss law; and the charts' numbers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound, OperatingPoint, chance_of_missing_more
from dpcore.guarantees.privacy import PureDP
from dpcore.guarantees.words import figure, percent, sentence
from pages import state
from pages.experiment.scenario import LEAST_CONFIDENCE, MOST_CONFIDENCE, MOST_M, Scenario
from pages.old import charts
from pages.old.charts.operating_points import GAMMAS, NAMES, confidence_for, least_m, shown_bounds
from pages.old.shared import badges, picture
from pages.old.shared.escape import escaped, table
from pages.old.shared.live import mounts
from pages.old.shared.widgets import control, while_open
from pages.old.state.view import Shown, View
from pages.old.wording.values import bound_words

# Choosing an operating point: by a click in its chart, or from a list, which the keyboard reaches too.


def clicked() -> None:
    """The point of the chart that was clicked becomes the choice."""
    chosen = st.session_state["points"]["selection"]["points"]
    bounds = shown_bounds(state.scenario().bound)
    if chosen and chosen[0]["curve_number"] < len(bounds):
        _choose(bounds[chosen[0]["curve_number"]], float(chosen[0]["x"]), int(chosen[0]["y"]))


def picked() -> None:
    """The same, of the chart that follows the hand."""
    said: Any = st.session_state[mounts.key_of("trials")].get("picked")
    by_name = {NAMES[bound]: bound for bound in shown_bounds(state.scenario().bound)}
    if (
        isinstance(said, dict)
        and said.get("name") in by_name
        and all(isinstance(said.get(one), (int, float)) for one in ("gamma", "m"))
    ):
        _choose(by_name[said["name"]], float(said["gamma"]), int(said["m"]))


def choices() -> None:
    """The chart's points that this page can draw, as a list."""
    scenario = state.scenario()
    points = {
        f"{NAMES[bound]}, γ = {gamma:g}, m = {m:,}": (bound, gamma, m)
        for bound in shown_bounds(scenario.bound)
        for gamma, m in zip(GAMMAS, least_m(bound, confidence_for(bound, scenario.confidence)), strict=True)
        if m <= MOST_M
    }
    st.selectbox(
        "Operating point",
        list(points),
        index=None,
        key="choose_point",
        placeholder="Choose a point",
        on_change=lambda: _choose(*points[st.session_state["choose_point"]]) if st.session_state["choose_point"] else None,
    )


def _choose(bound: Bound, gamma: float, m: int) -> None:
    changes = {"bound": bound, "confidence": confidence_for(bound, state.scenario().confidence), "gamma": gamma}
    if m <= MOST_M:  # else the sentence is that of a γ which needs more draws than the page makes
        changes["m"] = m
    state.change(**changes)


# Table 1 of the sampler's paper at one choice, bound by bound: what follows where γ is fixed, or m, or both.


FIX_GAMMA, FIX_M, FIX_BOTH = "fix γ", "fix m", "fix both"
WAYS = (FIX_GAMMA, FIX_M, FIX_BOTH)
_ASKED = {
    FIX_GAMMA: "γ = {gamma:g} is wanted: the fewest trials, m, that certify it, and the order k of Δ̂ among them.",
    FIX_M: "m = {m:,} trials can be paid for: the least γ that they certify.",
    FIX_BOTH: "Both m = {m:,} and γ = {gamma:g} are given: the least order k, and so the least Δ̂, that certifies γ.",
}


def show(scenario: Scenario) -> None:
    """The switch, what it asks, and the table."""
    st.session_state.setdefault("table_1", FIX_BOTH)
    fixed = st.segmented_control("Table 1 of the paper at this choice", WAYS, key="table_1", required=True) or FIX_BOTH
    st.markdown(_ASKED[fixed].format(gamma=scenario.gamma, m=scenario.m))
    table(rows(scenario, fixed), "operating-points")


def rows(scenario: Scenario, fixed: str) -> list[dict[str, str]]:
    """m, k, ρ and γ under each bound; ρ belongs to DKW alone."""
    gamma, m = scenario.gamma, scenario.m
    found = []
    for bound in Bound:
        confidence = confidence_for(bound, scenario.confidence)
        of: dict[str, Callable[[], OperatingPoint]] = {
            FIX_GAMMA: partial(OperatingPoint.for_gamma, gamma, bound=bound, confidence=confidence),
            FIX_M: partial(OperatingPoint.for_sample_size, m, bound=bound, confidence=confidence),
            FIX_BOTH: partial(OperatingPoint.for_both, m, gamma, bound=bound, confidence=confidence),
        }
        title = bound_words(bound.name).split()[1] + (f" at {confidence:g}" if confidence else "")  # "the rank bound"
        found.append({"bound": title} | _cells(of[fixed]))
    return found


def _cells(make: Callable[[], OperatingPoint]) -> dict[str, str]:
    try:
        point = make()
    except DpcoreError:
        return {"m": "out of reach", "k": "", "ρ": "", "γ": ""}
    rho = "" if point.rho is None else figure(point.rho)
    return {"m": f"{point.m:,}", "k": f"{point.k:,}", "ρ": rho, "γ": figure(point.gamma)}


_BOUNDS = {
    "RANK": "Rank: a promise on average over the trials. Take it if you are in doubt.",
    "TOLERANCE": "Tolerance: a promise about these very trials, with a confidence. Take it to use one Δ̂ again (Wilks 1941).",
    "TIME_UNIFORM": "Time-uniform: the same, and you may stop early. Take it where trials are slow.",
    "DKW": "DKW: rank's promise from many more trials. Take it to repeat the paper (Theorem 15 of Rubinstein & Aldà 2017).",
}


_THEOREMS = {
    "RANK": "The distance G of a new pair and the m drawn ones are exchangeable, so P(G ≤ G₍ₖ₎) ≥ k/(m+1).",
    "TOLERANCE": "The drawn Δ̂ itself covers 1 − γ of pairs, with the confidence over the draws.",
    "TIME_UNIFORM": "The drawn Δ̂ itself covers 1 − γ of pairs, with the confidence over the draws, for every m at once.",
    "DKW": "This is Theorem 15, with the paper's optimal ρ.",
}
_WRONG_ORACLE = (
    "**What if the oracle is wrong?** The oracle makes up the tables of the trials, so it sizes the noise. The answer itself "
    "never comes from it. Where real rows move the answer further than the oracle's do, more than γ can be left out. Where "
    "they move it less, the noise is larger than it had to be. Below the panels you can try how much that costs."
)


def proof(view: View) -> None:
    """The bound, k and the miss law, in a popover that is built only while it is open."""
    box = st.popover("Which bound? Why?", key="proof", on_change="rerun", icon=":material/function:")
    while_open(box, lambda: _proof(view))


def numbers(view: View) -> None:
    """The table behind every chart, in a popover that is built only while it is open."""
    box = st.popover("Numbers", key="numbers", on_change="rerun", icon=":material/table:", help="The numbers behind the charts")
    while_open(box, lambda: _numbers(view))


def _proof(view: View) -> None:
    scenario, point = view.scenario, view.scenario.point
    st.markdown(_why_so_few(scenario.gamma))
    st.markdown(_WRONG_ORACLE)
    control(
        st.radio,
        "Which bound?",
        list(_BOUNDS),
        key="bound",
        holds=scenario.bound.name,
        act=lambda name: state.change(bound=Bound[name], confidence=confidence_for(Bound[name])),
        format_func=_BOUNDS.__getitem__,
    )
    if scenario.confidence is not None:
        control(
            st.number_input,
            "Confidence over the draws",
            LEAST_CONFIDENCE,
            MOST_CONFIDENCE,
            key="confidence",
            holds=scenario.confidence,
            act=lambda confidence: state.change(confidence=confidence),
            step=0.01,
            format="%.10g",
        )
    st.markdown(
        f"At m = {point.m:,}, k = {point.k:,} and γ = {point.gamma:g}, Δ̂ is the {point.k:,}-th smallest distance. "
        + _THEOREMS[point.bound.name]
    )
    if isinstance(view, Shown):
        st.markdown(escaped(sentence(view.noise.guarantee, view.scenario.adjacency, view.table.unit)))
    fixed = " for an m that was fixed before the draws" if point.bound is Bound.TIME_UNIFORM else ""
    st.markdown(
        f"**In one run** the drawn Δ̂ can leave out more than γ of changes: here with probability "
        f"{percent(chance_of_missing_more(point))}{fixed} (continuous distances). More trials bring that share closer to γ."
    )
    alt = "Chance that the drawn Δ̂ leaves out more than a share of changes."
    _chart(charts.miss(point), "miss", alt, "Chance that more is not protected than γ")
    _chart(charts.orders(point), "orders", "Order k/m of Δ̂ for each γ under each bound.", "The order of Δ̂ under each bound")
    if isinstance(view, Shown):
        _losses(view)
    if view.worst_case is not None:
        st.markdown(f"**Worst case** {figure(view.worst_case.value)}: {view.worst_case.proof}")
    badges.show(badges.PUBLIC_DRAWS)


def _why_so_few(gamma: float) -> str:
    """Why few trials are enough: the rank bound's proof in words."""
    least = OperatingPoint.for_gamma(gamma).m
    one, which = ("one trial is", "the trial") if least == 1 else (f"{least:,} trials are", f"all {least:,}")
    return (
        f"**Why so few trials?** A new change is no more likely to move the answer furthest than any of the trials is. So "
        f"{one} enough for γ = {gamma:g}: the new change goes beyond {which} once in {least + 1:,} times at most, on average. "
        "More trials bring the share that one run leaves out closer to that average."
    )


def _losses(view: Shown) -> None:
    if view.scenario.mechanism.privacy is not PureDP:
        st.markdown("**On the changes left out** Gaussian noise gives away more than ε and δ; how much is no multiple of ε.")
        return
    exact = facts(view.noise.law).loss_is_its_bound and view.headline.exact.value.size == 1
    st.markdown(
        f"**On the changes left out** the loss is not endless: a pair at distance G loses {'' if exact else 'at most '}ε·G/Δ̂, so "
        "P(loss > tε) = 1 − Φ(tΔ̂)" + ("" if exact else " at most") + ", with Φ(g) the share of pairs no further apart than g."
    )
    known = view.trials.reference
    chart = charts.losses(view.trials.sample, true=known.cdf if known else None, true_name=known.name if known else "")
    alt = "Share of changes that lose more than t times the promised ε."
    _chart(chart, "losses", alt, "How much the changes left out lose")


def _chart(drawn: Any, key: str, alt: str, title: str) -> None:
    picture.chart(drawn, key, alt, picture.Picture(title, badges.PUBLIC_DRAWS), height=240)


def _numbers(view: View) -> None:
    st.markdown("**How sensitive is it?** How far the answer moved in the trials")
    if view.trials is not None:
        shares = np.array([0.05, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1.0])
        drawn = np.quantile(view.trials.sample.distances, shares, method="inverted_cdf")
        table([_moves(view, share, float(most)) for share, most in zip(shares, drawn, strict=True)], "sensitivity")
        badges.show(badges.PUBLIC_DRAWS)
    st.markdown("**How many trials do I need?** Choose a row instead of clicking the chart")
    choices()
    if isinstance(view, Shown):
        st.markdown("**What would be published?**")
        table(view.headline.rows(), "answers")
        _together(view)


def _moves(view: View, share: float, most: float) -> dict[str, str]:
    """A share of the changes, how far it moves the answer, and how often a guesser is right on the furthest of it."""
    row = {"share of changes": percent(share), "moves by at most": figure(most)}
    if isinstance(view, Shown):
        row[f"a guesser is right{'' if view.guesser.exact else ', at most'}"] = percent(float(view.guesser.right(most)))
    return row


def _together(view: Shown) -> None:
    """How far all numbers reach at once, under either sensitivity."""
    for noise, what in ((view.noise, "Sampled"), (view.worst_noise, "Worst case")):
        if noise is not None and (said := view.headline.together(noise)):
            st.markdown(f"{what}: {escaped(said[0].lower() + said[1:])}")
