"""The gallery: one figure or table of a paper beside ours, with what agrees, what differs, and a way to Explore."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import cycle

import streamlit as st

from data.exhibits.exhibit import PAPERS, Cell, Exhibit, gallery
from dpcore.guarantees.descriptions import figure
from pages import state
from pages.escape import escaped
from pages.exports.link import from_text
from pages.figures.exhibits import INK, exhibit_chart, presented
from pages.figures.theme import Chart
from pages.widgets.charts import show_chart, show_table
from pages.widgets.controls import control
from pages.widgets.notices import open_page

NAME = "exhibit"  # parameter of the address


def _title(exhibit: Exhibit) -> str:
    """Return the title of an exhibit, with its number if it has one."""
    kind, _, number = exhibit.name.partition("_")
    return f"{kind.capitalize()} {number}: {exhibit.title}" if number.isdigit() else exhibit.title


def slides() -> list[tuple[dict[str, str], str, Chart]]:
    """Return the charts for the presentation: parameters of the address, title and chart. Exhibits without charts have none."""
    return [
        ({NAME: one.name, "panel": str(number)}, _title(one), chart)
        for one in gallery().values()
        for number, chart in enumerate(presented(one, _ink()), 1)
    ]


def _ink() -> str:
    """Return the colour of the type on the ground of the page."""
    return "#fafafa" if st.context.theme.type == "dark" else INK


def show(name: str) -> None:
    """Show one exhibit with a picker.

    Args:
        name: Name of the exhibit, from the address; the first is shown if it is unknown.
    """
    names = list(gallery())
    if name and name not in names:
        st.warning(f"The gallery has no exhibit “{escaped(name)}”. The first one is shown instead.")
    control(
        st.selectbox,
        "Figure or table",
        names,
        key="pick_exhibit",
        holds=name if name in names else names[0],
        act=_go,
        format_func=lambda one: _title(gallery()[one]),
        width=520,
    )
    _show_exhibit(gallery()[name if name in names else names[0]])


def _go(name: str) -> None:
    st.query_params[NAME] = name


def _show_exhibit(one: Exhibit) -> None:
    st.markdown(f"## {escaped(_title(one))}\n:small[{escaped(PAPERS[one.work])}, {escaped(one.where)}]")
    stated = _list("The paper says", [*one.paper, *(f"{each.says} ({each.place})" for each in one.stated)])
    boxes = cycle(st.columns(2, gap="medium"))
    for number, chart in enumerate(one.charts):
        for facet in chart.facets:
            with next(boxes):
                show_chart(exhibit_chart(chart, facet, ink=_ink()), f"exhibit_{one.name}_{number}_{facet}", "")
    next(boxes).markdown(stated)
    for note in filter(None, [*(f"Shaded: {chart.spread}." for chart in one.charts if chart.spread), one.no_curve]):
        st.markdown(f":small[{escaped(note)}]")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open in Explore", key="exhibit_live", icon=":material/monitoring:"):
            open_page("explore", from_text(json.dumps(one.live), state.tables()))
        st.markdown(escaped(one.live_note))
    left, right = st.columns(2, gap="large")
    left.markdown(f"{_list('What we did', one.ours)}\n\n{_list('Agrees', one.agrees)}")
    differs = "".join(f"\n- **{escaped(each.says)}** {escaped(each.why)}" for each in one.differs)
    right.markdown(f"### Differs, because{differs}")
    for table in one.tables:
        _show_table(table.title, table.columns, table.rows)
    if one.deviations:
        rows = [(each.setting, each.paper, each.ours, each.why) for each in one.deviations]
        _show_table("Settings that differ", ("setting", "in the paper", "here", "why"), rows)


def _list(title: str, sentences: Iterable[str]) -> str:
    return "\n".join([f"### {title}", *(f"- {escaped(one)}" for one in sentences)])


def _show_table(title: str, columns: tuple[str, ...], rows: Iterable[tuple[Cell, ...]]) -> None:
    """Show a table in an expander, numbers with three digits."""
    said = [[cell if isinstance(cell, str) else figure(cell) for cell in row] for row in rows]
    with st.expander(escaped(title), icon=":material/table:"):
        show_table([dict(zip(columns, row, strict=True)) for row in said])
