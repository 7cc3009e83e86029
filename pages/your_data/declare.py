"""What is declared of the columns of a file: the table of declarations, and what is still missing in it."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.csv_columns.listed import listed
from dpcore.workbench.tables import Table
from pages.files.declarations.declared_table import problems, ready
from pages.shared.escape import escaped
from pages.your_data import editor, kept, one_column
from pages.your_data.editor import Declared

_MOST_SAID = 4  # sentences on what is missing


def show(draft: Table, turn: int, *, public: bool) -> Declared:
    """The table of declarations, and below it what is ready and what is not."""
    _about(public=public)
    base, key = kept.base(draft, turn, public=public)
    declared = editor.edited(base, key, public=public)
    kept.keep(key, declared)
    one_column.show(declared, key)
    _say(declared)
    return declared


def _about(*, public: bool) -> None:
    st.markdown(
        "**What is public of each column?** Types are proposed from the file; from here on your word counts. A cell that does "
        "not fit its type is missing, a word that is not in the list of categories is “other”, and neither changes how another "
        "cell is read. **Lowest and highest** are what the quantity can be, known without this table; values outside are "
        "clipped to them. " + ("Here they may be read off the table, because it is public." if public else _never_read_off())
    )


def _never_read_off() -> str:
    return (
        "They are never read off a confidential table, so nobody is told how many values lie outside or do not fit. No record is "
        "dropped."
    )


def _say(declared: Declared) -> None:
    """Which columns can be used now, and what the others still need."""
    done, waiting = [escaped(one.name) for one in ready(declared)], problems(declared)
    if done:
        st.markdown(f"**Ready:** {listed(done)}.")
    by_remedy: dict[str, list[str]] = {}
    for error in waiting.values():
        by_remedy.setdefault(error.remedy, []).append(error.problem)
    for remedy, said in list(by_remedy.items())[:_MOST_SAID]:
        more = f" So do {len(said) - _MOST_SAID} more." if len(said) > _MOST_SAID else ""
        st.markdown(f":material/edit: {escaped(' '.join(said[:_MOST_SAID]))}{more} {escaped(remedy)}")
    if waiting and done:
        st.markdown("Columns that are not ready stay out.")
