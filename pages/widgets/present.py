"""Presentation mode: large type and one thing at a time. Arrow keys and a remote's PageUp and PageDown move on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from pages import jobs
from pages.address import PRESENT
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.view import view
from pages.experiment.words import filled
from pages.exports.report import ORDER
from pages.figures.charts import charts_of
from pages.figures.theme import Chart
from pages.files.tables import Table
from pages.server.jobs import Job
from pages.widgets import progress

SIZE = 20  # pixels of a chart's type
FIRST = "1"  # in the address: the first chart
_MARGIN = {"l": 90, "r": 20, "t": 84, "b": 64}
_FONT = {"font": {"size": SIZE - 3}}
_AXIS = {"tickfont": {"size": SIZE - 4}, "automargin": True}
# Everything is laid out for 1280 × 720. Larger windows magnify it in steps of an eighth, up to 6400 × 3600: all but charts is
# measured in heights of the type, and a chart is magnified as a picture is, because plotly measures its box in pixels.
_STYLE = """
[data-testid=stHeader], [data-testid=stToolbar] { display: none !important; }
[data-testid=stMainBlockContainer]:has(.st-key-presentation) { padding: 0.8rem 2rem 0; max-width: none; }
.st-key-presentation [data-testid=stMarkdownContainer] :is(p, li, td, th) { font-size: 1.35rem; line-height: 1.35; }
.st-key-presentation [data-testid=stMarkdownContainer] table { margin-bottom: 0.5rem; }
.st-key-presentation h2 { font-size: 2rem; line-height: 1.15; padding: 0 0 0.6rem; }
.st-key-presentation kbd { color: inherit !important; opacity: 1 !important; }
.st-key-present_keys:not(:focus-within) { position: absolute; left: -9999px; }
.st-key-present_chart, .st-key-present_chart * { overflow: visible !important; }
"""
_LARGER = """@media (min-width: {width}px) and (min-height: {height}px) {{
  :root {{ font-size: {type}px !important; }}
  .st-key-present_chart {{ width: calc(100% / {size}) !important; margin-bottom: calc(var(--chart) * ({size} - 1)); }}
  .st-key-present_chart .js-plotly-plot {{ transform: scale({size}); transform-origin: top left; }}
}}
"""
_TYPE = 15  # pixels of the page's type
_SIZES = "".join(
    _LARGER.format(width=160 * step, height=round(87.5 * step), type=_TYPE * step / 8, size=step / 8) for step in range(9, 41)
)


def is_on() -> bool:
    """Return whether Explore is presented."""
    return bool(st.session_state.get(PRESENT))


def start() -> None:
    """Present Explore, from the first chart on."""
    st.session_state[PRESENT] = FIRST


def start_learn() -> None:
    """Present Learn: the step or the exhibit in the address."""
    st.query_params[PRESENT] = FIRST


def leave_learn() -> None:
    """Leave the presentation of Learn."""
    st.query_params.pop(PRESENT, None)


def _present(name: str) -> None:
    st.session_state[PRESENT] = name


def page() -> Any:
    """Return a container in large type that fills the window."""
    st.html(f"<style>{_STYLE}{_SIZES}</style>")
    return st.container(key="presentation", gap="small")


Act = Callable[[], None]


def show_buttons(place: int, count: int, back: Act | None, onward: Act | None, leave: Act, label: str = "Next") -> None:
    """Show the buttons, with their keys.

    Args:
        place: Index of the thing that is shown.
        count: Number of things to show.
        back: Shows the one before; None at the beginning.
        onward: Shows the next one; None at the end.
        leave: Ends the presentation.
        label: Label of the button that shows the next one.
    """
    ways = (("Back", "present_back", back, "Left", "PageUp"), (label, "present_next", onward, "Right", "PageDown"))
    with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center"):
        for text, key, act, shortcut, _ in ways:
            st.button(text, key=key, shortcut=shortcut, disabled=act is None, on_click=act)
        st.markdown(f"{place + 1} of {count}", width="content")
        st.button("Leave", key="present_leave", shortcut="Escape", on_click=leave)
    with st.container(key="present_keys"):  # a button has one key, so these are for the remote
        for text, key, act, _, shortcut in ways:
            st.button(text, key=f"{key}_remote", shortcut=shortcut, disabled=act is None, on_click=act)


def show(scenario: Scenario, table: Table) -> None:
    """Present a scenario on Explore: its headline, its guarantee, and one chart."""
    with page():
        question = jobs.question(scenario, table)
        drawn = jobs.draws(question, scenario.m)
        leave = partial(_present, "")
        if isinstance(drawn, Job):
            progress.show(question, scenario, drawn)
            show_buttons(0, 1, None, None, leave)
            return
        shown = view(scenario, question, drawn)
        texts = filled(shown)
        charts = charts_of(shown)
        names = [name for name in ORDER if name in charts]
        place = _place(names)
        st.markdown(f"## {escaped(texts['headline'])}")
        problem = "" if shown.problem is None else escaped(plain(shown.problem))
        st.markdown(f"**{escaped(texts['promise'])}** {escaped(texts['limits'])}{problem}")
        show_chart(charts[names[place]], names[place])
        back, onward = (partial(_present, names[at]) if 0 <= at < len(names) else None for at in (place - 1, place + 1))
        show_buttons(place, len(names), back, onward, leave)


def _place(names: list[str]) -> int:
    """Return the index of the chart in the address, with a sentence if that chart is missing."""
    named = st.session_state[PRESENT]
    if named not in (FIRST, *names):
        st.warning(f"There is no chart “{escaped(named)}” here. The first one is shown.")
    st.session_state[PRESENT] = named if named in names else names[0]
    return names.index(st.session_state[PRESENT])


def show_chart(chart: Chart, key: str, height: int = 430) -> None:
    """Show a chart in large type.

    Args:
        chart: The chart.
        key: Key of the element.
        height: Height in pixels, in a window of 1280 × 720.
    """
    figure = chart.figure(size=SIZE, height=height)
    layout = {name: value for name, value in figure["layout"].items() if name != "height"}
    axes = {
        name: value | _AXIS | {"title": value.get("title", {}) | _FONT} for name, value in layout.items() if "axis" in name[1:]
    }
    for note in layout.get("annotations", []):
        note["font"] = note.get("font", {}) | _FONT["font"]
    figure["layout"] = layout | axes | {"margin": _MARGIN, "legend": layout["legend"] | _FONT}
    show_figure(figure, f"present_{key}", chart.alt, height)


def show_figure(figure: dict[str, Any], key: str, alt: str, height: int) -> None:
    """Show a plotly figure as large as the window allows.

    Args:
        figure: The figure, drawn for a window of 1280 × 720.
        key: Key of the element.
        alt: Its description.
        height: Its height in pixels.
    """
    st.html(f"<style>.st-key-present_chart {{ --chart: {height}px; }}</style>")
    with st.container(key="present_chart"):
        st.plotly_chart(figure, key=key, height=height, config={"displayModeBar": False}, alt=alt)
