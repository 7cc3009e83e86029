"""Pairs drawn from another oracle than the one that sized the noise: how many of them Δ̂ misses."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpcore.audits.wrong_oracle import Missed
from dpcore.base.types import takes_fields
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.words import percent
from dpcore.registry.fit import fits
from dpcore.workbench import elsewhere
from dpcore.workbench.defaults import TABLE_RECORDS, kind_of, oracle_for, oracle_kinds, title
from dpcore.workbench.question import asked_plainly
from dpcore.workbench.scenario import TableRecords
from pages.components import badges, form
from pages.components.escape import escaped
from pages.session import draws
from pages.session.sentences import oracle_words, plain
from pages.session.view import Shown

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
        "The changes are drawn from", list(dict.fromkeys([*kinds, kind_of(oracle)])), key="pick_world", format_func=title,
        on_change=lambda: keep(oracle_for(st.session_state["pick_world"], view.table, columns)),
        help="The noise stays sized by the scenario's own oracle.",
    )  # fmt: skip
    if lost:
        st.markdown(f":material/info: {_MISFIT}")
    if not isinstance(oracle, TableRecords):
        with st.container(horizontal=True):
            form.show(oracle, partial(form.propose, take=keep), of="World", key="opt_world")
    st.markdown(_tried(view, oracle))
    badges.public_draws()


def _plainly(view: Shown) -> tuple[Any, tuple[Any, ...]]:
    """The scenario's own oracle, and the columns that its target alone is asked of."""
    scenario, table = view.scenario, view.table
    if takes_fields(scenario.target):
        scenario = scenario.with_(**asked_plainly(scenario, table))
    return scenario.oracle, tuple(table.column(name) for name in scenario.columns)


def _chosen(view: Shown, own: Any, columns: tuple[Any, ...], kinds: tuple[str, ...]) -> tuple[Any, bool]:
    """What was chosen here, where it fits the columns; else one of another kind than the scenario's own, and whether there had
    been another choice."""
    kept = _worlds().get(_key(view, columns))
    if kept is not None and (TABLE_RECORDS in kinds if isinstance(kept, TableRecords) else fits(kept, columns)):
        return kept, False
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


def _tried(view: Shown, oracle: Any) -> str:
    """How many changes were missed, there and at home."""
    try:
        world = elsewhere.in_world(view.scenario, view.table, oracle)
        there, here = (draws.missed(one, view.table, view.noise.sensitivity.value) for one in (world, view.scenario))
    except DpcoreError as error:
        return escaped(f"Nothing was tried there. {plain(error)}")
    guarantee: Any = view.noise.guarantee
    return (
        f"The noise was sized by {escaped(oracle_words(view.scenario.oracle))}. Of {there.pairs:,} random changes in the other "
        f"world **{_share(there)} moved the answer further than Δ̂**, and so are not protected ({_interval(there)}). Promised was "
        f"{words.left_out(guarantee)}. {_verdict(there, guarantee.gamma)} Of fresh changes from the oracle itself it is "
        f"{_share(here)} ({_interval(here)})."
    )


def _share(found: Missed) -> str:
    return percent(found.missed / found.pairs)


def _interval(found: Missed) -> str:
    return f"from {percent(found.low)} to {percent(found.high)}, with 95 % confidence"


def _verdict(found: Missed, gamma: float) -> str:
    if found.low > gamma:
        return "In that world the promise would not hold."
    return "In that world it would hold." if found.high <= gamma else "So many draws cannot tell whether it would hold there."
