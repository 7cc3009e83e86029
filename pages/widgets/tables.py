"""Tables of text, with a download as CSV."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from pages.escape import escaped
from pages.exports.spreadsheet import as_csv


def show_table(rows: list[dict[str, str]], name: str, *, marks: Mapping[str, str] | None = None) -> None:
    """Show a table, and a button that downloads it as CSV.

    Args:
        rows: The rows, by column.
        name: Name of the file. No other table of the page has it.
        marks: Columns that only the file has, before the others.
    """
    st.table([{escaped(heading): escaped(cell) for heading, cell in row.items()} for row in rows])
    st.download_button(
        "CSV",
        as_csv([dict(marks or {}) | row for row in rows]),
        f"{name}.csv",
        "text/csv",
        key=f"csv_{name}",
        on_click="ignore",
        type="tertiary",
        icon=":material/download:",
        help="This table for a spreadsheet.",
    )
