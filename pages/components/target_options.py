"""The options of a target's own, in the popover Options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.bounds import even_edges
from dpcore.errors import DpcoreError
from dpcore.targets import Histogram, LetterCounts, LinearSVM, OnLattice, Proportion, Quantile, Variance
from dpcore.workbench.scenario import Scenario
from pages.components.inputs import number
from pages.session import state
from pages.session.sentences import plain


def show(scenario: Scenario) -> None:
    """What this kind of target can be told beside its columns and their bounds."""
    target = scenario.target
    if isinstance(target, Quantile):
        number("Quantile q, from 0 to 1", "opt_q", target.q, lambda q: propose(lambda: Quantile(q, target.bounds)), step=0.05)
    elif isinstance(target, Variance):
        st.session_state["opt_ddof"] = target.ddof
        st.selectbox(
            "Divisor", [0, 1], key="opt_ddof", format_func=lambda ddof: "n" if ddof == 0 else "n − 1",
            on_change=lambda: state.change(target=Variance(target.bounds, st.session_state["opt_ddof"])),
        )  # fmt: skip
    elif isinstance(target, Histogram) and target.edges is not None:
        edges = target.edges
        ends, count = (edges[0], edges[-1]), len(edges) - 1
        number("Bins", "opt_bins", count, lambda bins: _rebin(ends, int(bins or 1)), step=1, least=1, most=100)
    elif isinstance(target, Proportion) and target.interval is not None:
        low, high = target.interval
        left, right = st.columns(2)
        with left:
            number("From", "opt_from", low, lambda value: propose(lambda: Proportion(interval=(value, high))))
        with right:
            number("To", "opt_to", high, lambda value: propose(lambda: Proportion(interval=(low, value))))
    elif isinstance(target, OnLattice):
        _curve(target)
    elif isinstance(target, LetterCounts):
        _letters(target)
    elif isinstance(target, LinearSVM):
        number("C, the cost of errors", "opt_cost", target.C, lambda cost: propose(lambda: replace(target, C=cost)), form="%g")
    elif isinstance(target, Proportion) and not isinstance(target.category, str):
        number("Category", "opt_category", target.category, lambda value: propose(lambda: Proportion(category=value)))


def _curve(target: OnLattice) -> None:
    curve: Any = target.curve
    left, right = st.columns(2)
    with left:
        number(
            "Bandwidth", "opt_bandwidth", curve.bandwidth,
            lambda value: propose(lambda: replace(target, curve=replace(curve, bandwidth=value))),
        )  # fmt: skip
    with right:
        number(
            "Degree", "opt_degree", target.degree, lambda degree: propose(lambda: replace(target, degree=int(degree))),
            step=1, least=1,
        )  # fmt: skip


def _letters(target: LetterCounts) -> None:
    st.session_state["opt_longest"] = target.longest
    st.number_input(
        "Letters that count of one record", 1, None, key="opt_longest", value=None, step=1,
        placeholder="all: without a limit there is no finite worst case",
        on_change=lambda: propose(lambda: replace(target, longest=st.session_state["opt_longest"])),
    )  # fmt: skip


def _rebin(ends: tuple[float, float], bins: int) -> None:
    state.change(target=Histogram(edges=even_edges(ends, bins)))


def propose(make: Callable[[], Any], name: str = "target") -> None:
    """Another target (or oracle), or the sentence that refuses it."""
    try:
        state.change(**{name: make()})
    except DpcoreError as error:
        state.change()  # takes earlier sentences away
        state.say(f"{plain(error)} The last one stays.")
