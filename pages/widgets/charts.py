"""A chart on a page, with alternative text, a table of its numbers, and a picture to download."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.figures.theme import Chart

CONFIG: dict[str, Any] = {
    "displaylogo": False,
    "modeBarButtons": [["toImage"]],
    "toImageButtonOptions": {"format": "png", "scale": 3, "filename": "what-privacy-costs"},
}


def show_chart(chart: Chart, key: str, guarantee: str, **more: Any) -> Any:
    """Show a chart.

    Args:
        chart: The chart.
        key: Key of the element.
        guarantee: Text after the title.
        **more: Other arguments of ``st.plotly_chart``.
    """
    return st.plotly_chart(chart.figure(guarantee), key=key, config=CONFIG, alt=chart.alt, **more)


def show_numbers(charts: dict[str, Chart], label: str = "Numbers behind the charts", key: str = "numbers") -> None:
    """Show the numbers of charts as tables, in an expander that is built only while it is open.

    Args:
        charts: The charts by name.
        label: Label of the expander.
        key: Key of the expander.
    """
    box = st.expander(label, on_change="rerun", key=key, icon=":material/table:")
    if not box.open:
        return
    with box:
        for chart in charts.values():
            st.markdown(f"**{chart.title}.** {chart.alt}")
            if chart.rows:
                st.dataframe(chart.rows, hide_index=True, width="content")
