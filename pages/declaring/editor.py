"""Your data: the editor with a row for each column of the file, and sentences on missing declarations."""

from __future__ import annotations

from typing import Any

import pandas as pd
import streamlit as st

from pages.declaring import columns
from pages.declaring.draft import Draft
from pages.escape import escaped
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.declaration import DATES_AS, MISSING, WholeFile
from pages.files.declarations.declared_table import numbers_written, problems
from pages.files.header import listed
from pages.files.tables import Table

_MOST_SAID = 4  # sentences on what is missing
_ROW = 35  # pixels of a row of the editor
_MOST_ROWS = 12  # without scrolling


def show(draft: Draft, table: Table, whole: WholeFile, person: str) -> None:
    """Show the editor with a note for each column, then the columns that are ready and the declarations that are missing."""
    draft.begin()
    sentences = draft.edit()
    asked = tuple(one for one in draft.declared if one.name != person)
    needs = problems(asked, whole, numbers_written(table))
    notes = [
        columns.note(
            one,
            fit=draft.fit(one, whole),
            needs=needs.get(one.name),
            unread=one.name in table.unused,
            padded=one.name in draft.padded,
            likely=one.name == draft.likely,
            person=one.name == person,
        )
        for one in draft.declared
    ]
    st.markdown(
        "**Columns.** Types are proposed from the file; from here on your word counts. A cell that does not fit its type is "
        "missing. Low and high are what the quantity can be, known without this table: a value beyond them counts as the nearest "
        "bound."
    )
    st.data_editor(
        pd.DataFrame([columns.row(one, note) for one, note in zip(draft.begun, notes, strict=True)]),
        key=draft.editor_key,
        hide_index=True,
        height=_ROW * (min(len(notes), _MOST_ROWS) + 1) + 3,
        column_config=_config(public=draft.public),
        disabled=list(columns.FIXED),
        alt="A row for each column of the file, with its type and its public bounds or categories.",
    )
    for sentence in [*sentences, *columns.unfit(asked, lambda one: draft.fit(one, whole))]:
        st.error(escaped(sentence))
    ready = [escaped(one.name) for one in asked if one.used and one.name not in needs]
    if ready:
        st.markdown(f"**Ready:** {listed(ready).removesuffix('.')}.")
    by_remedy: dict[str, list[str]] = {}
    for error in needs.values():
        by_remedy.setdefault(error.remedy, []).append(error.problem)
    for remedy, said in by_remedy.items():
        more = f" So do {len(said) - _MOST_SAID} more." if len(said) > _MOST_SAID else ""
        st.markdown(f":material/edit: {escaped(' '.join(said[:_MOST_SAID]))}{more} {escaped(remedy)}")


def _config(*, public: bool) -> dict[str, Any]:
    config, titles = st.column_config, columns.TITLES
    read_off = "Here it may be what the table has." if public else "Never read it off a confidential table."
    ends = f"needed for numbers and dates. What the quantity can be, known without this table. {read_off}"
    texts = {
        "name": (145, ""),
        "label": (80, "What charts and answers call the column."),
        "unit": (60, "As in: years, €, mg/dl."),
        "lowest": (70, f"Lowest value: {ends}"),
        "highest": (70, f"Highest value: {ends}"),
        "categories": (
            115,
            "For a category: all that there can be, as in: a, b, c. Another spelling in the file can be among them with its "
            "meaning, as in: a; b; bb → b (or bb -> b). Any other cell becomes “other”.",
        ),
        "codes": (105, "Cells of this column that are missing, as in: -999; k. A. Empty cells are missing anyway."),
        "note": (310, "Reasons why a column is not used, cells that do not fit, and proposals."),
        "constant": (95, "What a missing value counts as, if that is the rule."),
        "unit_behind": (120, "The unit beside the numbers in the file, as in: days; day. It is taken off."),
    }
    choices = {
        "type": (120, list(TYPES), "The kind of cells."),
        "missing": (
            150,
            list(MISSING),
            "What a missing value counts as." + " Rows without a value are left out of a public table." * public,
        ),
        "dates_as": (85, list(DATES_AS), "Days are counted from the lowest date."),
    }
    return {
        "used": config.CheckboxColumn(titles["used"], width=60),
        **{name: config.TextColumn(titles[name], width=width, help=told or None) for name, (width, told) in texts.items()},
        **{
            name: config.SelectboxColumn(titles[name], options=options, required=True, width=width, help=told)
            for name, (width, options, told) in choices.items()
        },
        "codes_count": config.CheckboxColumn(
            titles["codes_count"], width=90, help="A code means a missing value, also if it could be a value of the column."
        ),
    }
