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
from pages.experiment.words import filled
from pages.exports.report import ORDER
from pages.figures.charts import charts_of
from pages.figures.lessons import large
from pages.files.tables import Table
from pages.server.jobs import Job
from pages.widgets import progress

SIZE = 20  # pixels of a chart's type
_FIRST = "1"  # in the address: the first chart
_HEIGHT = 400  # pixels of a chart of Explore, in a window of 1280 × 720
Act = Callable[[], None] | None
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


def start() -> None:
    """Present Explore, from the first chart on."""
    _go(_FIRST)


def start_learn() -> None:
    """Present Learn: the step or the exhibit in the address."""
    st.query_params[PRESENT] = _FIRST


def leave_learn() -> None:
    """Leave the presentation of Learn."""
    st.query_params.pop(PRESENT, None)


def page() -> Any:
    """Return a container in large type that fills the window."""
    st.html(f"<style>{_STYLE}{_SIZES}</style>")
    return st.container(key="presentation", gap="small")


def show_buttons(place: int, count: int, back: Act, onward: Act, leave: Act, label: str = "Next") -> None:
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


def _go(name: str) -> None:
    st.session_state[PRESENT] = name


def show(scenario: Scenario, table: Table) -> None:
    """Present a scenario on Explore: its headline, its guarantee, and one chart."""
    shown, leave = jobs.view(scenario, table), partial(_go, "")
    if isinstance(shown, Job):
        progress.show(jobs.question(scenario, table), scenario, shown)
        show_buttons(0, 1, None, None, leave)
        return
    texts, charts = filled(shown), charts_of(shown)
    names = [name for name in ORDER if name in charts]
    named = st.session_state[PRESENT]
    name = st.session_state[PRESENT] = named if named in names else names[0]
    problem = "" if shown.problem is None else escaped(plain(shown.problem))
    st.markdown(f"## {escaped(texts['headline'])}\n**{escaped(texts['promise'])}** {escaped(texts['limits'])}{problem}")
    st.markdown(f"**{escaped(charts[name].title)}**")
    show_figure(large(charts[name], SIZE - 1, _HEIGHT), f"present_{name}", charts[name].alt, _HEIGHT)
    place = names.index(name)
    back, onward = (partial(_go, names[at]) if 0 <= at < len(names) else None for at in (place - 1, place + 1))
    show_buttons(place, len(names), back, onward, leave)


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
