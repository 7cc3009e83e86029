"""Presentation mode: the headline and one chart at a time, in large type, without selectors."""

from __future__ import annotations

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

_PLACE = "present_place"
_SIZE = 20  # pixels of a chart's type
_MARGIN = {"l": 90, "r": 20, "t": 84, "b": 64}
_FONT = {"font": {"size": _SIZE - 3}}
_AXIS = {"tickfont": {"size": _SIZE - 4}, "automargin": True}
_STYLE = """<style>
[data-testid=stHeader] { display: none; }
[data-testid=stMainBlockContainer]:has(.st-key-presentation) { padding: 1.2rem 3rem 0.5rem; }
.st-key-presentation h2 { font-size: clamp(1.6rem, 2.4vw, 3rem); line-height: 1.2; padding: 0; }
.st-key-presentation_promise p { font-size: clamp(0.9rem, 1.2vw, 1.6rem); }
.st-key-presented [data-testid=stPlotlyChart] { height: calc(100vh - max(16.5rem, 28vh)); min-height: 260px; }
</style>"""


def is_on() -> bool:
    """Return whether the session presents."""
    return bool(st.session_state.get(PRESENT))


def start() -> None:
    """Begin with the first chart."""
    st.session_state[PRESENT] = True
    st.session_state[_PLACE] = 0


def leave() -> None:
    """Return to Explore."""
    st.session_state[PRESENT] = False


def _step(by: int) -> None:
    st.session_state[_PLACE] = st.session_state.get(_PLACE, 0) + by


def show(scenario: Scenario, table: Table) -> None:
    """Show the presentation of a scenario."""
    st.html(_STYLE)
    with st.container(key="presentation", gap="small"):
        question = jobs.question(scenario, table)
        drawn = jobs.draws(question, scenario.m)
        if isinstance(drawn, Job):
            progress.show(question, scenario, drawn)
            _buttons(0, 1)
            return
        shown = view(scenario, question, drawn)
        texts = filled(shown)
        st.markdown(f"## {escaped(texts['headline'])}")
        with st.container(key="presentation_promise"):
            st.markdown(
                f"**{escaped(texts['promise'])}** {escaped(texts['limits'])}"
                + ("" if shown.problem is None else escaped(plain(shown.problem)))
            )
        charts = charts_of(shown)
        names = [name for name in ORDER if name in charts]
        place = min(max(st.session_state.get(_PLACE, 0), 0), len(names) - 1)
        st.session_state[_PLACE] = place
        with st.container(key="presented"):
            _large(charts[names[place]], names[place])
        _buttons(place, len(names))


def _large(chart: Chart, name: str) -> None:
    """Show a chart that fills the window, in large type."""
    figure = chart.figure(size=_SIZE)
    layout = {key: value for key, value in figure["layout"].items() if key != "height"}
    axes = {key: value | _AXIS | {"title": value.get("title", {}) | _FONT} for key, value in layout.items() if "axis" in key[1:]}
    for note in layout.get("annotations", []):
        note["font"] = note.get("font", {}) | _FONT["font"]
    figure["layout"] = layout | axes | {"margin": _MARGIN, "legend": layout["legend"] | _FONT}
    st.plotly_chart(figure, key=f"present_{name}", height="stretch", config={"displayModeBar": False}, alt=chart.alt)


def _buttons(place: int, count: int) -> None:
    with st.container(horizontal=True, horizontal_alignment="center", vertical_alignment="center"):
        st.button("Back", key="present_back", shortcut="Left", disabled=place == 0, on_click=_step, args=(-1,))
        st.markdown(f"{place + 1} of {count}", width="content")
        st.button("Next", key="present_next", shortcut="Right", disabled=place + 1 >= count, on_click=_step, args=(1,))
        st.button("Leave", key="present_leave", shortcut="Escape", on_click=leave)
