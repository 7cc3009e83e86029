"""The way from Learn to Explore."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.session import state


def explore(scenario: Scenario) -> None:
    """Show this scenario on Explore."""
    from pages import explore as page

    state.anew(scenario)
    st.switch_page(st.Page(page.show, title=page.TITLE, url_path="explore", default=True))
