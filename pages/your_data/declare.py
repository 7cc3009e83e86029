"""What is declared of the columns of a file: the table of declarations, and what is still missing in it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.csv_columns.header import listed
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import DATES_AS, MISSING, Declaration
from pages.files.declarations.declared_table import problems, ready
from pages.files.tables import Table
from pages.shared.escape import escaped
from pages.wording.sentences import plain
from pages.your_data import editor, kept_declarations
from pages.your_data.kept_declarations import Declared

# One column's declarations in a form of their own: by keyboard alone, and on small screens.


_WORDS = {"lowest": "Lowest", "highest": "Highest", "constant": "Constant", "unit": "Unit", "label": "Label"}


def show_one_column(declared: Declared, key: str) -> None:
    """The same as a row of the table, which needs a pointer: what is set here stands in the table at once."""
    with st.expander("Declare one column after another, without the table"):
        names = [one.name for one in declared]
        name = st.selectbox("Column", names, key="one_column")
        place = names.index(name) if name in names else 0
        _form(declared[place], f"{key}_{place}", declared)


def _form(one: Declaration, key: str, declared: Declared) -> None:
    cells: dict[str, str] = {}
    with st.form(f"one_{key}", border=False):
        used = st.checkbox("Use", one.used)
        left, right = st.columns(2)
        with left:
            kind = st.selectbox("Type", list(TYPES), list(TYPES).index(one.type))
            missing = st.selectbox("A missing value", list(MISSING), MISSING.index(one.missing))
            dates_as = st.selectbox("Dates as", list(DATES_AS), DATES_AS.index(one.dates_as))
        with right:
            categories = st.text_input("Categories, as in: a; b; c", editor.typed(one.categories))
            for field, words in _WORDS.items():
                cells[field] = st.text_input(words, getattr(one, field))
        if st.form_submit_button("Set"):
            changes = {"used": used, "type": kind, "missing": missing, "dates_as": dates_as, **cells}
            _set(one, changes | {"categories": editor.categories_in(categories)}, declared)


def _set(one: Declaration, changes: dict[str, Any], declared: Declared) -> None:
    try:
        changed = replace(one, **changes)
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} This column stays as it was."))
        return
    kept_declarations.begin_with(tuple(changed if other is one else other for other in declared))
    st.rerun()


_MOST_SAID = 4  # sentences on what is missing


def show(draft: Table, turn: int, *, public: bool) -> Declared:
    """The table of declarations, and below it what is ready and what is not."""
    read_off = (
        "Here they may be read off the table, because it is public."
        if public
        else "They are never read off a confidential table, so nobody is told how many values lie outside or do not fit. No "
        "record is dropped."
    )
    st.markdown(
        "**What is public of each column?** Types are proposed from the file; from here on your word counts. A cell that does "
        "not fit its type is missing, a word that is not in the list of categories is “other”, and neither changes how another "
        "cell is read. **Lowest and highest** are what the quantity can be, known without this table; values outside are "
        f"clipped to them. {read_off}"
    )
    base, key = kept_declarations.base(draft, turn, public=public)
    declared = editor.edited(base, key, public=public)
    kept_declarations.keep(key, declared)
    show_one_column(declared, key)
    _say(declared)
    return declared


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
