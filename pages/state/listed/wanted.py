"""What is wanted of a list: an ε, or how close an answer is; each gives the other."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, Oracle, Target, asked_together
from dpcore.errors import DpcoreError, GammaOutOfReachError
from dpcore.guarantees.operating_points import OperatingPoint, reachable_m
from dpcore.guarantees.words import figure
from dpcore.targets.together import MOST_PARTS
from pages.experiment import cost
from pages.experiment.error_curve import least_epsilon
from pages.experiment.listed.accuracy import Accuracy, accuracy_of
from pages.experiment.listed.distances import Sampled, Size, measured_alone, proved, swallowed, uncovered
from pages.experiment.listed.question_list import QuestionList
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, MOST_M, Scenario
from pages.files.tables import Table
from pages.state import draws
from pages.state.draws import Exploration
from pages.state.listed import current_list
from pages.state.listed.current_list import ListRefusedError, rework
from pages.state.reach import ranks_before

# How close the answers of a list are: measured once, then known for any widths and ε.


_SECONDS = 1.5  # that a page waits for the trials of a list before it takes fewer
_STEPS = 10_000  # of ε from 0 to 1, of which the first that is enough is taken


def accuracy(made: QuestionList, table: Table) -> Accuracy | None:
    """How close the answers are that are asked together; None where that would take long to say. It raises what is refused.

    It is kept for lists that differ in their widths alone.
    """
    alike = _of_unit_widths(made)
    kept: tuple[QuestionList, Table, Accuracy] | None = st.session_state.get("list_accuracy")
    if kept is not None and kept[1] is table and kept[0] == alike:
        return kept[2]
    found = _accuracy(alike, table)
    if found is not None:
        st.session_state["list_accuracy"] = (alike, table, found)
    return found


def _accuracy(made: QuestionList, table: Table) -> Accuracy | None:
    """Of a list of widths 1."""
    unit = made.together(table)
    if unit is None:
        return None
    size = sized(unit, table, worst_case=made.worst_case)
    if size is None:
        return None
    exact = Exploration(unit, table).exact()
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
        return proved(asked_together(unit.target), unit.norm, unit.n, unit.adjacency)
    oracle = unit.resolved_oracle(table)
    m = _quick_m(unit, oracle)
    if m is None:
        return None
    point = OperatingPoint.for_both(m, unit.gamma, bound=unit.bound, confidence=unit.confidence)
    return Sampled(_distances(Exploration(unit, table).key("seed"), m, unit, oracle), unit.norm, point)


def _quick_m(unit: Scenario, oracle: Oracle) -> int | None:
    """As many trials as the list has, or as fit into a moment; None where these certify no γ."""
    seconds = len(asked_together(unit.target)) * cost.a_draw(unit, oracle)
    m = int(min(unit.m, _SECONDS / seconds))
    try:
        OperatingPoint.for_both(max(m, 1), unit.gamma, bound=unit.bound, confidence=unit.confidence)
    except DpcoreError:
        return None
    return m


@draws.kept(8)
def _distances(key: str, m: int, _unit: Scenario, _oracle: Oracle) -> FloatArray:
    """Those of a question that was measured before in such a list stay as they are when another one changes."""
    said, ways = _unit.to_json(), facts(_unit.target).ways
    shared = [m, ways, *(said[name] for name in ("table", "columns", "oracle", "norm", "n", "adjacency", "seed"))]
    each = zip(asked_together(_unit.target), said["target"]["parts"], strict=True)
    return np.stack([_of_one(json.dumps([shared, words]), m, part, _unit, _oracle) for part, words in each], axis=1)


@draws.kept(8 * MOST_PARTS)
def _of_one(key: str, m: int, _part: Target, _unit: Scenario, _oracle: Oracle) -> FloatArray:
    return measured_alone(_part, _unit, _oracle, m=m)


_BEYOND = 1e6  # an ε that is only told of


def settle(table: Table, **changes: Any) -> None:
    """Other settings of the list; one that cannot be is said."""
    rework(table, lambda made: _settled(made, changes))


def settle_total(table: Table, total: float) -> None:
    """Another ε in all: each line's part as large beside the others as it was."""
    rework(table, lambda made: (made.sharing(made.parts, total), ""))


