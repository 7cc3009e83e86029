"""What is declared of the columns of a file: the table of declarations, and what is still missing in it."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import pandas as pd
import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.csv_columns.header import listed
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import DATES_AS, MISSING, Declaration
from pages.files.declarations.declared_table import problems, ready
from pages.files.tables import Table
from pages.shared.escape import escaped
from pages.wording.sentences import plain
from pages.your_data import kept_declarations

# The one table in which a holder says what is public of each column.


_LISTED = "; "
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
        "name": config.TextColumn("Column", width=120),
        "type": config.SelectboxColumn("Type", options=list(TYPES), required=True, width=130),
        "lowest": config.TextColumn("Lowest", help=f"Lowest value: {ends}", width=95),
        "highest": config.TextColumn("Highest", help=f"Highest value: {ends}", width=95),
        "categories": config.TextColumn(
            "Categories",
            width=130,
            help="For a category: all that there can be, as in: a; b; c. Anything else in the file becomes “other”.",
        ),
        "missing": config.SelectboxColumn(
            "A missing value",
            options=list(MISSING),
            required=True,
            width=150,
            help="A cell that is empty, or does not fit its type, is missing."
            + (" Records with a missing value are left out of a public table." if public else ""),
        ),
        "constant": config.TextColumn("Constant", help="What a missing value counts as, where that is the rule.", width=95),
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


def typed(categories: tuple[str, ...]) -> str:
    """As a person types them, and ``categories_in`` reads them: between semicolons, or commas where no name has one."""
    text = _LISTED.join(categories)
    return f"{text};" if len(categories) == 1 and "," in text else text


def categories_in(text: str) -> tuple[str, ...]:
    """What stands between semicolons, or between commas where there is none."""
    return tuple(filter(None, (one.strip() for one in text.split(";" if ";" in text else ","))))


def _row(one: Declaration) -> dict[str, Any]:
    row = asdict(one) | {"categories": typed(one.categories)}
    order = ("used", "name", "type", "lowest", "highest", "categories", "missing", "constant", "unit", "label", "dates_as")
    return {name: row[name] for name in order}


def _declaration(base: Declaration, row: dict[str, Any]) -> Declaration:
    """The row as it is now, or with a sentence as it was."""
    cells = {name: value.strip() if isinstance(value, str) else value for name, value in row.items() if not pd.isna(value)}
    cells["categories"] = categories_in(cells.get("categories", ""))
    try:
        return Declaration(**(asdict(base) | _CLEARED | cells | {"name": base.name}))
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} This row stays as it was."))
        return base


_CLEARED = dict.fromkeys(("lowest", "highest", "constant", "unit", "label"), "")  # a cell that was emptied is None, or NaN


# One column's declarations in a form of their own: by keyboard alone, and on small screens.


_WORDS = {"lowest": "Lowest", "highest": "Highest", "constant": "Constant", "unit": "Unit", "label": "Label"}


def show_one_column(declared: kept_declarations.Declared, key: str) -> None:
    """The same as a row of the table, which needs a pointer: what is set here stands in the table at once."""
    with st.expander("Declare one column after another, without the table"):
        names = [one.name for one in declared]
        name = st.selectbox("Column", names, key="one_column")
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
        with right:
            categories = st.text_input("Categories, as in: a; b; c", typed(one.categories))
            for field, words in _WORDS.items():
                cells[field] = st.text_input(words, getattr(one, field))
        if st.form_submit_button("Set"):
            changes = {"used": used, "type": kind, "missing": missing, "dates_as": dates_as, **cells}
            _set(one, changes | {"categories": categories_in(categories)}, declared)


def _set(one: Declaration, changes: dict[str, Any], declared: kept_declarations.Declared) -> None:
    try:
        changed = replace(one, **changes)
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} This column stays as it was."))
        return
    kept_declarations.begin_with(tuple(changed if other is one else other for other in declared))
    st.rerun()


_MOST_SAID = 4  # sentences on what is missing


def show(draft: Table, turn: int, *, public: bool) -> kept_declarations.Declared:
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
    declared = edited(base, key, public=public)
    kept_declarations.keep(key, declared)
    show_one_column(declared, key)
    _say(declared)
    return declared


def _say(declared: kept_declarations.Declared) -> None:
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
