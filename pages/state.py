"""State of a session: one scenario, its tables, and the sentences on the last change."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.types import can_be_asked
from dpcore.errors import DpcoreError, GammaOutOfReachError, InvalidValueError
from dpcore.guarantees.descriptions import counted_in, figure
from dpcore.guarantees.operating_points import OperatingPoint, reachable_m
from dpcore.guarantees.privacy import ApproxDP
from dpcore.mechanisms.base import Mechanism
from dpcore.targets.query import questioned
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


def attempt(act: Callable[[], None]) -> None:
    """Change something. If that is refused, a sentence says why, and nothing changes."""
    try:
        act()
    except DpcoreError as error:
        begin()
        say(f"{plain(error)} Nothing was changed.")


def change(**changes: Any) -> None:
    """Replace fields of the scenario.

    If m cannot certify γ, m is raised (or γ, if m was changed), with a sentence. Otherwise a value that is refused
    leaves the scenario as it was, with a sentence.

    Args:
        **changes: New values of fields.
    """
    attempt(partial(_change, changes))


def _change(changes: dict[str, Any]) -> None:
    begin()
    before = scenario()
    try:
        adopt(_changed(before, changes))
    except GammaOutOfReachError as error:
        _reach(before, changes, error)


def _changed(before: Scenario, changes: dict[str, Any]) -> Scenario:
    """Return a changed scenario. A new target gets its mechanism, unless the changes have one."""
    if "target" in changes and "mechanism" not in changes:
        mechanism = mechanism_after(before.target, changes["target"], before.mechanism)
        changes = changes | released_by(mechanism, before.delta)
    return before.with_(**changes)


def rework(**changes: Any) -> None:
    """Replace fields of the scenario, and keep the conditions and groups of its query.

    A target that needs a value of every record cannot have conditions. They are then removed, with a sentence.

    Args:
        **changes: New values of fields, for the query without its conditions and groups.
    """
    attempt(partial(_rework, changes))


def _rework(changes: dict[str, Any]) -> None:
    before, of = scenario(), table()
    target: Any = before.target
    if not target.accepts_structured or changes.get("target", target).written:
        change(**changes)
        if scenario() != before and any(conditions(before)) and not target.written:
            say("Conditions and groups were removed: write them into the query.")
        return
    after = _changed(before.with_(**asked_plainly(before, of)), changes)
    if can_be_asked(after.target):
        anew(_changed(after, asked(after, of, *conditions(before), like=before)))
        return
    if only_known(of, own_columns(after)):
        raise InvalidValueError("target", "one that leaves out missing values, because only known ones count", after.target)
    anew(after)
    if any(conditions(before)):
        say("Conditions and groups were removed, because this target cannot have them.")


def released_by(mechanism: Mechanism[Any, Any], delta: float | None) -> dict[str, Any]:
    """Return the fields of a scenario that depend on the mechanism.

    Args:
        mechanism: The mechanism.
        delta: δ of the scenario, which stays if the mechanism has one.
    """
    return {"mechanism": mechanism, "delta": (delta or DELTA) if mechanism.privacy is ApproxDP else None}


def _reach(before: Scenario, changes: dict[str, Any], error: GammaOutOfReachError) -> None:
    """Raise γ if m was changed, otherwise m."""
    wanted = {name: changes.get(name, getattr(before, name)) for name in ("m", "gamma", "bound", "confidence")}
    bound = {"bound": wanted["bound"], "confidence": wanted["confidence"]}
    if "m" in changes:
        gamma = max(LEAST_GAMMA, OperatingPoint.for_sample_size(wanted["m"], **bound).gamma)
        adopt(before.with_(**(changes | {"gamma": gamma})))
        least = figure(error.least_gamma)
        say(f"With m = {wanted['m']:,} no γ below {least} is certified, so γ was raised to {figure(gamma)}.")
        return
    m = reachable_m(wanted["gamma"], wanted["bound"], wanted["confidence"])
    needs = f"γ = {wanted['gamma']:g} needs {m:,} sampled pairs under {bound_words(wanted['bound'].name)}"
    if m > MOST_M:
        say(f"{needs}, and this page draws at most {MOST_M:,}: nothing was changed. Take a larger γ, or the rank bound.")
        return
    adopt(before.with_(**(changes | {"m": m})))
    say(f"{needs}, so m was raised to that.")


def pick_table(name: str) -> None:
    """Show another table, or a new declaration of this one, with a target and an oracle that fit; keep γ, m and ε."""
    attempt(lambda: anew(_first_of(tables()[name])))
    _size_noise_as_possible()


def _first_of(new: Table) -> Scenario:
    """Return the first question of a table."""
    kind = first_kind(new)
    made = _changed(scenario(), _fitting(new, columns_for(kind, new), kind))
    return made if new.persons is None else _changed(made, asked(made, new))


def pick_columns(of: Table, names: tuple[str, ...], target_kind: str) -> None:
    """Take other columns or another kind of target; keep the kind of oracle and the simulated n if they fit.

    Args:
        of: The table.
        names: Names of columns.
        target_kind: Class name of the target or curve.
    """
    same_n = {} if of.public else {"n": scenario().n}
    attempt(lambda: rework(**_fitting(of, names, target_kind) | same_n))
    _size_noise_as_possible()


def _size_noise_as_possible() -> None:
    """Sample the noise, with a sentence, if the new target cannot have it sized as before."""
    now = scenario()
    if now.noise is not Noise.SAMPLED and now.noise not in kinds_of_noise(Question(now, table())):
        adopt(now.with_(noise=Noise.SAMPLED))
        say(f"The noise is sampled now, because this target cannot have {now.noise.words} noise.")


def _fitting(of: Table, names: tuple[str, ...], target_kind: str) -> dict[str, Any]:
    """Return the fields of a scenario that ask for a kind of target of some columns, as of rows and without conditions."""
    shown = scenario()
    stays = shown.table == of.name
    names = columns_for(target_kind, of, names)
    columns = of.taken(names, kind_called(target_kind))
    kinds, current = oracle_kinds(of, columns), kind_of(shown.oracle)
    kind = current if current in kinds and stays else kinds[0]
    all_rows = not rows_are_public(of) or (stays and any(conditions(shown)))
    target = questioned(target_for(target_kind, columns, all_rows=all_rows), names, (), None, known=only_known(of, names))
    return {
        "table": of.name,
        "columns": names,
        "target": target,
        "oracle": oracle_of_kind(kind, of, columns, target),
        "n": of.size(names, target),
        "adjacency": of.adjacency_of_rows,
    }


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
