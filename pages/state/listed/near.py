"""How close the answers of a list are: measured once, then known for any widths and ε."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from dpcore.base.types import FloatArray, Oracle, asked_together
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import OperatingPoint
from dpcore.workbench import cost
from dpcore.workbench.listed.accuracy import Accuracy, accuracy_of
from dpcore.workbench.listed.distances import Proved, Sampled, Size, measured
from dpcore.workbench.listed.question_list import QuestionList
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.state import draws

_SECONDS = 1.5  # that a page waits for the trials of a list before it takes fewer


def accuracy(made: QuestionList, table: Table) -> Accuracy | None:
    """How close the answers are that are asked together; None where that would take long to say. It raises what is refused."""
    unit = _of_unit_widths(made).together(table)
    if unit is None:
        return None
    size = sized(unit, table, worst_case=made.worst_case)
    if size is None:
        return None
    exact = draws.exact(unit, table, real=table.public)
    return accuracy_of(unit, table.taken(unit.columns, unit.target), exact, size, jointly=made.jointly)


def _of_unit_widths(made: QuestionList) -> QuestionList:
    return made.with_(questions=tuple(replace(one, width=1.0) for one in made.questions))


def times_smaller(made: QuestionList, table: Table) -> float | None:
    """How many times smaller noise sized to trials would be than that of the proved worst case; None where that is not known."""
    unit = _of_unit_widths(made).together(table)
    if unit is None:
        return None
    try:
        proved, sampled = (sized(unit, table, worst_case=worst_case) for worst_case in (True, False))
        return None if proved is None or sampled is None else proved.of(made.widths) / sampled.of(made.widths)
    except (DpcoreError, ZeroDivisionError):
        return None


def sized(unit: Scenario, table: Table, *, worst_case: bool) -> Size | None:
    """How far all questions move together, at any widths: proved, or by trials that are quickly made; None where neither is."""
    if worst_case:
        return Proved(asked_together(unit.target), unit.norm, unit.n, unit.adjacency)
    oracle = unit.resolved_oracle(table)
    m = _quick_m(unit, oracle)
    if m is None:
        return None
    point = OperatingPoint.for_both(m, unit.gamma, bound=unit.bound, confidence=unit.confidence)
    return Sampled(_distances(draws.key_of(unit), m, unit, oracle), unit.norm, point)


def _quick_m(unit: Scenario, oracle: Oracle) -> int | None:
    """As many trials as the list has, or as fit into a moment; None where these certify no γ."""
    seconds = len(asked_together(unit.target)) * cost.seconds(unit.target, unit.n, 1, oracle, unit.adjacency)
    m = int(min(unit.m, _SECONDS / seconds))
    try:
        OperatingPoint.for_both(max(m, 1), unit.gamma, bound=unit.bound, confidence=unit.confidence)
    except DpcoreError:
        return None
    return m


@st.cache_resource(max_entries=8, scope="session", show_spinner=False)
def _distances(key: str, m: int, _unit: Scenario, _oracle: Oracle) -> FloatArray:
    return measured(_unit, _oracle, m=m)
