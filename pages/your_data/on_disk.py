"""A table on this server's disk is chosen, in place of a file that is brought."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees.unit import Unit
from pages.files import on_disk
from pages.shared.escape import escaped
from pages.shared.widgets import hold
from pages.wording.sentences import plain
from pages.your_data import kept_declarations, persons_form, reading

_KEY = "disk_table"


def chosen(on_another: Callable[[], None]) -> str | None:
    """The name of the table that somebody picked; None where there is none, or the host lists none."""
    known = on_disk.listed()
    if not known:
        return None
    hold(_KEY)
    if st.session_state.get(_KEY) not in known:
        st.session_state[_KEY] = None
    sizes = {name: _size(name) for name in known}
    picked: str | None = st.selectbox(
        "Or a table on this server's disk",
        list(known),
        index=None,
        key=_KEY,
        width=440,
        placeholder="Choose",
        format_func=lambda name: f"{escaped(name)}, {sizes[name]}",
        on_change=on_another,
        help="It may be larger than memory: numbers of rows, sums, means and shares are answered from its files as they lie, "
        "under their proved worst case. For another question its columns are read into memory at the press, where they are "
        "small enough. It counts as confidential.",
    )
    return picked


def let_go() -> None:
    """A file came."""
    if _KEY in st.session_state:
        st.session_state[_KEY] = None


def _size(name: str) -> str:
    try:
        return counted(on_disk.rows(name), " rows")
    except (DpcoreError, ModuleNotFoundError):
        return "which cannot be read"


def show(name: str) -> None:
    """The draft of it, begun anew where another one was there; a refusal is a sentence."""
    key = f"disk {name} {on_disk.version(name)}"
    if st.session_state.get("draft_file") != key:
        st.session_state["draft_file"] = key
        persons_form.forget()
        st.session_state.pop("new_version", None)
        st.session_state.pop("draft_held", None)
        if _begin(name):
            st.rerun()
    if st.session_state["draft_problem"]:
        st.error(escaped(st.session_state["draft_problem"]))
    else:
        st.markdown(
            "Its columns and their types are what the files say of themselves, and no value was looked at. An infinite number "
            "counts at its bound, and a word counts as it is written."
        )


def _begin(name: str) -> bool:
    """Whether it was declared in this tab before."""
    st.session_state["draft_turn"] = reading.turn() + 1
    st.session_state.update(draft=None, draft_content=b"", draft_problem="", draft_ways=(), draft_read_as=None)
    before = kept_declarations.recall(f"on disk {name}".encode())
    try:
        with st.spinner("The table is read once, for its digest."):
            draft = on_disk.draft(name)
    except (DpcoreError, ModuleNotFoundError) as error:
        st.session_state["draft_problem"] = f"{name}: {plain(error) if isinstance(error, DpcoreError) else error}"
        return False
    st.session_state["draft"] = draft
    if not before:
        st.session_state["declared_anew"] = on_disk.proposed(draft)
    return before


def say_rows(unit: Unit) -> None:
    """That each row is protected by itself, where a person can have several."""
    st.warning(
        f"**The guarantee will protect one {escaped(unit.name)}, not one person.** On disk each row is protected by itself. "
        "Differential privacy protects somebody with 10 rows at 10 times ε at worst, which is far weaker. To protect people, "
        "bring the table as a file.",
        icon=":material/warning:",
    )
