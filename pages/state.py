"""State of a session: one scenario, its tables, and the sentences on the last change."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.base.types import can_be_asked
from dpcore.errors import DpcoreError, GammaOutOfReachError, InvalidValueError
from dpcore.guarantees.descriptions import counted_in, figure
from dpcore.guarantees.operating_points import OperatingPoint, reachable_m
from dpcore.guarantees.privacy import ApproxDP
from dpcore.mechanisms.base import Mechanism
from dpcore.targets.on import questioned
from pages.experiment.choices import (
    columns_for,
    first_kind,
    kind_called,
    kind_of,
    mechanism_after,
    oracle_kinds,
    rows_are_public,
    target_for,
)
from pages.experiment.descriptions import bound_words
from pages.experiment.error_sentences import plain
from pages.experiment.examples import NAME
from pages.experiment.examples import example as example_of
from pages.experiment.question import DELTA, asked, asked_plainly, conditions, only_known, oracle_of_kind, own_columns
from pages.experiment.scenario import LEAST_GAMMA, MOST_M, Noise, Scenario
from pages.experiment.tables import ours
from pages.experiment.view import Question, kinds_of_noise
from pages.files.tables import Table

_OF_A_QUESTION = ("table", "columns", "target", "oracle", "n", "mechanism", "norm", "delta", "adjacency")
_ROWS_SHOWN = 10  # of each person, in the example of people


def catalog() -> dict[str, Table]:
    """Return the tables that come with the app, by name."""
    return ours()


def tables() -> dict[str, Table]:
    """Return the tables of this session by name: those of the app, then uploads."""
    return {**catalog(), **st.session_state.setdefault("uploads", {})}


def add_table(table: Table) -> None:
    """Keep an upload under its name."""
    st.session_state.setdefault("uploads", {})[table.name] = table


def rename_tables(joined: Mapping[str, str]) -> None:
    """Give uploads that the ledger knows as another table the digest of that table.

    Args:
        joined: New digests by old ones.
    """
    kept: dict[str, Table] = st.session_state.setdefault("uploads", {})
    for name, old in kept.items():
        if old.digest in joined:  # a copy has to compute its digests again
            kept[name] = replace(old, digest=joined[old.digest])


def table() -> Table:
    """Return the scenario's table."""
    return tables()[scenario().table]


def example() -> Scenario:
    """Return Example 6 of Rubinstein and Aldà (2017): the mean of 500 times to default, under Exponential(1)."""
    return example_of(catalog()[NAME])


def scenario() -> Scenario:
    """Return the scenario of this session."""
    if "scenario" not in st.session_state:
        st.session_state["scenario"] = example()
    current: Scenario = st.session_state["scenario"]
    return current


def adopt(new: Scenario) -> None:
    """Show this scenario from now on, and keep the sentences."""
    st.session_state["scenario"] = new


def anew(new: Scenario) -> None:
    """Show this scenario, without sentences on another one."""
    begin()
    adopt(new)


def say(sentence: str) -> None:
    """Show a sentence until the next change."""
    st.session_state.setdefault("notices", []).append(sentence)


def notices() -> list[str]:
    """Return the sentences on the last change."""
    current: list[str] = st.session_state.get("notices", [])
    return current


def begin() -> None:
    """Begin a change: remove the sentences on the last one."""
    st.session_state["notices"] = []


def change(**changes: Any) -> None:
    """Replace fields of the scenario.

    If m cannot certify γ, m is raised (or γ, if m was changed), with a sentence. Otherwise a value that is refused
    leaves the scenario as it was, with a sentence.

    Args:
        **changes: New values of fields.
    """
    begin()
    before = scenario()
    try:
        changes = _with_mechanism(before, changes)
        adopt(before.with_(**changes))
    except GammaOutOfReachError as error:
        _reach(before, changes, error)
    except DpcoreError as error:
        say(f"{plain(error)} Nothing was changed.")


def _with_mechanism(before: Scenario, changes: dict[str, Any]) -> dict[str, Any]:
    """Return changes with the mechanism for a new target, unless they have one."""
    if "target" not in changes or "mechanism" in changes:
        return changes
    return changes | released_by(mechanism_after(before.target, changes["target"], before.mechanism))


def rework(**changes: Any) -> None:
    """Replace fields of the scenario, and keep the conditions and groups of its query.

    A target that needs a value of every record cannot have conditions. They are then removed, with a sentence.

    Args:
        **changes: New values of fields, for the query without its conditions and groups.
    """
    before = scenario()
    question: Any = before.target
    if not question.accepts_structured or changes.get("target", question).written:
        change(**changes)
        if scenario() != before and any(conditions(before)) and not question.written:
            say("Conditions and groups were removed: write them into the query.")
        return
    try:
        plain_one = before.with_(**asked_plainly(before, table()))
        after = plain_one.with_(**_with_mechanism(plain_one, changes))
        stays = after.table == before.table and can_be_asked(after.target)
        if not can_be_asked(after.target) and only_known(tables()[after.table], own_columns(after)):
            raise InvalidValueError("target", "one that leaves out missing values, because only known ones count", after.target)
        again = asked(after, tables()[after.table], *conditions(before), like=before) if stays else {}
    except DpcoreError as error:
        change()
        say(f"{plain(error)} Nothing was changed.")
        return
    change(**{name: getattr(after, name) for name in _OF_A_QUESTION} | again)
    if not stays and any(conditions(before)):
        say("Conditions and groups were removed, because this target cannot have them.")


