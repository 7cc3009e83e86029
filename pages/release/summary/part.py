"""Where a summary is asked for: its columns, its pairs and its ε, what that tells, and the receipt."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from dpcore.targets.table_summary import MOST_PAIRS
from pages.experiment import preview
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from pages.experiment.summary import plan
from pages.files.csv_columns.header import listed
from pages.files.tables import Table
from pages.release import receipt
from pages.release.summary import ways
from pages.shared import notices, widgets
from pages.shared.escape import escaped
from pages.wording.sentences import plain

_KEYS = ("summary_columns", "summary_pairs", "summary_epsilon")
_STYLE = "<style>[data-testid='stMultiSelect'] button { min-width: 24px; min-height: 24px; }</style>"  # as a finger needs it
_MOST_TO_PAIR = 20  # columns of which all pairs are offered
_MOST_NAMED = 8  # columns that a sentence names


def show(table: Table, left: Any) -> None:
    """What is asked over the width of the page, and the receipt on the left."""
    st.html(_STYLE)
    notices.show(over=True)
    ways.show_back()
    st.markdown(
        "For each column: how many values are known, the mean, the quartiles and bars. One press answers all of it under one ε. "
        "The answer is shown as cards, and a made-up table can be drawn from it."
    )
    scenario, problem = _asked(table)
    with left:
        if scenario is not None:
            receipt.show_summary(scenario, table, problem)


def _asked(table: Table) -> tuple[Scenario | None, str]:
    """What is asked, None with a sentence on the page where nothing can be; and why there can be no press."""
    offer = plan.offered(table)
    if offer.left_out:
        st.markdown(_left_out(offer.left_out))
    if not offer.columns:
        st.warning(
            "No column of this table can be summed up: a summary needs public bounds or categories. Declare them on the page "
            "Your data."
        )
        return None, ""
    words = {name: table.column(name).label or name for name in offer.columns}
    chosen = _chosen(table, offer.columns, words)
    if not chosen:
        st.warning("Choose at least one column.")
        return None, ""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state.setdefault("summary_epsilon", 1.0)
        epsilon = st.number_input(
            "ε of the summary", LEAST_EPSILON, MOST_EPSILON, key="summary_epsilon", format="%g", step=0.1, width=160
        )
        pairs = _pairs(chosen, words)
    try:
        scenario = plan.asking(table, chosen, epsilon, pairs)
        problem = plan.why_nothing(scenario)
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
        return None, ""
    if not problem:
        st.markdown(_near(scenario))
    return scenario, problem


def _chosen(table: Table, offered: tuple[str, ...], words: dict[str, str]) -> tuple[str, ...]:
    """All at first; of many, a box of names stands there only where somebody wants some of them."""
    key, every = f"{_KEYS[0]}_{table.name}", f"summary_all_{table.name}"
    widgets.hold(key, every, *_KEYS[1:])
    if len(offered) > _MOST_TO_PAIR:
        st.session_state.setdefault(every, True)
        if st.checkbox(f"All {len(offered):,} columns", key=every):
            return offered
    st.session_state.setdefault(key, list(offered[:_MOST_TO_PAIR]))
    st.session_state[key] = [name for name in st.session_state[key] if name in offered]
    return tuple(st.multiselect("Columns", offered, key=key, format_func=words.__getitem__))


def _pairs(chosen: tuple[str, ...], words: dict[str, str]) -> tuple[tuple[str, str], ...]:
    if len(chosen) < 2:
        return ()
    if len(chosen) > _MOST_TO_PAIR:
        st.markdown(f"Pairs are offered where at most {_MOST_TO_PAIR} columns are chosen.")
        return ()
    offered = list(combinations(chosen, 2))
    st.session_state["summary_pairs"] = [one for one in st.session_state.get("summary_pairs", []) if tuple(one) in offered]
    picked: Sequence[tuple[str, str]] = st.multiselect(
        "Pairs of columns, each as a table of counts",
        offered,
        key="summary_pairs",
        format_func=lambda pair: f"{words[pair[0]]} × {words[pair[1]]}",
        max_selections=MOST_PAIRS,
        help="Each pair costs as much as a column of categories: all other ± grow.",
    )
    return tuple(picked)


def _left_out(names: tuple[str, ...]) -> str:
    some = [escaped(name) for name in names[:_MOST_NAMED]]
    more = f" and {counted(len(names) - len(some), ' more')}" if len(names) > len(some) else ""
    which = f"{', '.join(some)}{more}" if more else listed(some)
    return f"Left out, because nothing is declared to count there: {which}. Declare bounds or categories on the page Your data."


def _near(scenario: Scenario) -> str:
    """How close each bar will be, which is known beforehand; and in how many bars the columns are cut."""
    calibrated = preview.calibrated_worst_case(scenario)
    assert calibrated is not None
    target: Any = scenario.target
    near: Any = calibrated.law
    reach = figure(near.half_width(SHARE_WITHIN))
    said = f"In 95 of 100 releases the noise moves a bar by at most {reach} rows, the same in every column."
    if target.bins:
        said += f" Each column of numbers is cut into {target.bins[0]} bars, by the number of rows, of columns and ε alone."
    return said
