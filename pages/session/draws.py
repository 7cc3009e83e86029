"""Draws for looking, kept for the session: ε and γ only rescale and re-index them."""

from __future__ import annotations

import json
from typing import Any

import streamlit as st

from dpcore import preview
from dpcore.norms import Norm
from dpcore.sampler import SensitivitySample
from dpcore.scenario import Scenario
from dpcore.tables import Table

LIVE_SECONDS = 5.0  # the longest that a page waits for draws


def exploration(scenario: Scenario, table: Table) -> SensitivitySample[Norm]:
    """The m draws of the scenario, cached by what they depend on. Raises what the sampler refuses."""
    return _exploration(_key(scenario, "m", "seed"), scenario, table)


def reference(scenario: Scenario, table: Table) -> preview.Reference | None:
    """The true CDF or a large reference sample, cached."""
    return _reference(_key(scenario), scenario, table)


def answer(scenario: Scenario, table: Table, *, real: bool) -> preview.Answer:
    """The target's value on the table itself if ``real``, else on one drawn from the oracle; cached."""
    return _answer(_key(scenario, *([] if real else ["seed"])), real, scenario, table)


def _key(scenario: Scenario, *more: str) -> str:
    data = scenario.to_json()
    return json.dumps([data[name] for name in ("table", "columns", "target", "oracle", "norm", "n", *more)])


# The underscored arguments are not hashed: the key holds all that matters of them. A table's name stands for its data,
# and an upload under a used name clears these caches.
@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _exploration(key: str, _scenario: Scenario, _table: Table) -> SensitivitySample[Norm]:
    return preview.exploration(_scenario, _scenario.resolved_oracle(_table), limit=LIVE_SECONDS)


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _reference(key: str, _scenario: Scenario, _table: Table) -> preview.Reference | None:
    oracle = _scenario.resolved_oracle(_table)
    return preview.reference(_scenario.target, oracle, _scenario.norm, _scenario.n)


@st.cache_resource(max_entries=16, scope="session", show_spinner=False)
def _answer(key: str, real: bool, _scenario: Scenario, _table: Table) -> preview.Answer:
    if real:
        return preview.answer(_scenario, _table)
    return preview.simulated_answer(_scenario, _scenario.resolved_oracle(_table))


def forget() -> None:
    """Drop what was cached: a table's data or declarations changed."""
    cached: list[Any] = [_exploration, _reference, _answer]
    for function in cached:
        function.clear()
