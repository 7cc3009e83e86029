"""Pairs drawn from another oracle than the one that sized the noise: how many of them Δ̂ misses."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import streamlit as st

from dpcore.audits.wrong_oracle import Missed, seldom_exceeded
from dpcore.base.counted import counted
from dpcore.base.types import takes_fields
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.words import percent
from dpcore.registry.fit import fits
from pages.experiment import another_oracle
from pages.experiment.defaults import kind_of, oracle_for, oracle_kinds, title
from pages.experiment.question import asked_plainly
from pages.experiment.scenario import Scenario, TableRecords
from pages.shared import badges, form
from pages.shared.escape import escaped
from pages.state import doubts, draws
from pages.state.view import Shown
from pages.wording.sentences import oracle_words, plain

_MISFIT = "The oracle that was chosen here does not fit the columns any more, so another one is shown."


def show(view: Shown) -> None:
    """A picker as that of the scenario's own oracle, its options, and the share missed."""
    st.markdown("### If the world is another oracle")
    own, columns = _plainly(view)
    kinds = oracle_kinds(view.table, columns)
    oracle, lost = _chosen(view, own, columns, kinds)
    keep = partial(_keep, _key(view, columns))
    st.session_state["pick_world"] = kind_of(oracle)
    st.selectbox(
        "The changes are drawn from",
        list(dict.fromkeys([*kinds, kind_of(oracle)])),
        key="pick_world",
        format_func=title,
        on_change=lambda: keep(oracle_for(st.session_state["pick_world"], view.table, columns)),
        help="The noise stays sized by the scenario's own oracle.",
    )
    if lost:
        st.markdown(f":material/info: {_MISFIT}")
    if not isinstance(oracle, TableRecords):
        with st.container(horizontal=True):
            form.show(lambda: oracle, partial(form.propose, take=keep), of="World", key="opt_world")
    st.markdown(_tried(view, oracle))
    badges.show(badges.PUBLIC_DRAWS)


def _plainly(view: Shown) -> tuple[Any, tuple[Any, ...]]:
    """The scenario's own oracle, and the columns that its target alone is asked of."""
    scenario, table = view.scenario, view.table
    if takes_fields(scenario.target):
        scenario = scenario.with_(**asked_plainly(scenario, table))
    return scenario.oracle, table.taken(scenario.columns, scenario.target)


def _chosen(view: Shown, own: Any, columns: tuple[Any, ...], kinds: tuple[str, ...]) -> tuple[Any, bool]:
    """What was chosen here, where it fits the columns; else one of another kind than the scenario's own, and whether there had
    been another choice."""
    key = _key(view, columns)
    if doubts.arrived():
        _worlds()[key] = doubts.linked_world()
    kept = _worlds().get(key)
    if kept is not None and (kind_of(kept) in kinds if isinstance(kept, TableRecords) else fits(kept, columns)):
        doubts.link_world(kept)
        return kept, False
    doubts.link_world(None)
    others = [kind for kind in kinds if kind != kind_of(own)] or list(kinds)
    return oracle_for(others[0], view.table, columns), kept is not None


def _key(view: Shown, columns: tuple[Any, ...]) -> tuple[str, ...]:
    return (view.scenario.table, *(column.name for column in columns))


def _worlds() -> dict[tuple[str, ...], Any]:
    """What was chosen for the columns of each table."""
    chosen: dict[tuple[str, ...], Any] = st.session_state.setdefault("worlds", {})
    return chosen


def _keep(key: tuple[str, ...], oracle: Any) -> None:
    _worlds()[key] = oracle
    doubts.link_world(oracle)


def _tried(view: Shown, oracle: Any) -> str:
    """How many changes were missed, there and at home."""
    try:
        world = another_oracle.in_world(view.scenario, view.table, oracle)
        found, here = tried(view, world, "world"), None
        if found is not None and _quick(view):
            here = draws.missed(view.scenario, view.table, view.noise.sensitivity.value, another_oracle.AT_HOME)
    except DpcoreError as error:
        return escaped(f"Nothing was tried there. {plain(error)}")
    if found is None:
        return "To fit this answer takes long, so its changes are made once you ask for them."
    at_home = "" if here is None else f" Of fresh changes from the oracle itself it is {_share(here)} ({_interval(here)})."
    sized_by = escaped(oracle_words(view.scenario.oracle))
    return (
        f"The noise was sized by {sized_by}. We made {found.pairs:,} random changes in the other "
        f"world. {missed_words(found)}{at_home} Promised was {promised(view)}. "
        f"{verdict(found, view, world, 'In that world')}"
    )


def tried(view: Shown, world: Scenario, name: str) -> Missed | None:
    """How many random changes of a world Δ̂ misses: at once, or where that takes longer once a button was pressed. Until then
    None, and the button, whose key begins with ``name``. TooSlowError where nobody would wait for it."""
    seconds = another_oracle.seconds(world, view.table)
    asked: set[str] = st.session_state.setdefault("worlds_tried", set())
    key = draws.key_of(world)
    if seconds > another_oracle.AT_ONCE and key not in asked:
        about = counted(f"{math.ceil(seconds):,}", " seconds")
        st.button(
            f"Try {another_oracle.FEWEST} changes, which takes about {about}", key=f"{name}_try", on_click=asked.add, args=(key,)
        )
        return None
    return draws.missed(world, view.table, view.noise.sensitivity.value)


def _quick(view: Shown) -> bool:
    return another_oracle.seconds(view.scenario, view.table) <= another_oracle.AT_ONCE


def missed_words(found: Missed) -> str:
    """The share of the changes, and what it may be in truth."""
    return f"**{_share(found)} of them moved the answer further than Δ̂**, and so are not protected ({_interval(found)})."


def promised(view: Shown) -> str:
    """The share that may be left out, as the guarantee has it, and how sure that is of this Δ̂."""
    guarantee: Any = view.noise.guarantee
    sure = guarantee.confidence
    return words.left_out(guarantee) + ("" if sure is None else f", with {percent(sure)} confidence over the draws")


def verdict(found: Missed, view: Shown, world: Scenario, where: str) -> str:
    """Whether the promise would hold: by this Δ̂ where the promise is of it, else by many new ones, or not at all."""
    guarantee: Any = view.noise.guarantee
    if guarantee.confidence is not None:
        return _held(found, guarantee.gamma, where)
    anew = draws.missed_on_average(view.scenario, world, view.table)
    average = "That average is over Δ̂: each release draws a new one."
    if anew is None:
        seldom = percent(seldom_exceeded(view.scenario.point))
        return (
            f"{average} This Δ̂ leaves out {_share(found)}; of the oracle itself, at most 1 Δ̂ in 20 leaves out more than {seldom}."
        )
    tries = f"We drew {anew.pairs:,} of them and tried each on one such change: they missed {_share(anew)} ({_interval(anew)})."
    return f"{average} {tries} {_held(anew, guarantee.gamma, where)}"


def _held(found: Missed, gamma: float, where: str) -> str:
    if found.low > gamma:
        return f"{where} the promise would not hold."
    return f"{where} it would hold." if found.high <= gamma else f"{where} these changes leave open whether it would hold."


def _share(found: Missed) -> str:
    return percent(found.missed / found.pairs)


def _interval(found: Missed) -> str:
    return f"from {percent(found.low)} to {percent(found.high)}, with 95 % confidence"
