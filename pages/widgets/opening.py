"""Opening another page with a scenario."""

from __future__ import annotations

import streamlit as st

from pages import state
from pages.experiment.scenario import Scenario
from pages.server import policy
from pages.server.page_list import link_to

_OPENED = "opened_with_a_scenario"  # key in the session


def open_page(name: str, scenario: Scenario) -> None:
    """Open a page with a scenario.

    Args:
        name: Name of the page in the address.
        scenario: The scenario.
    """
    state.anew(scenario)
    st.session_state[_OPENED] = True
    st.switch_page(link_to(name))


def arrive() -> None:
    """Scroll to the top of a page that was just opened. Streamlit keeps the position of the last page."""
    if st.session_state.pop(_OPENED, False):
        st.html(f"<script>{policy.FROM_THE_TOP}</script>", unsafe_allow_javascript=True)
