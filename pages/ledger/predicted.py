"""Draws and exact values by which Release predicts the ± of a question, kept for the session."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import streamlit as st

from dpcore.base.norms import Norm
from dpcore.base.types import Oracle
from dpcore.sampling.sampler import SensitivitySample
from pages.experiment import cost
from pages.experiment.scenario import Scenario
from pages.experiment.view import question_key
from pages.files.tables import Table
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import NonPrivate

_MOST_KEPT = 64  # samples, and values: a list of twenty questions, before and after a change
_MOST_SECONDS = 0.25  # of the draws of one question


@final
@dataclass(frozen=True, eq=False)
class Exploration:
    """A question and its table.

    Args:
        scenario: The question.
        table: Its table.
    """

    scenario: Scenario
    table: Table

    @cached_property
    def oracle(self) -> Oracle:
        """The oracle.

        Raises:
            InvalidValueError: If it draws the rows of a confidential table.
        """
        return self.scenario.resolved_oracle(self.table)

    @cached_property
    def _fields(self) -> dict[str, Any]:
        return self.scenario.to_json()

    def _key(self, *more: str) -> str:
        names = ("table", "columns", "target", "oracle", "norm", "n", "adjacency", *more)
        return json.dumps([self._fields[name] for name in names])

    def draws(self) -> SensitivitySample[Norm] | None:
        """Return at least m draws: those of Explore, or new ones if they are quick, otherwise None."""
        shown = st.session_state.get("samples", {}).get(question_key(self.scenario, self.table))
        if shown is not None and len(shown.distances) >= self.scenario.m:
            found: SensitivitySample[Norm] = shown
            return found
        kept: dict[str, SensitivitySample[Norm]] = st.session_state.setdefault("drawn_for_release", {})
        key = self._key("m", "seed")
        if key not in kept:
            if self.scenario.m * cost.a_draw(self.scenario, self.oracle) > _MOST_SECONDS:
                return None
            _keep(kept, key, preview.exploration(self.scenario, self.oracle))
        return kept[key]

    def exact(self) -> NonPrivate:
        """Return the target's value on the public table, or on a simulated one in place of a confidential table."""
        kept: dict[str, NonPrivate] = st.session_state.setdefault("exact_for_release", {})
        key = self._key() if self.table.public else self._key("seed")
        if key not in kept:
            public = self.table.public
            value = preview.answer(self.scenario, self.table) if public else preview.simulated_answer(self.scenario, self.oracle)
            _keep(kept, key, value)
        return kept[key] if self.table.public else replace(kept[key], guesses=self.table.guesses)


def _keep(kept: dict[str, Any], key: str, value: Any) -> None:
    kept[key] = value
    if len(kept) > _MOST_KEPT:
        del kept[next(iter(kept))]


def forget() -> None:
    """Drop everything that was drawn: a table's data or declarations changed."""
    for name in ("drawn_for_release", "exact_for_release", "samples", "questions"):
        st.session_state.pop(name, None)
