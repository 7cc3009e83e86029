"""Limits of uploads: of one tab, of this server, and of the files that are read at the same time."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import final
from weakref import WeakSet

import streamlit as st

from dpcore.errors import TableError
from pages.files.declarations.declaration import Declaration, WholeFile
from pages.files.declarations.declared_table import declared_table
from pages.files.limits import in_turn
from pages.files.persons import Persons
from pages.files.tables import Form, Table, read_file

MEGABYTE = 2**20
MOST_OF_A_TAB = 200 * MEGABYTE
_USUAL_OF_THE_SERVER = 2_000


@final
@dataclass(eq=False)
class Held:
    """Memory of an upload while its table is kept: bytes of the file, and of its columns beside it."""

    file: int
    columns: int = 0


_held: WeakSet[Held] = WeakSet()  # of all tabs: they leave with their session


def most_of_the_server() -> int:
    """Return the bytes that the uploads of all tabs may take in this process (DPCORE_UPLOADS_MB, in megabytes)."""
    said = os.environ.get("DPCORE_UPLOADS_MB", "")
    return (int(said) if said.isdecimal() else _USUAL_OF_THE_SERVER) * MEGABYTE


def read(content: bytes, name: str, form: Form) -> Table:
    """Return the table of a file that is read in this form. TableError if it cannot be read or memory is short.

    It counts for the tab until another file is read, or longer if ``keep`` is called.
    """
    st.session_state.pop("draft_held", None)
    _refuse_beyond(Held(len(content)))
    table = read_file(content, name, form, public=False)
    held = Held(len(content), sum(values.nbytes for values in table.values.values()) + table.cells.nbytes)
    _refuse_beyond(held)
    _held.add(held)
    st.session_state["draft_held"] = held
    return table


def declared(
    draft: Table,
    content: bytes,
    columns: tuple[Declaration, ...],
    *,
    public: bool,
    persons: Persons | None,
    whole: WholeFile,
) -> Table:
    """Return the declared table of a file, large ones one at a time. TableError if it cannot be used."""
    with in_turn(draft.cells.nbytes):
        return declared_table(draft, columns, public=public, persons=persons, whole=whole)


def keep(name: str) -> None:
    """Count the last file for the tab as the table of this name, instead of the one that had the name before."""
    if "draft_held" in st.session_state:
        st.session_state.setdefault("held", {})[name] = st.session_state["draft_held"]


def _refuse_beyond(new: Held) -> None:
    """Raise TableError if a new file is more than its tab or this server keeps."""
    here = sum(held.file for held in set(st.session_state.get("held", {}).values()))
    if here + new.file > MOST_OF_A_TAB:
        problem = f"This tab holds {_mb(here)} of files, this one has {_mb(new.file)}, and {_mb(MOST_OF_A_TAB)} are kept at most."
        raise TableError(problem, "Reload the page to start without the files of before; the ledger stays.")
    if sum(held.file + held.columns for held in (*_held, new)) > most_of_the_server():
        problem = f"The uploads of all visitors take the {_mb(most_of_the_server())} that this server has for them."
        raise TableError(problem, "Try again later, or with a smaller file.")


def _mb(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB"
