"""What pages beside Explore compute of a scenario on its table, kept for the session."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, TypeVar, cast, final

import streamlit as st

from dpcore.base.norms import Norm
from dpcore.base.types import Oracle
from dpcore.errors import DpcoreError
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.computable import answered
from pages.experiment.scenario import Scenario, TableRecords
from pages.experiment.view import question_key
from pages.files.tables import Table
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import NonPrivate, kind_of_headline
from pages.old.experiment.no_cost import costs_no_accuracy

_KEPT = 40  # samples a session: a list of twenty questions, before and after a change
APART_SECONDS = 0.25  # of draws for one of several questions


@final
@dataclass(frozen=True, eq=False)
class Exploration:
    """A scenario on its table, and what this session draws of it. Nothing is worked out before it is asked for, nor twice."""

    scenario: Scenario
    table: Table

    @cached_property
    def oracle(self) -> Oracle:
        """What is drawn from. InvalidValueError for records of the table that is confidential."""
        return self.scenario.resolved_oracle(self.table)

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return self.scenario.to_json()

    def key(self, *more: str) -> str:
        """All that its draws depend on, in a text, and these fields of the scenario too."""
        fields = self._fields
        return json.dumps([fields[name] for name in ("table", "columns", "target", "oracle", "norm", "n", "adjacency", *more)])

    def at_hand(self) -> SensitivitySample[Norm] | None:
        """The same where they are there or quickly made, and None where the sampler refuses them."""
        try:
            return self.apart(cost.QUICK)
        except DpcoreError:
            return None

    def apart(self, seconds: float = APART_SECONDS) -> SensitivitySample[Norm] | None:
        """At least m draws where Explore made them or they take no more than so many ``seconds``; no job is begun or ended."""
        shown = st.session_state.get("samples", {}).get(question_key(self.scenario, self.table))
        kept: dict[str, SensitivitySample[Norm]] = st.session_state.setdefault("explored", {})
        key = self.key("m", "seed")
        found = kept.get(key) if shown is None or len(shown.distances) < self.scenario.m else shown
        if found is not None:
            return found
        if self.scenario.m * cost.a_draw(self.scenario, self.oracle) > seconds:
            return None
        kept[key] = preview.exploration(self.scenario, self.oracle)
        for oldest in list(kept)[:-_KEPT]:
            del kept[oldest]
        return kept[key]

    def exact(self) -> NonPrivate:
        """The target's value on the public table, or on one drawn from the oracle in place of a confidential table; cached."""
        if self.table.public:
            return _exact(self.key(), self)
        return replace(_exact(self.key("seed"), self), guesses=self.table.guesses)

    def worst_case_is_free(self, sample: SensitivitySample[Norm]) -> bool:
        """Whether noise sized to the proved worst case costs no accuracy beside that of these draws, cached."""
        fields = ("m", "seed", "gamma", "bound", "confidence", "epsilon", "delta", "mechanism")
        return _worst_case_is_free(self.key(*fields), self, sample)


_CACHES: list[Any] = []
_Function = TypeVar("_Function", bound=Callable[..., Any])


def kept(most: int) -> Callable[[_Function], _Function]:
    """So many results of a function are kept in this session until ``forget``. Underscored arguments are not hashed: the key
    holds all that matters of them. A table's name stands for its data there, and an upload under a used name drops them all."""

    def of(function: _Function) -> _Function:
        cached: Any = st.cache_resource(max_entries=most, scope="session", show_spinner=False)(function)
        _CACHES.append(cached)
        return cast(_Function, cached)

    return of


@kept(64)
def _exact(key: str, _of: Exploration) -> NonPrivate:
    if _of.table.public:
        return preview.answer(_of.scenario, _of.table)
    return preview.simulated_answer(_of.scenario, _of.oracle)


@kept(16)
def _worst_case_is_free(key: str, _of: Exploration, _sample: SensitivitySample[Norm]) -> bool:
    scenario = _of.scenario
    columns = _of.table.taken(scenario.columns, scenario.target)
    if kind_of_headline(answered(scenario, columns)).nothing_lost is None:  # then it need not be known what is answered
        return False
    fresh = None if isinstance(scenario.oracle, TableRecords) else scenario.oracle
    try:
        worst = preview.calibrated_worst_case(scenario)
        noise = preview.calibrated(scenario, _sample)
        headline = preview.headline(scenario, columns, _of.exact(), noise, worst=worst, fresh=fresh)
        return costs_no_accuracy(headline)
    except DpcoreError:
        return False


def forget() -> None:
    """Drop what was kept: a table's data or declarations changed."""
    for name in ("explored", "samples", "questions"):
        st.session_state.pop(name, None)
    for function in _CACHES:
        function.clear()
