"""The ledger of a table: its budget, its lines, and saving and loading it as a file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from dpcore.errors import TableError
from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Ledger, Line
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.files.tables import Table
from pages.ledger import ledger_file, session
from pages.ledger.book import guarantee_of, limits
from pages.ledger.entry import CLOSED
from pages.releasing import current_list
from pages.widgets import guarantees, notices
from pages.widgets.charts import show_table
from pages.widgets.controls import control

_HELP = (
    "The ledger adds up what all releases of a table have spent. A budget is the most that they may spend together: a release "
    "beyond it is refused before anything is drawn. Random DP needs a total γ too."
)
_STORES_NOTHING = (
    ":material/history_toggle_off: **This browser stores nothing for this site**, as in some private windows. So this ledger "
    "belongs to this tab only, and after a reload it is empty: save it as a file, and use no other tab for this table."
)
_FILE = "ledger.json"
_FORGETS = "**This server forgets the ledger when it restarts: save it.**"
_ABOUT_SAVING = (
    "The lines of this table's ledger with their answers, and the budget. Do not publish the file: it holds a digest of the "
    "table, which confirms a guess of its values."
)
_ABOUT_LOADING = (
    "Load a file into an empty ledger of the same table. It cannot prove that nothing was released since it was saved, so from "
    "then on only proved noise is offered."
)
_DEMONSTRATION = (
    "Empties the ledger of this public table, with its answers. Nothing of a public table is secret, so this is for teaching: no "
    "guarantee covers the answers of several demonstrations together."
)


def show(table: Table) -> None:
    """Show the budget, the ledger and the file."""
    _show_budget(table)
    _show_ledger(table)
    _show_file(table)


def _show_budget(table: Table) -> None:
    """Show the budget. δ and γ can be added to a total ε."""
    st.markdown("## Ledger", help=_HELP)
    budget = session.book().account(table).budget
    holds, labels = limits(budget), {"epsilon": "Budget: total ε", "delta": "total δ", "gamma": "total γ"}
    with st.container(horizontal=True):
        for name in labels if budget else ["epsilon"]:
            control(
                st.number_input,
                labels[name],
                key=f"budget_{name}",
                holds=holds[name] or None,
                act=partial(_set_budget, table, name),
                min_value=0.0,
                value=None,
                format="%g",
                width=120,
                placeholder="none",
            )


def _set_budget(table: Table, name: str, value: float | None) -> None:
    """Change one number of the budget as it is now. A cleared ε removes the budget."""
    book = session.book()

    def set_it() -> None:
        account = book.account(table)
        numbers = limits(account.budget) | {name: value or 0.0}
        account.budget = None if name == "epsilon" and value is None else guarantee_of(*numbers.values())

    state.begin()
    with book.lock:
        state.attempt(set_it)


def _show_ledger(table: Table) -> None:
    """Show the table's ledger, with its total or why it has lost its total."""
    book = session.book()
    account = book.account(table)
    one, total = account.ledger, account.total
    if not session.stores_name():
        st.markdown(_STORES_NOTHING)
    if incomplete := book.incomplete(table):
        st.markdown(f":material/draft: {incomplete}")
    if not one.lines:
        st.markdown(f"Nothing was released of **{escaped(table.title or table.name)}** in this browser.")
        return
    show_table([_row(line) for line in one.lines])
    if total is not None:
        st.markdown(f"**Together: {descriptions.name(total)}.**")
        if len(one.lines) > 1 and one.fixed_beforehand:
            _show_tight(one, total)
        guarantees.show_in_full(total, table.unit, one.lines[0].adjacency)
    elif account.closed:
        st.markdown(f"**No guarantee covers all.** {CLOSED}")
    else:
        st.markdown("**No guarantee is left:** the shares γ of unprotected changes sum to 1 or more.")


def _show_tight(one: Ledger, plain_sum: Guarantee) -> None:
    """Show the total at a δ that the user types."""
    delta = st.number_input(
        "Tight total at δ",
        0.0,
        0.5,
        value=None,
        key="tight_delta",
        format="%g",
        width=160,
        placeholder="none",
        help="By privacy loss distributions: a smaller ε at this δ. It holds only if number, mechanism, ε and δ of all releases "
        "were fixed before the first answer: for one list, with nothing released after it.",
    )
    if delta:
        total = one.total(delta=delta)
        said = "no finite ε was found" if total is None else f"the total is **{descriptions.name(total)}**"
        if total is not None and total.epsilon >= plain_sum.epsilon:
            said = "the total is not smaller than the plain sum"
        st.markdown(f"At δ = {delta:g}, {said}.")


def _row(line: Line) -> dict[str, str]:
    return {
        "charge": line.words,
        "question": line.about or line.target,
        "answer": line.answer or "none",
        "time": line.made,
        "ε": f"{line.epsilon:g}",
        "δ": f"{line.delta:g}",
        "γ": f"{line.gamma:g}",
    }


def _show_file(table: Table) -> None:
    """Show the buttons, and the box for a file."""
    book = session.book()
    if lines := book.ledger(table).lines:
        with st.container(horizontal=True, vertical_alignment="center", key="saving"):
            st.download_button(
                "Save the ledger",
                partial(ledger_file.write, book, table),
                _FILE,
                "application/json",
                key="save_ledger",
                on_click="ignore",
                icon=":material/save:",
                help=_ABOUT_SAVING,
            )
            st.markdown(_FORGETS, width="stretch")
    begun = book.is_drawing or book.ledger(table).responded or bool(lines)
    if begun and not book.why_no_demonstration(table):
        st.button(
            "Start a new demonstration (no guarantee)",
            key="new_demonstration",
            icon=":material/restart_alt:",
            help=_DEMONSTRATION,
            on_click=partial(_start_demonstration, table),
        )
    box = st.expander("Load a saved ledger", key="load_ledger", on_change="rerun", icon=":material/upload_file:")
    if not box.open:  # a change of a list of questions is shown sooner without it
        return
    with box:
        st.markdown(_ABOUT_LOADING)
        notices.mend_drop_zones()
        key = f"ledger_file_{st.session_state.get('ledger_file_turn', 0)}"
        st.file_uploader("A file that “Save the ledger” gave you", type=["json"], key=key, on_change=_load, args=(key, table))
        if problem := st.session_state.pop("ledger_file_problem", ""):
            st.error(escaped(problem))


def _start_demonstration(table: Table) -> None:
    current_list.begin_again()
    book = session.book()
    with book.lock:
        refused = book.start_demonstration(table)
    state.say(refused or "A new demonstration was started: the ledger of this table is empty.")


def _load(key: str, table: Table) -> None:
    """Load the file, or say why not; the same file can be dropped again."""
    file = st.session_state[key]
    if file is None:
        return
    state.begin()
    st.session_state["ledger_file_turn"] = st.session_state.get("ledger_file_turn", 0) + 1
    try:
        refused = ledger_file.load(session.book(), table, ledger_file.read(file.getvalue()))
    except TableError as error:
        refused = plain(error)
    if refused:
        st.session_state["ledger_file_problem"] = f"{file.name}: {refused} Nothing was changed."
        return
    state.say(f"{file.name} was loaded. From now on only proved noise is offered for this table.")
