"""Table 1 of the sampler's paper at one choice, bound by bound: what follows where γ is fixed, or m, or both."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from dpcore import plots
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.guarantees.words import figure
from dpcore.workbench.scenario import Scenario
from pages.shared.escape import table
from pages.wording.values import bound_words

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
        confidence = plots.confidence_for(bound, scenario.confidence)
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
