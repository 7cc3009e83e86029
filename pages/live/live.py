"""The live component: its mount, and the changes of the scenario that it sends."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from dpcore.guarantees.operating_points import Bound
from pages import state
from pages.experiment import words
from pages.experiment.scenario import Noise
from pages.experiment.view import View, kinds_of_noise, question_key
from pages.figures.operating_points import FIX_BOTH, FIX_GAMMA, FIX_M, confidence_for, table_1
from pages.figures.theme import Chart, plain
from pages.live.tables import epsilon_stops, gamma_stops, m_stops, tables_of
from pages.server.routes import plotly_address
from pages.widgets.charts import CONFIG
from pages.widgets.rail import set_noise

_HERE = Path(__file__).parent
_KEY = "live"
_TABLES = "live_tables_of_last_view"  # key in the session
_TYPED = ("epsilon", "gamma", "m", "confidence")  # names of the boxes
# Streamlit shows its own error in the component's place if a browser refuses its script; the way out is seen only then.
_STYLE = """<style>
.st-key-live_help { display: none; }
.stApp:has(.st-key-live [data-testid=stAlertContainer]) .st-key-live_help { display: flex; }
</style>"""
PLAIN = "plain_sliders"  # key in the session; true if ordinary sliders are shown
component = st.components.v2.component(
    "explore",
    html=(_HERE / "live.html").read_text(),
    css=(_HERE / "live.css").read_text(),
    js=(_HERE / "live.js").read_text(),
    isolate_styles=False,
)
tables_component = st.components.v2.component("explore_tables", js=(_HERE / "tables.js").read_text(), isolate_styles=False)


def can_run() -> bool:
    """Return whether to show the live component: in a browser, unless it failed there or ordinary sliders are selected."""
    ordinary = st.session_state.get(PLAIN, False) or st.query_params.get("plain") == "1"
    return bool(st.context.headers) and not ordinary


def use_plain(*, on: bool) -> None:
    """Show ordinary sliders (``on``), or the live component again."""
    st.session_state[PLAIN] = on


def show(
    view: View,
    charts: dict[str, Chart],
    problem: str = "",
    *,
    hidden: Iterable[str] = (),
    receive: Callable[[dict[str, Any]], None] | None = None,
) -> None:
    """Show sliders, headline, charts and guarantee.

    Args:
        view: The view.
        charts: Its charts by name.
        problem: The reason for a missing chart.
        hidden: Sliders, selectors and charts to hide, by name. Texts are never hidden.
        receive: Called with each message of the component; by default the scenario of the session follows it.
    """
    scenario = view.scenario
    tables = None if view.sample is None else _tables(view)
    if tables is not None:
        tables_component(key="live_tables", data=tables)
    texts = words.filled(view)
    attacker = view.attacker
    data: dict[str, Any] = {
        "tables": None if tables is None else tables["id"],
        "seq": st.session_state.get("live_seq", 0),
        "epsilon": scenario.epsilon,
        "gamma": scenario.gamma,
        "m": scenario.m,
        "noise": scenario.noise.name,
        "bound": scenario.bound.name,
        "confidence": scenario.confidence,
        "choices": {
            "noise": [[one.name, one.words] for one in dict.fromkeys((*kinds_of_noise(view.question), scenario.noise))],
            "bound": [[one.name, one.words] for one in Bound],
        },
        "texts": texts,
        "templates": words.templates(view),
        "percent": view.noise is not None and view.released.accuracy.percent,
        "exact": attacker is not None and attacker.exact,
        "charts": {name: _chart_data(chart, texts.get("line", "")) for name, chart in charts.items()},
        "problem": problem,
        "hidden": sorted(hidden),
        "elsewhere": "This chart needs noise. The first chart says what to do.",
        "table1": _table_1(scenario.m, scenario.gamma, scenario.confidence),
        "bounds": [one.name for one in Bound],
        "config": CONFIG,
        "plotly": plotly_address(),
    }
    act = partial(_take_message, receive or _apply_message)
    component(key=_KEY, data=data, on_sent_change=act, on_failed_change=_show_plain)
    st.html(_STYLE)
    with st.container(key="live_help", horizontal=True, vertical_alignment="center"):
        st.markdown("This browser does not run the live charts.", width="content")
        st.button("Use ordinary sliders", key="use_plain", on_click=partial(use_plain, on=True))


def _tables(view: View) -> dict[str, Any]:
    """Return the tables of a view: those of the last view, unless something but the places of the sliders has changed."""
    scenario, sample = view.scenario, view.sample
    assert sample is not None
    fixed = None if scenario.noise is Noise.SAMPLED or view.noise is None else view.noise.sensitivity.value
    stops = epsilon_stops(scenario.epsilon), gamma_stops(scenario.gamma), m_stops(len(sample.distances), scenario.m)
    sized = scenario.noise, scenario.bound, scenario.confidence, fixed, view.noise is None
    key = sample.sample_id, question_key(scenario, view.question.table), stops, sized
    kept: tuple[Any, dict[str, Any]] = st.session_state.get(_TABLES, (None, {}))
    if kept[0] != key:
        kept = st.session_state[_TABLES] = key, tables_of(view)
    return kept[1]


def _chart_data(chart: Chart, line: str) -> dict[str, Any]:
    made = chart.figure(line)
    made["layout"]["autosize"] = True
    sent = {"figure": made, "alt": chart.alt, "moves": plain(chart.moves)}
    return sent | {"digest": hashlib.sha256(json.dumps(sent, sort_keys=True).encode()).hexdigest()[:16]}


@lru_cache(maxsize=256)
def _table_1(m: int, gamma: float, confidence: float | None) -> dict[str, list[dict[str, Any]]]:
    return {mode: table_1(m, gamma, mode, confidence=confidence) for mode in (FIX_GAMMA, FIX_M, FIX_BOTH)}


def _show_plain() -> None:
    """Show ordinary sliders if the component failed in the browser."""
    reason = st.session_state[_KEY]["failed"]
    use_plain(on=True)
    state.say(f"Live charts do not run in this browser ({reason}). The sliders below show the same after each move.")


def _take_message(receive: Callable[[dict[str, Any]], None]) -> None:
    """Pass on the last message of the component."""
    sent = st.session_state[_KEY]["sent"]
    st.session_state["live_seq"] = sent["seq"]
    receive(sent)


def _apply_message(sent: dict[str, Any]) -> None:
    """Apply a message to the scenario of the session."""
    kind = sent["kind"]
    if kind == "sliders":
        state.change(**_moved(sent, epsilon=float, gamma=float, m=int))
    elif kind == "typed" and sent["name"] in _TYPED:
        value = sent["value"]
        state.change(**{sent["name"]: int(value) if sent["name"] == "m" and value == int(value) else value})
    elif "noise" in sent:
        set_noise(Noise[sent["noise"]])
    elif "m" in sent and "bound" in sent:  # a bound from the list, a row of Table 1, or a point of a bound's line
        bound = Bound[sent["bound"]]
        confidence = confidence_for(bound, state.scenario().confidence)
        state.change(bound=bound, confidence=confidence, **_moved(sent, gamma=float, m=int))


def _moved(sent: dict[str, Any], **kinds: type) -> dict[str, Any]:
    """Return the values of a message that differ from the scenario, with their types."""
    scenario = state.scenario()
    values = {name: kind(sent[name]) for name, kind in kinds.items()}
    return {name: value for name, value in values.items() if value != getattr(scenario, name)}
