"""Release: a receipt, one press, one response with its guarantee, and the ledger."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import ApproxDP, Guarantee, PureDP, RandomDP
from pages import state
from pages.files.tables import Table
from pages.ledger import browser
from pages.ledger import session as ledger
from pages.old.release import ledger_file, receipt, releases
from pages.old.release.listed import part as listed_part
from pages.old.release.listed import show as listed
from pages.old.shared import notices, progress
from pages.old.state import place
from pages.old.state.listed import current_list
from pages.old.wording.sentences import plain

# An optional ceiling for a table: a press beyond it is refused before anything is drawn.


_HELP = (
    "The ledger adds up what all releases of a table have spent. A budget is the most that they may spend together: a press "
    "beyond it is refused before anything is drawn. Random DP needs a total γ too."
)


_CHANGED = "The budget was changed in another tab, so it was not set here. It is shown now as it is: change it again."


def show_budgets(table: Table) -> None:
    """The totals that it allows."""
    book, alias = ledger.book(), ledger.alias(table.digest)
    current, shown = book.budgets.get(book.name_of(table)), f"budget_{alias}"
    changed = st.session_state.setdefault(shown, current) != current  # in another tab, or by a file
    st.session_state[shown] = current
    st.markdown("## Ledger", help=_HELP)
    with st.container(horizontal=True):
        for label, key, value in (
            ("Budget: total ε", f"budget_epsilon_{alias}", current.epsilon if current else None),
            ("total δ", f"budget_delta_{alias}", facts(current).delta or None),
            ("total γ", f"budget_gamma_{alias}", facts(current).gamma),
        ):
            if changed or key not in st.session_state:
                st.session_state[key] = value
            st.number_input(
                label,
                min_value=0.0,
                value=None,
                key=key,
                format="%g",
                width=120,
                placeholder="none",
                on_change=_set,
                args=(table,),
            )


def _set(table: Table) -> None:
    alias = ledger.alias(table.digest)
    budget, said = _read(alias)
    shown, book = f"budget_{alias}", ledger.book()
    with book.lock:
        name = book.name_of(table)
        if book.budgets.get(name) != st.session_state[shown]:
            said = _CHANGED
        elif budget is None:
            book.budgets.pop(name, None)
        else:
            book.budgets[name] = budget
    if said != _CHANGED:
        st.session_state[shown] = budget
    st.session_state["notices"] = []
    if said:
        state.say(said)


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


_STYLE = """<style>
@media (min-width: 641px) {
  [data-testid=stLayoutWrapper]:has(> .st-key-release_bar) { position: sticky; top: 3.25rem; z-index: 50; }
  .st-key-release_bar { padding: 0.4rem 0; background: color-mix(in srgb, Canvas 75%, transparent); backdrop-filter: blur(16px); }
}
</style>"""  # the bar stays in sight below the navigation, where there is room for it
TITLE = "Release"
PLACES = (place.OPEN,)
ORDER = 3


def show() -> None:
    """The receipt, then what was released, then the ledger: once the browser has said its name."""
    if notices.show_missing_table():
        return
    state.take_own_n()
    table = state.table()
    waits = current_list.awaits_first(table)
    many = current_list.current(table) is not None or waits
    st.markdown(f"# {'Publish a list of answers' if many else 'Publish one private answer'}")
    if browser.known() is None:
        notices.show(over=many)
        st.markdown("Your browser is asked for its ledger's name, so that what was released in it before is found.")
        return
    st.html(_STYLE)
    bar = st.container(horizontal=True, vertical_alignment="center", key="release_bar")
    above = st.container()
    left, right = st.columns(2, gap="large")
    with above:
        if listed_part.stands(table):
            listed_part.show(table, left, bar)
        else:
            notices.show(over=many)
            _alone(table, left, bar, waits=waits)
    with right:
        releases.entries(table)
        show_budgets(table)
        releases.ledgers(table)
        ledger_file.show(table)


def _alone(table: Table, left: Any, bar: Any, *, waits: bool) -> None:
    """Where no list is shown: what is being drawn, the place of the first question, or the one that Explore shows."""
    drawing = ledger.book().drawing
    if drawing is not None and drawing.open:
        with left:
            progress.of_release(drawing)
    elif waits:
        listed.await_first(table)
    else:
        listed.begin(state.scenario(), table)
        with left:
            receipt.show(state.scenario(), table, bar)
