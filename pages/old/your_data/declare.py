"""What is declared of the columns of a file: the table of declarations, and what is still missing in it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pandas as pd
import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import DATES_AS, MISSING, Declaration
from pages.files.tables import Table
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import one_of
from pages.old.wording.sentences import plain
from pages.old.your_data import kept_declarations
from pages.old.your_data.typed_lists import (
    categories_in,
    codes_in,
    listed_in,
    on_lines,
    pairs_in,
    typed,
    typed_pairs,
    words_of_a_file,
)

# The one table in which a holder says what is public of each column.


_ROW = 35  # pixels of a row of the table
_MOST_ROWS = 12  # that are seen at once


def edited(base: kept_declarations.Declared, key: str, *, public: bool) -> kept_declarations.Declared:
    """The declarations as the holder has them now; ``base`` are those that the table begins with, as long as the key stays."""
    frame: pd.DataFrame = st.data_editor(
        pd.DataFrame([_row(one) for one in base]),
        key=key,
        hide_index=True,
        height=_ROW * (min(len(base), _MOST_ROWS) + 1) + 3,
        column_config=_columns(public=public),
        disabled=["name"],
        alt="A row for each column of the file: whether it is used, its type, and what is public of it.",
    )
    rows = [dict(zip(frame.columns, row, strict=True)) for row in frame.itertuples(index=False)]
    return tuple(_declaration(one, row) for one, row in zip(base, rows, strict=True))


def _columns(*, public: bool) -> dict[str, Any]:
    config = st.column_config
    read_off = "Here it may be what the table has." if public else "Never read it off a confidential table."
    ends = f"needed for numbers and dates. What the quantity can be, known without this table. {read_off}"
    return {
        "used": config.CheckboxColumn("Use", width=60),
        "name": config.TextColumn("Column", width=150),
        "type": config.SelectboxColumn("Type", options=list(TYPES), required=True, width=130),
        "lowest": config.TextColumn("Lowest", help=f"Lowest value: {ends}", width=95),
        "highest": config.TextColumn("Highest", help=f"Highest value: {ends}", width=95),
        "categories": config.TextColumn(
            "Categories",
            width=130,
            help="For a category: all that there can be, as in: a; b; c. Another spelling in the file can stand among them, with "
            "what it means, as in: a; b; bb → b (or bb -> b). Anything else in the file becomes “other”.",
        ),
        "missing": config.SelectboxColumn(
            "A missing value",
            options=list(MISSING),
            required=True,
            width=150,
            help="A cell that is empty, or does not fit its type, is missing."
            + (" Rows with a missing value are left out of a public table." if public else ""),
        ),
        "constant": config.TextColumn("Constant", help="What a missing value counts as, where that is the rule.", width=95),
        "codes": config.TextColumn(
            "Nothing known",
            width=135,
            help="Cells of this column that mean that nothing is known, as in: -999; k. A. An empty cell does so anyway.",
        ),
        "unit": config.TextColumn("Unit", help="As in: years, €, mg/dl.", width=75),
        "label": config.TextColumn("Label", help="What charts and answers call the column.", width=95),
        "dates_as": config.SelectboxColumn(
            "Dates as",
            options=list(DATES_AS),
            required=True,
            width=85,
            help="Days are counted from the lowest date on.",
        ),
    }


def _row(one: Declaration) -> dict[str, Any]:
    row = asdict(one) | {"categories": typed(one.categories, one.spellings), "codes": typed(one.codes)}
    return {name: row[name] for name in _ORDER}


_ORDER = ("used", "name", "type", "lowest", "highest", "categories", "missing", "constant", "codes", "unit", "label", "dates_as")


def _declaration(base: Declaration, row: dict[str, Any]) -> Declaration:
    """The row as it is now, or with a sentence as it was."""
    cells = {name: value.strip() if isinstance(value, str) else value for name, value in row.items() if not pd.isna(value)}
    try:
        if (listed := cells.pop("categories", "")) != typed(base.categories, base.spellings):  # a category can hold any mark
            cells["categories"], cells["spellings"] = listed_in(listed, base.name)
        cells["codes"] = codes_in(cells.get("codes", ""), base.name)
        return Declaration(**(asdict(base) | _CLEARED | cells | {"name": base.name}))
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} This row stays as it was."))
        return base


_CLEARED = dict.fromkeys(("lowest", "highest", "constant", "unit", "label"), "")  # a cell that was emptied is None, or NaN


# One column's declarations in a form of their own: by keyboard alone, and on small screens.


_WORDS = {
    "lowest": "Lowest",
    "highest": "Highest",
    "constant": "Constant",
    "unit": "Unit",
    "unit_behind": "Unit behind its numbers in the file, or before them, which is taken off, as in: days; day",
    "label": "Label",
}


def show_one_column(declared: kept_declarations.Declared, key: str) -> None:
    """The same as a row of the table, which needs a pointer: what is set here stands in the table at once."""
    with st.expander("Declare one column after another, without the table"):
        names = [one.name for one in declared]
        name = one_of(st.selectbox, "Column", names, key="one_column")
        place = names.index(name) if name in names else 0
        _form(declared[place], f"{key}_{place}", declared)


def _form(one: Declaration, key: str, declared: kept_declarations.Declared) -> None:
    cells: dict[str, str] = {}
    with st.form(f"one_{key}", border=False):
        used = st.checkbox("Use", one.used)
        left, right = st.columns(2)
        with left:
            kind = st.selectbox("Type", list(TYPES), list(TYPES).index(one.type))
            missing = st.selectbox("A missing value", list(MISSING), MISSING.index(one.missing))
            dates_as = st.selectbox("Dates as", list(DATES_AS), DATES_AS.index(one.dates_as))
            codes = st.text_input("Cells that mean that nothing is known, as in: -999; k. A.", typed(one.codes))
            counts = st.checkbox("Such a cell counts as unknown also where it could be a value", one.codes_count)
            categories = st.text_area("Categories, one a line", on_lines(one.categories), height=110)
            file = st.file_uploader("Or a text file with one category a line", key=f"words_{key}")
        with right:
            for field, words in _WORDS.items():
                cells[field] = st.text_input(words, getattr(one, field))
            pairs = st.text_area(
                "Other spellings in the file, one pair a line",
                typed_pairs(one.spellings),
                height=110,
                placeholder="Chirugie → Chirurgie",
                help="A word of the file, an arrow (→ or ->), and the category that it means.",
            )
        if st.form_submit_button("Set"):
            cells |= {"type": kind, "missing": missing, "dates_as": dates_as, "codes": codes, "spellings": pairs}
            listed = categories if file is None else file.getvalue()
            _set(one, {"used": used, "codes_count": counts, "categories": listed, **cells}, declared)


def _set(one: Declaration, said: dict[str, Any], declared: kept_declarations.Declared) -> None:
    """``said``: lists as they were typed, or as a file that was loaded."""
    words, name = said["categories"], one.name
    try:
        said["categories"] = words_of_a_file(words, name) if isinstance(words, bytes) else categories_in(words, name)
        changed = replace(one, **said | {"codes": codes_in(said["codes"], name), "spellings": pairs_in(said["spellings"], name)})
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} This column stays as it was."))
        return
    kept_declarations.begin_with(tuple(changed if other is one else other for other in declared))
    st.rerun()


def show(draft: Table, turn: int, *, public: bool) -> kept_declarations.Declared:
    """The table of declarations, and a form for one column of it."""
    read_off = (
        "Here they may be read off the table, because it is public."
        if public
        else "They are never read off a confidential table, and nobody is told how many values lie outside or do not "
        "fit, unless you ask for it below. No row is dropped."
    )
    st.markdown(
        "**What is public of each column?** Types are proposed from the file; from here on your word counts. A cell that does "
        "not fit its type is missing, a word that is not in the list of categories is “other”, and neither changes how another "
        "cell is read. **Lowest and highest** are what the quantity can be, known without this table; values outside are "
        f"clipped to them. {read_off}"
    )
    base, key = kept_declarations.base(draft, turn, public=public)
    declared = edited(base, key, public=public)
    kept_declarations.keep(key, declared)
    show_one_column(declared, key)
    return declared
