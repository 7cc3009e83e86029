"""The way from Learn to another page."""

from __future__ import annotations

import streamlit as st

from pages.experiment.scenario import Scenario
from pages.server import policy
from pages.server.page_list import link_to, name_of, pages
from pages.state import state

_OPENED = "opened_from_learn"
_FROM_ITS_TOP = f"<script>{policy.FROM_THE_TOP}</script>"


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
    return str(next(page.TITLE for page in pages() if name_of(page) == file))
