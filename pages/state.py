"""What a tab holds: one scenario, its tables, and sentences to show. Widgets are set from the scenario at each run."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.facts import facts
from dpcore.base.types import can_be_asked, person_of, takes_fields
from dpcore.errors import DpcoreError, GammaOutOfReachError
from dpcore.guarantees.operating_points import OperatingPoint, reachable_m
from dpcore.guarantees.privacy import ApproxDP
from dpcore.guarantees.words import counted_in, figure
from dpcore.mechanisms.base import Mechanism
from dpcore.registry.fit import slots_of
from pages.experiment.choices import (
    DELTA,
    NAME,
    columns_for,
    first_kind,
    kind_called,
    kind_of,
    mechanism_after,
    oracle_kinds,
    target_for,
)
from pages.experiment.choices import example as example_of
from pages.experiment.question import asked, asked_plainly, conditions, oracle_of_kind
from pages.experiment.scenario import LEAST_GAMMA, MOST_M, Scenario
from pages.experiment.tables import ours
from pages.files.tables import Table
from pages.old.wording.sentences import pairs, plain
from pages.old.wording.values import bound_words

_OF_A_QUESTION = ("table", "columns", "target", "oracle", "n", "mechanism", "norm", "delta", "adjacency")
MOST_MADE_UP = 1_000_000  # records of a made-up table
_ROWS_SHOWN = 10  # of each person, in the example of people


def catalog() -> dict[str, Table]:
    """The tables that come with the app."""
    return ours()


def tables() -> dict[str, Table]:
    """Every table of this tab, by name: ours, then uploads."""
    return {**catalog(), **st.session_state.setdefault("uploads", {})}


def add_table(table: Table) -> None:
    """Keep an upload in this tab, under its name."""
    st.session_state.setdefault("uploads", {})[table.name] = table


def rename_tables(joined: Mapping[str, str]) -> None:
    """Give uploads whose name in the book was given up the one that took its place."""
    kept: dict[str, Table] = st.session_state.setdefault("uploads", {})
    for name, old in kept.items():
        kept[name] = replace(old, digest=joined.get(old.digest, old.digest))


def table() -> Table:
    """The scenario's table."""
    return tables()[scenario().table]


def example() -> Scenario:
    """Example 6 of Rubinstein & Aldà (2017): the mean of 500 times to default, Exponential(1)."""
    return example_of(catalog()[NAME])


def scenario() -> Scenario:
    """The one value that a view, its link and its release come from."""
    if "scenario" not in st.session_state:
        st.session_state["scenario"] = example()
    current: Scenario = st.session_state["scenario"]
    return current


def adopt(new: Scenario) -> None:
    """Show this scenario from now on."""
    st.session_state["scenario"] = new


def anew(new: Scenario) -> None:
    """Show this scenario, and nothing that was said of another."""
    begin()
    adopt(new)


def say(sentence: str) -> None:
    """Show a sentence at the top of the next run, until the next change."""
    st.session_state.setdefault("notices", []).append(sentence)


def notices() -> list[str]:
    """The sentences of the last change."""
    current: list[str] = st.session_state.get("notices", [])
    return current


def said_something() -> bool:
    """Whether the last change left a sentence, or a way back."""
    return bool(notices()) or "undo" in st.session_state


def begin() -> None:
    """Another change: the sentences of the last one go, and its way back."""
    st.session_state["notices"] = []
    st.session_state.pop("undo", None)


def offer_undo(**before: Any) -> None:
    """A way back to what these entries of the session were."""
    st.session_state["undo"] = before


def change(**changes: Any) -> None:
    """Replace fields of the scenario; a choice out of reach moves m (or γ) to where it holds, with a way back.

    What cannot be mended is said in a sentence, and the scenario stays as it was.
    """
    begin()
    before = scenario()
    try:
        if "target" in changes and "mechanism" not in changes:
            changes |= released_by(mechanism_after(before.target, changes["target"], before.mechanism))
        adopt(before.with_(**changes))
    except GammaOutOfReachError as error:
        _reach(before, changes, error)
    except DpcoreError as error:
        say(f"{plain(error)} Nothing was changed.")


def rework(**changes: Any) -> None:
    """Replace fields as if nothing were asked beside the target; its conditions and groups then stand around what it is now.

    A target that needs a value of every record cannot be asked under conditions: they are left out, in a sentence.
    """
    before = scenario()
    question: Any = before.target
    if not takes_fields(question) or facts(changes.get("target", question)).written:
        change(**changes)
        if scenario() != before and any(conditions(before)) and not facts(question).written:
            say("Conditions and groups were left out: write them into the query.")
        return
    try:
        plain_one = before.with_(**asked_plainly(before, table()))
        if "target" in changes and "mechanism" not in changes:
            changes |= released_by(mechanism_after(plain_one.target, changes["target"], plain_one.mechanism))
        after = plain_one.with_(**changes)
        stays = after.table == before.table and can_be_asked(after.target)
        again = asked(after, tables()[after.table], *conditions(before), like=before) if stays else {}
    except DpcoreError as error:
        change()
        say(f"{plain(error)} Nothing was changed.")
        return
    change(**{name: getattr(after, name) for name in _OF_A_QUESTION} | again)
    if not stays and any(conditions(before)):
        say("Conditions and groups were left out: this target cannot be asked with them.")