def _settled(made: QuestionList, changes: dict[str, Any]) -> tuple[QuestionList, str]:
    """With these settings; where a smaller γ needs more trials, with those."""
    asked = {name: changes.get(name, getattr(made, name)) for name in ("m", "gamma", "bound", "confidence")}
    try:
        OperatingPoint.for_both(asked["m"], asked["gamma"], bound=asked["bound"], confidence=asked["confidence"])
    except GammaOutOfReachError as error:
        if "m" in changes or error.least_m > MOST_M:
            raise
        return made.with_(**changes, m=error.least_m), f"γ = {asked['gamma']:g} needs {error.least_m:,} trials, so m was raised."
    return made.with_(**changes), ""


def wait(table: Table, seconds: float) -> None:
    """As many trials as take about so many seconds, and not fewer than γ needs."""
    rework(table, lambda made: _within(made, table, seconds))


def _within(made: QuestionList, table: Table, seconds: float) -> tuple[QuestionList, str]:
    each = 1 / takes(made, table, trials=1)
    needed = reachable_m(made.gamma, made.bound, made.confidence)
    m = max(needed, min(MOST_M, int(seconds * each)))
    if m > MOST_M:
        raise ListRefusedError(f"γ = {made.gamma:g} needs {needed:,} trials, and this page draws at most {MOST_M:,}.")
    said = f"γ = {made.gamma:g} needs {needed:,} trials: they take longer than that." if int(seconds * each) < needed else ""
    return made.with_(m=m), said


def takes(made: QuestionList, table: Table, *, trials: int | None = None) -> float:
    """About how many seconds the trials of all lines take, or of so many each."""
    lines = current_list.lines(made, table)
    m = made.m if trials is None else trials
    return sum(m * cost.a_draw(one, one.resolved_oracle(table)) for one in lines)


def give(table: Table, place: int, part: float) -> None:
    """A question that is a line of its own gets this ε: of the same total, or with every other ± as it is."""
    rework(table, lambda made: (_given(made, place, part), ""))


def _given(made: QuestionList, place: int, part: float) -> QuestionList:
    if made.keeps == "epsilon":
        return made.with_part(place, part, made.total)
    return made.with_question(place, replace(made.questions[place], epsilon=part))


def want(table: Table, place: int, wanted: float) -> None:
    """A question's answer is to be so close: at the same ε, or with every other ± as it is."""

    def asked(made: QuestionList) -> tuple[QuestionList, str]:
        joins = made.questions[place].joins
        return (_wanted(made, table, place, wanted) if joins else _within_ranks(made, table, place, wanted)), ""

    rework(table, asked)


def _within_ranks(made: QuestionList, table: Table, place: int, wanted: float) -> QuestionList:
    """Of a choice among places, whose ± is in ranks."""
    line = made.by_itself(place, table)

    def ranks(epsilon: float) -> float:
        return ranks_before(line.with_(epsilon=epsilon), table) or math.inf

    steps = range(round(LEAST_EPSILON * _STEPS), round(MOST_EPSILON * _STEPS) + 1)
    needed = least_epsilon(lambda step: ranks(step / _STEPS), wanted, steps=steps) if wanted > 0 else None
    if needed is None:
        least = ranks(MOST_EPSILON)
        raise ListRefusedError(
            f"Question {place + 1}: no ε makes it as close. At ε = {MOST_EPSILON:g} it is ± {least:,.0f} ranks."
        )
    return _given(made, place, needed / _STEPS)


