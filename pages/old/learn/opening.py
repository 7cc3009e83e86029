"""The ways of Learn: from one lesson or exhibit to another, and to another page."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages import state
from pages.experiment.scenario import Scenario
from pages.old.shared import frame
from pages.old.state import place
from pages.server import policy
from pages.server.page_list import link_to, pages
from pages.widgets import share

Place = tuple[str, str]  # a lesson and a step of it, or an exhibit and its chart on a wall
_OPENED = "opened_from_learn"
_FROM_ITS_TOP = f"<script>{policy.FROM_THE_TOP}</script>"


def at_the_list() -> bool:
    """Whether the address names no lesson, so that the list of them is shown."""
    return not (place.of("lesson") or place.of("step") or place.presenting())


def steps(name: str, walk: Sequence[Place], at: Place, go: Callable[[Place], None]) -> None:
    """A step back and forth on the ``walk``, a wall, and a link. ``name``: of the keys."""
    before, after = frame.before_and_after(walk, at)
    for way, to, icon in (("Back", before, "arrow_back"), ("Next", after, "arrow_forward")):
        key = f"{name}_{way.lower()}"
        st.button(way, key=key, icon=f":material/{icon}:", disabled=to is None, on_click=go, args=(to,))
    frame.present_button()
    share.show_link(place.OF_LEARN)


def explore(scenario: Scenario) -> None:
    """Show this scenario on Explore."""
    on("explore", scenario)


def on(file: str, scenario: Scenario) -> None:
    """Show this scenario on the page of this file."""
    state.anew(scenario)
    st.session_state[_OPENED] = True
    st.switch_page(link_to(file))


def arrive() -> None:
    """Where a page was opened from Learn just now, its top is shown: Streamlit keeps the place that was scrolled to."""
    if st.session_state.pop(_OPENED, False):
        st.html(_FROM_ITS_TOP, unsafe_allow_javascript=True)


def title(file: str) -> str:
    """What the page of this file is called."""
    return str(pages()[file].TITLE)