def released_by(mechanism: Mechanism[Any, Any]) -> dict[str, Any]:
    """Return the fields of a scenario that depend on the mechanism; δ is kept if there is one."""
    delta = (scenario().delta or DELTA) if mechanism.privacy is ApproxDP else None
    return {"mechanism": mechanism, "norm": mechanism.norm, "delta": delta}


def _reach(before: Scenario, changes: dict[str, Any], error: GammaOutOfReachError) -> None:
    wanted = {name: changes.get(name, getattr(before, name)) for name in ("m", "gamma", "bound", "confidence")}
    least_m = reachable_m(wanted["gamma"], wanted["bound"], wanted["confidence"])
    needs = f"γ = {wanted['gamma']:g} needs {least_m:,} sampled pairs under {bound_words(wanted['bound'].name)}"
    if "m" in changes:  # fewer draws: γ is raised
        least = OperatingPoint.for_sample_size(wanted["m"], bound=wanted["bound"], confidence=wanted["confidence"])
        moved = {"gamma": max(LEAST_GAMMA, least.gamma)}
        least_gamma = figure(moved["gamma"])
        words = f"With m = {wanted['m']:,} no γ below {figure(error.least_gamma)} is certified, so γ was raised to {least_gamma}."
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
    say(words)


def pick_table(name: str) -> None:
    """Show another table, or a new declaration of this one, with a target and an oracle that fit; keep γ, m and ε."""
    new = tables()[name]
    kind = first_kind(new)
    _picked(new, columns_for(kind, new), kind)


def pick_columns(of: Table, names: tuple[str, ...], target_kind: str) -> None:
    """Take other columns or another kind of target; keep the kind of oracle and the simulated n if they fit.

    Args:
        of: The table.
        names: Names of columns.
        target_kind: Class name of the target or curve.
    """
    _picked(of, names, target_kind, None if of.public else scenario().n)


def _picked(of: Table, names: tuple[str, ...], target_kind: str, n: int | None = None) -> None:
    try:
        _pick(of, names, target_kind, n)
    except DpcoreError as error:  # such as a kind whose package is not installed
        change()
        say(f"{plain(error)} Nothing was changed.")
    _size_noise_as_possible(of)


def _size_noise_as_possible(of: Table) -> None:
    """Sample the noise, with a sentence, if the new target cannot have it sized as before."""
    now = scenario()
    if now.table == of.name and now.noise is not Noise.SAMPLED and now.noise not in kinds_of_noise(Question(now, of)):
        adopt(now.with_(noise=Noise.SAMPLED))
        say(f"The noise is sampled now, because this target cannot have {now.noise.words} noise.")


def _pick(of: Table, names: tuple[str, ...], target_kind: str, n: int | None = None) -> None:
    shown = scenario()
    before, after = (kind_called(kind).takes for kind in (kind_of(shown.target), target_kind))
    if len(before) == 2 == len(names) and not any(slot.several for slot in before) and [slot.several for slot in after] == [True]:
        names = names[1:]  # the label of a regression
    names = columns_for(target_kind, of, names)
    columns = of.taken(names, kind_called(target_kind))
    kinds = oracle_kinds(of, columns)
    current = kind_of(scenario().oracle)
    kind = current if current in kinds and scenario().table == of.name else kinds[0]
    all_rows = not rows_are_public(of) or (shown.table == of.name and any(conditions(shown)))
    target = questioned(target_for(target_kind, columns, all_rows=all_rows), names, (), None, known=only_known(of, names))
    oracle = oracle_of_kind(kind, of, columns, target)
    n = n or of.size(names, target)
    fit = {"table": of.name, "columns": names, "target": target, "oracle": oracle, "n": n, "adjacency": of.adjacency_of_rows}
    (rework if scenario().table == of.name else change)(**fit)
    known = {column.name for column in (*of.columns, *of.persons_column)}
    if not known.issuperset(scenario().columns):  # the new declaration lacks a column of the query
        adopt(example())
        change(**fit)
    if of.persons is not None and scenario().table == of.name and scenario().target.person is None:
        said = notices()
        change(**asked(scenario(), of, like=shown if shown.table == of.name and shown.target.person else None))
        st.session_state["notices"] = [*said, *notices()]


def begin_with_people() -> None:
    """Show a table of people, unless the user or a link has chosen a scenario."""
    if scenario() == example() and not st.session_state.get("linked"):
        show_people()


def show_people() -> None:
    """Show the largest table of the app in which people have several rows."""
    pick_table(max((one for one in catalog().values() if one.persons is not None), key=len).name)
    target: Any = scenario().target
    change(target=replace(target, rows=_ROWS_SHOWN))


def ask_first() -> None:
    """Ask the first question of the scenario's table."""
    pick_table(scenario().table)


def take_own_n() -> None:
    """Set n to the number of records of the table."""
    own = table().size(scenario().columns, scenario().target)
    if scenario().n != own:
        tried, unit = scenario().n, counted_in(scenario().adjacency)
        change(n=own)
        stated = scenario().adjacency.removes
        yours = f"You state that yours has about {own:,}" if stated else f"Your table has {own:,}"
        say(f"Explore showed a simulated table of {tried:,} {unit}. {yours}, so n was set to that.")


def draw_again() -> None:
    """Draw again with a new seed, for exploring."""
    change(seed=secrets.randbits(32))