def _wanted(made: QuestionList, table: Table, place: int, wanted: float) -> QuestionList:
    near, at = accuracy(made, table), made.joined.index(place)
    if near is None:
        raise ListRefusedError("How close answers are is not known yet, so none can be asked to be closer.")
    if not wanted > 0:
        raise ListRefusedError(f"Question {place + 1}: a ± is a number above 0.")
    if made.keeps == "epsilon":
        width = near.width_at(at, wanted, made.widths, made.epsilon)
        if width is None:
            least = figure(near.closest(at, made.widths, made.epsilon))
            raise ListRefusedError(
                f"Question {place + 1}: at ε = {made.epsilon:g} this answer cannot be closer than ± {least}, whatever the others "
                "get. Take more ε, or keep the ± and let ε follow."
            )
    else:
        nearest = near.closest(at, made.widths, MOST_EPSILON)
        if wanted < nearest:
            raise ListRefusedError(
                f"Question {place + 1}: no ε on the slider makes it as close as ± {figure(wanted)} at γ = {made.gamma:g}. "
                f"At ε = {MOST_EPSILON:g}, and asked by itself, it reaches ± {figure(nearest)}. A larger γ would help."
            )
        width = near.width_for(at, wanted, near.scale(made.widths, made.epsilon))
    if math.isinf(width):
        raise ListRefusedError(f"Question {place + 1}: its bounds alone keep this answer as close as that. Ask for a smaller ±.")
    if width == 0:
        raise ListRefusedError(f"Question {place + 1}: no noise is so small. Ask for a wider ±.")
    after = made.with_question(place, replace(made.questions[place], width=_down(width)))
    if made.keeps == "noise":
        after = _with_epsilon_for(after, near, near.scale(made.widths, made.epsilon))
    if problem := too_small(after, near):
        raise ListRefusedError(problem)
    return after


def too_small(made: QuestionList, near: Accuracy) -> str:
    """Why the noise of a question is too small to be released, in a sentence that names it; empty where none is."""
    scenario = near.headline.scenario
    parts = asked_together(scenario.target)
    if isinstance(near.size, Sampled):
        found = uncovered(near.size, parts, scenario.n, made.widths)
        for at, least in found.items():
            asked = f"Question {made.joined[at] + 1}: hardly any change of a row moves this answer"
            if math.isinf(least):
                return f"{asked}, and none of the trials does, so they cannot size its noise. Size the noise to the worst case."
            reach = near.reach(at, near.scale_of(least, made.epsilon))
            return (
                f"{asked}, so trials alone cannot size noise as small as this: the answer would come out nearly as it is. Take a "
                f"± of at least {figure(reach)}, or size the noise to the worst case."
            )
    for at in swallowed(parts, scenario.n, made.widths, near.scale(made.widths, made.epsilon)):
        return f"Question {made.joined[at] + 1}: rounding alone can take this answer further than its ±. Take a wider one."
    return ""


def kept(before: QuestionList, after: QuestionList, parts: Sequence[float], table: Table) -> QuestionList:
    """The list after a change of its questions, which have these ``parts`` of ε: with the total of before, or where the ± are
    kept, with the ε that this needs."""
    if after.keeps == "epsilon":
        return after.sharing(parts, before.total, less=True)
    after = after.sharing(parts, math.fsum(parts), less=True)
    if not before.joined or not after.joined:
        return after
    old, new = accuracy(before, table), accuracy(after, table)
    if old is None or new is None:
        return after
    return _with_epsilon_for(after, new, old.scale(before.widths, before.epsilon))


def _with_epsilon_for(made: QuestionList, near: Accuracy, scale: float) -> QuestionList:
    """With the least ε at which noise of width 1 has this scale."""
    needed = near.epsilon_for(made.widths, scale)
    if needed is None:
        beyond = near.epsilon_for(made.widths, scale, highest=_BEYOND)
        would = "" if beyond is None else f": they would need about ε = {figure(beyond)}"
        raise ListRefusedError(
            f"No ε on the slider gives these ± at γ = {made.gamma:g}{would}. Ask for wider ±, for fewer questions, or take a "
            "larger γ."
        )
    return made.with_(epsilon=needed)


def _down(width: float) -> float:
    """To four digits, and not above it, so that the ± is none above what is wanted."""
    rounded = float(f"{width:.4g}")
    return rounded if rounded <= width else float(f"{rounded - 10.0 ** (math.floor(math.log10(width)) - 3):.4g}")
