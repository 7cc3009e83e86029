"""Charts with their numbers, and tables, on a page."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.escape import escaped
from pages.figures.theme import Chart

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "png", "scale": 3, "filename": "what-privacy-costs"},
}


def show_chart(chart: Chart, key: str, guarantee: str, **more: Any) -> Any:
    """Show a chart with alternative text and a picture to download.

    Args:
        chart: The chart.
        key: Key of the element.
        guarantee: Text after the title.
        **more: Other arguments of ``st.plotly_chart``.
    """
    return st.plotly_chart(chart.figure(guarantee), key=key, config=CONFIG, alt=chart.alt, **more)


def show_numbers(charts: dict[str, Chart], label: str = "Numbers behind the charts", key: str = "numbers") -> None:
    """Show the numbers of charts, if there are any, as tables in an expander that is built only while it is open.

    Args:
        charts: The charts by name.
        label: Label of the expander.
        key: Key of the expander.
    """
    if not charts:
        return
    box = st.expander(label, on_change="rerun", key=key, icon=":material/table:")
    for chart in charts.values() if box.open else ():
        box.markdown(f"**{chart.title}.** {chart.alt}")
        if chart.rows:
            box.dataframe(chart.rows, hide_index=True, width="content")


def show_table(rows: list[dict[str, str]]) -> None:
    """Show a table of text, by column."""
    st.table([{escaped(heading): escaped(cell) for heading, cell in row.items()} for row in rows])
