"""The gallery: one figure or table of a paper beside ours, with what agrees, what differs, and a way to Explore."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from data.exhibits.exhibit import PAPERS, Exhibit, gallery
from dpcore.guarantees.descriptions import figure
from pages import state
from pages.escape import escaped
from pages.exports.link import from_text
from pages.figures.exhibits import INK, exhibit_chart, presented
from pages.figures.theme import Chart
from pages.widgets.charts import show_chart
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
    at = names.index(name) if name in names else 0
    with st.container(horizontal=True, vertical_alignment="bottom"):
        control(
            st.selectbox,
            "Figure or table",
            names,
            key="pick_exhibit",
            holds=names[at],
            act=_go,
            format_func=lambda one: _title(gallery()[one]),
            width=520,
        )
        for text, to, icon in (("Back", at - 1, "arrow_back"), ("Next", at + 1, "arrow_forward")):
            ends = not 0 <= to < len(names)
            key = f"exhibit_{text.lower()}"
            st.button(text, key=key, icon=f":material/{icon}:", disabled=ends, on_click=_go, args=(names[0 if ends else to],))
    _show_exhibit(gallery()[names[at]])


def _go(name: str) -> None:
    st.query_params[NAME] = name


def _show_exhibit(one: Exhibit) -> None:
    st.markdown(f"## {escaped(_title(one))}\n:small[{escaped(PAPERS[one.work])}, {escaped(one.where)}]")
    panels = [(number, facet) for number, chart in enumerate(one.charts) for facet in chart.facets]
    columns: Sequence[Any] = st.columns([3, 2], gap="large") if len(panels) == 1 else ()
    for place, (number, facet) in enumerate(panels):
        if len(panels) > 1 and place % 2 == 0:
            columns = st.columns(2, gap="medium")
        with columns[place % 2]:
            show_chart(exhibit_chart(one.charts[number], facet, ink=_ink()), f"exhibit_{one.name}_{number}_{facet}", "")
    stated = _list("The paper says", [*one.paper, *(f"{each.says} ({each.place})" for each in one.stated)])
    if len(panels) == 1:
        columns[1].markdown(stated)
    for note in filter(None, [*(f"Shaded: {chart.spread}." for chart in one.charts if chart.spread), one.no_curve]):
        st.markdown(f":small[{escaped(note)}]")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open in Explore", key="exhibit_live", icon=":material/monitoring:"):
            open_page("explore", from_text(json.dumps(one.live), state.tables()))
        st.markdown(escaped(one.live_note))
    left, right = st.columns(2, gap="large")
    left.markdown("\n\n".join([*([stated] if len(panels) != 1 else []), _list("What we did", one.ours)]))
    differs = "".join(f"\n- **{escaped(each.says)}** {escaped(each.why)}" for each in one.differs)
    right.markdown(f"{_list('Agrees', one.agrees)}\n\n### Differs, because{differs}")
    for table, box in zip(one.tables, st.tabs([table.title for table in one.tables]) if one.tables else (), strict=True):
        with box:
            _show_rows(table.columns, [[cell if isinstance(cell, str) else figure(cell) for cell in row] for row in table.rows])
    _show_deviations(one)


def _list(title: str, sentences: Iterable[str]) -> str:
    return "\n".join([f"### {title}", *(f"- {escaped(one)}" for one in sentences)])


def _show_rows(columns: tuple[str, ...], rows: Iterable[Iterable[str]]) -> None:
    names = [escaped(name) for name in columns]
    st.table([dict(zip(names, map(escaped, row), strict=True)) for row in rows], border="horizontal")


def _show_deviations(one: Exhibit) -> None:
    """Show the settings that differ from the paper's."""
    if one.deviations:
        with st.expander("Settings that differ", icon=":material/rule:"):
            rows = [(each.setting, each.paper, each.ours, each.why) for each in one.deviations]
            _show_rows(("setting", "in the paper", "here", "why"), rows)
