"""An optional ceiling for a table: a press beyond it is refused before anything is drawn."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from dpcore.workbench.tables import Table
from pages.state import ledger, state
from pages.wording.sentences import plain

_HELP = (
    "The ledger adds up what all releases of a table have spent. A budget is the most that they may spend together: a press "
    "beyond it is refused before anything is drawn. Random DP needs a total γ too."
)


def show(table: Table) -> None:
    """The totals that it allows."""
    current, alias = ledger.book().budgets.get(table.digest), ledger.alias(table.digest)
    st.markdown("## Ledger", help=_HELP)
    with st.container(horizontal=True):
        for label, key, value in (
            ("Budget: total ε", f"budget_epsilon_{alias}", current.epsilon if current else None),
            ("total δ", f"budget_delta_{alias}", getattr(current, "delta", None)),
            ("total γ", f"budget_gamma_{alias}", getattr(current, "gamma", None)),
        ):
            st.session_state.setdefault(key, value)
            st.number_input(
                label,
                min_value=0.0,
                value=None,
                key=key,
                format="%g",
                width=120,
                placeholder="none",
                on_change=_set,
                args=(table.digest,),
            )


def _set(name: str) -> None:
    budget, said = _read(ledger.alias(name))
    st.session_state["notices"] = []
    if said:
        state.say(said)
    book = ledger.book()
    with book.lock:
        if budget is None:
            book.budgets.pop(name, None)
        else:
            book.budgets[name] = budget


def _read(alias: str) -> tuple[Guarantee | None, str]:
    """The budget of the fields, or None with a sentence where they are not all empty."""
    epsilon, delta, gamma = (st.session_state[f"budget_{key}_{alias}"] for key in ("epsilon", "delta", "gamma"))
    if epsilon is None:
        alone = "A budget needs a total ε beside the others: until it has one, there is no budget."
        return None, alone if delta or gamma else ""
    try:
        return _guarantee(epsilon, delta or 0.0, gamma), ""
    except DpcoreError as error:
        return None, f"That budget cannot be, so there is none now: {plain(error)}"


def _guarantee(epsilon: float, delta: float, gamma: float | None) -> Guarantee:
    if gamma:
        return RandomDP(epsilon, delta, gamma)
    return ApproxDP(epsilon, delta) if delta else PureDP(epsilon)
