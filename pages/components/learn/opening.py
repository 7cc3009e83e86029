"""The way from Learn to another page."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.session import state
from pages.session.contents import link_to


def explore(scenario: Scenario) -> None:
    """Show this scenario on Explore."""
    on("explore", scenario)


def on(file: str, scenario: Scenario) -> None:
    """Show this scenario on the page of this file."""
    state.anew(scenario)
    st.switch_page(link_to(file))


def title(file: str) -> str:
    """What the page of this file is called."""
    return str(link_to(file).title)
