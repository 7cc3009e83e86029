"""What is done with all that Explore shows: release it, keep it, share it."""

from __future__ import annotations

import streamlit as st

from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.server.page_list import link_to


def show(scenario: Scenario, table: Table) -> None:
    """Show the buttons."""
    st.page_link(link_to("release"), label="Release", icon=":material/publish:")
