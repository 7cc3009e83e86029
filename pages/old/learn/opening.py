"""The ways of Learn: from one lesson or exhibit to another, and to another page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.experiment.scenario import Scenario
from pages.old.shared import frame
from pages.widgets import present
from pages.widgets.opening import open_page

Place = tuple[str, str]  # a lesson and a step of it, or an exhibit and its chart on a wall


def steps(name: str, walk: Sequence[Place], at: Place, go: Callable[[Place], None]) -> None:
    """A step back and forth on the ``walk``, a wall, and a link. ``name``: of the keys."""
    before, after = frame.before_and_after(walk, at)
    for way, to, icon in (("Back", before, "arrow_back"), ("Next", after, "arrow_forward")):
        key = f"{name}_{way.lower()}"
        st.button(way, key=key, icon=f":material/{icon}:", disabled=to is None, on_click=go, args=(to,))
    st.button("Present", key="present_start", on_click=present.start_learn)


def explore(scenario: Scenario) -> None:
    """Show this scenario on Explore."""
    open_page("explore", scenario)