def released_by(mechanism: Mechanism[Any, Any]) -> dict[str, Any]:
    """The fields of a scenario that go with a mechanism; δ stays where there is one."""
    delta = (scenario().delta or DELTA) if mechanism.privacy is ApproxDP else None
    return {"mechanism": mechanism, "norm": mechanism.norm, "delta": delta}


def undo() -> None:
    """Back to what was before the last change, where there is a way."""
    before: dict[str, Any] = st.session_state.get("undo", {})
    begin()
    for entry, value in before.items():
        st.session_state[entry] = value


def _reach(before: Scenario, changes: dict[str, Any], error: GammaOutOfReachError) -> None:
    wanted = {name: changes.get(name, getattr(before, name)) for name in ("m", "gamma", "bound", "confidence")}
    least_m = reachable_m(wanted["gamma"], wanted["bound"], wanted["confidence"])
    needs = f"γ = {wanted['gamma']:g} needs {least_m:,} trials under {bound_words(wanted['bound'].name)}"
    if "m" in changes:  # fewer draws were asked for: γ gives way
        least = OperatingPoint.for_sample_size(wanted["m"], bound=wanted["bound"], confidence=wanted["confidence"])
        moved = {"gamma": max(LEAST_GAMMA, least.gamma)}
        least_gamma = figure(moved["gamma"])
        words = f"{pairs(wanted['m'])} no γ below {figure(error.least_gamma)}, so γ was raised to {least_gamma}."
    else:
        moved = {"m": least_m}
        words = f"{needs}, so m was raised to that."
    if moved.get("m", 0) > MOST_M:
        say(f"{needs}, and this page draws at most {MOST_M:,}: nothing was changed. Take a larger γ, or the rank bound.")
        return
    try:
        adopt(before.with_(**(changes | moved)))
    except DpcoreError as still:
        say(f"{plain(still)} Nothing was changed.")
        return
    offer_undo(scenario=before)
    say(words)


def pick_table(name: str) -> None:
    """Another table, or this one declared anew, with a target and an oracle that fit it; γ, m and ε stay."""
    new = tables()[name]
    kind = first_kind(new)
    _picked(new, columns_for(kind, new), kind)


def pick_columns(of: Table, names: tuple[str, ...], target_kind: str) -> None:
    """Other columns of its table, or another kind of target; the oracle's kind and the made-up table's n stay where they fit."""
    _picked(of, names, target_kind, None if of.public else scenario().n)


def _picked(of: Table, names: tuple[str, ...], target_kind: str, n: int | None = None) -> None:
    try:
        _pick(of, names, target_kind, n)
    except DpcoreError as error:  # as of a kind whose package is not there
        change()
        say(f"{plain(error)} Nothing was changed.")


def _pick(of: Table, names: tuple[str, ...], target_kind: str, n: int | None = None) -> None:
    shown = scenario()
    before, after = (slots_of(kind_called(kind)) for kind in (kind_of(shown.target), target_kind))
    if len(before) == 2 == len(names) and not any(slot.several for slot in before) and [slot.several for slot in after] == [True]:
        names = names[1:]  # of a regression's two columns, the one that it explains
    names = columns_for(target_kind, of, names)
    columns = of.taken(names, kind_called(target_kind))
    kinds = oracle_kinds(of, columns)
    current = kind_of(scenario().oracle)
    kind = current if current in kinds and scenario().table == of.name else kinds[0]
    target = target_for(target_kind, columns)
    oracle = oracle_of_kind(kind, of, columns, target)
    n = n or of.size(names, kind_called(target_kind))
    fit = {"table": of.name, "columns": names, "target": target, "oracle": oracle, "n": n, "adjacency": of.adjacency_of_rows}
    (rework if scenario().table == of.name else change)(**fit)
    known = {column.name for column in (*of.columns, *of.persons_column)}
    if not known.issuperset(scenario().columns):  # the table was declared anew, and the question is of what it was
        adopt(example())
        change(**fit)
    if of.persons is not None and scenario().table == of.name and person_of(scenario().target) is None:
        said = notices()
        change(**asked(scenario(), of, like=shown if shown.table == of.name and person_of(shown.target) else None))
        st.session_state["notices"] = [*said, *notices()]


def begin_with_people() -> None:
    """Where nothing was chosen yet, neither here nor in a link, a table of people in place of the example."""
    if scenario() == example() and not st.session_state.get("linked"):
        show_people()


def show_people() -> None:
    """The first table of ours whose rows are people's, with most to see."""
    pick_table(max((one for one in catalog().values() if one.persons is not None), key=len).name)
    target: Any = scenario().target
    change(target=replace(target, rows=_ROWS_SHOWN))


def ask_first() -> None:
    """The question that the table is shown with first."""
    pick_table(scenario().table)


def made_up() -> bool:
    """Whether a made-up table stands in for the scenario's own, so that its n may be another."""
    return not table().public


def take_own_n() -> None:
    """As many records as the table itself has, which is what is compared with and released."""
    own = table().size(scenario().columns, scenario().target)
    if scenario().n != own:
        tried, unit = scenario().n, counted_in(scenario().adjacency)
        change(n=own)
        stated = scenario().adjacency.removes
        yours = f"You state that yours has about {own:,}" if stated else f"Your table has {own:,}"
        say(f"Explore showed a made-up table of {tried:,} {unit}. {yours}, and the rest is about those.")


def draw_again() -> None:
    """New draws, under a new seed: for looking."""
    change(seed=secrets.randbits(32))
