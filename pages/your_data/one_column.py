"""One column's declarations in a form of their own: by keyboard alone, and on small screens."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import DATES_AS, MISSING, Declaration
from pages.shared.escape import escaped
from pages.wording.sentences import plain
from pages.your_data import editor, kept
from pages.your_data.editor import Declared

_WORDS = {"lowest": "Lowest", "highest": "Highest", "constant": "Constant", "unit": "Unit", "label": "Label"}


def show(declared: Declared, key: str) -> None:
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
            listed = st.text_input("Categories, as in: a; b; c", editor.listed(one.categories))
            for field, words in _WORDS.items():
                cells[field] = st.text_input(words, getattr(one, field))
        if st.form_submit_button("Set"):
            changes = {"used": used, "type": kind, "missing": missing, "dates_as": dates_as, **cells}
            _set(one, changes | {"categories": editor.categories_in(listed)}, declared)


def _set(one: Declaration, changes: dict[str, Any], declared: Declared) -> None:
    try:
        changed = replace(one, **changes)
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} This column stays as it was."))
        return
    kept.begin_with(tuple(changed if other is one else other for other in declared))
    st.rerun()
