"""The gallery: one figure or table of a paper beside ours, with what agrees, what differs, and a way to Explore."""

from __future__ import annotations

import json
from collections.abc import Iterable

import streamlit as st

from data.exhibits.exhibit import PAPERS, Check, Exhibit, gallery
from dpcore.guarantees.descriptions import figure
from pages import state
from pages.escape import escaped
from pages.exports.link import from_text
from pages.figures.exhibits import INK, exhibit_chart, presented
from pages.figures.theme import Chart
from pages.widgets.charts import show_chart
from pages.widgets.controls import control
from pages.widgets.opening import open_page

NAME = "exhibit"  # parameter of the address


def title_of(exhibit: Exhibit) -> str:
    """Return the title of an exhibit, with its number if it has one."""
    kind, _, number = exhibit.name.partition("_")
    return f"{kind.capitalize()} {number}: {exhibit.title}" if number.isdigit() else exhibit.title


def slides() -> list[tuple[dict[str, str], str, Chart]]:
    """Return the charts for the presentation: parameters of the address, title and chart. Exhibits without charts have none."""
    return [
        ({NAME: one.name, "panel": str(number)}, title_of(one), chart)
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
    exhibits = gallery()
    first = next(iter(exhibits))
    if name and name not in exhibits:
        st.warning(f"The gallery has no exhibit “{escaped(name)}”. The first one is shown instead.")
    _show_picker(list(exhibits.values()), name if name in exhibits else first)
    _show_exhibit(exhibits.get(name, exhibits[first]))


def _go(name: str) -> None:
    st.query_params[NAME] = name


def _show_picker(exhibits: list[Exhibit], name: str) -> None:
    titles = {one.name: title_of(one) for one in exhibits}
    names = list(titles)
    at = names.index(name)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        label = "Figure or table"
        control(st.selectbox, label, names, key="pick_exhibit", holds=name, act=_go, format_func=titles.__getitem__, width=520)
        for text, to, icon in (("Back", at - 1, "arrow_back"), ("Next", at + 1, "arrow_forward")):
            ends = not 0 <= to < len(names)
            key = f"exhibit_{text.lower()}"
            st.button(text, key=key, icon=f":material/{icon}:", disabled=ends, on_click=_go, args=(names[0 if ends else to],))


def _show_exhibit(one: Exhibit) -> None:
    st.markdown(f"## {escaped(title_of(one))}\n:small[{escaped(PAPERS[one.work])}, {escaped(one.where)}]")
    panels = [(number, facet) for number, chart in enumerate(one.charts) for facet in chart.facets]
    stated = [*one.paper, *(f"{each.says} ({each.place})" for each in one.stated)]
    if len(panels) == 1:
        left, right = st.columns([3, 2], gap="large")
        with left:
            _show_panel(one, *panels[0])
        with right:
            _show_list("The paper says", map(escaped, stated))
    for start in range(0, len(panels) if len(panels) > 1 else 0, 2):
        for box, panel in zip(st.columns(2, gap="medium"), panels[start : start + 2], strict=False):
            with box:
                _show_panel(one, *panel)
    for note in [*(f"Shaded: {chart.spread}." for chart in one.charts if chart.spread), one.no_curve]:
        if note:
            st.markdown(f":small[{escaped(note)}]")
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Open in Explore", key="exhibit_live", icon=":material/monitoring:"):
            open_page("explore", from_text(json.dumps(one.live), state.tables()))
        st.markdown(escaped(one.live_note))
    left, right = st.columns(2, gap="large")
    with left:
        if len(panels) != 1:
            _show_list("The paper says", map(escaped, stated))
        _show_list("What we did", map(escaped, one.ours))
    with right:
        _show_list("Agrees", map(escaped, one.agrees))
        _show_list("Differs, because", [f"**{escaped(each.says)}** {escaped(each.why)}" for each in one.differs])
    _show_tables(one)
    st.markdown("### Checked")
    _show_rows(("number", "limits", "measured", "within"), map(_checked, one.checks))
    _show_details(one)


def _show_panel(one: Exhibit, number: int, facet: str) -> None:
    chart = exhibit_chart(one.charts[number], facet, ink=_ink())
    show_chart(chart, f"exhibit_{one.name}_{number}_{facet}", "")


def _show_list(title: str, sentences: Iterable[str]) -> None:
    st.markdown("\n".join([f"### {title}", *(f"- {one}" for one in sentences)]))


def _show_tables(one: Exhibit) -> None:
    if not one.tables:
        return
    boxes = st.tabs([table.title for table in one.tables])
    for box, table in zip(boxes, one.tables, strict=True):
        with box:
            _show_rows(table.columns, [[cell if isinstance(cell, str) else figure(cell) for cell in row] for row in table.rows])


def _show_rows(columns: tuple[str, ...], rows: Iterable[Iterable[str]]) -> None:
    names = [escaped(name) for name in columns]
    st.table([dict(zip(names, map(escaped, row), strict=True)) for row in rows], border="horizontal")


def _checked(check: Check) -> tuple[str, str, str, str]:
    least, most = ("" if limit is None else figure(float(limit)) for limit in (check.least, check.most))
    limits = f"{least} to {most}" if least and most else f"at least {least}" if least else f"at most {most}"
    return check.says, limits, figure(check.measured), "yes" if check.holds else "no"


def _show_details(one: Exhibit) -> None:
    """Show the settings that differ, and seed, time and versions of the results."""
    with st.expander("Settings that differ, and how this was made", icon=":material/rule:"):
        if one.deviations:
            rows = [(each.setting, each.paper, each.ours, each.why) for each in one.deviations]
            _show_rows(("setting", "in the paper", "here", "why"), rows)
        made = one.made
        drawn = "Nothing is random" if made.seed is None else f"Seed {made.seed}"
        versions = ", ".join(f"{library} {version}" for library, version in made.versions.items())
        st.markdown(f"{drawn}; {figure(made.seconds)} s of processor time; {escaped(versions)}.")
