"""The way from Learn to another page."""

from __future__ import annotations

from types import ModuleType

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.session import state
from pages.session.contents import pages


def explore(scenario: Scenario) -> None:
    """Show this scenario on Explore."""
    on("explore", scenario)


def on(file: str, scenario: Scenario) -> None:
    """Show this scenario on the page of this file."""
    state.anew(scenario)
    first = pages()[0].__name__.endswith(f".{file}")
    page = _module(file)
    st.switch_page(st.Page(page.show, title=page.TITLE, url_path=file, default=first))


def title(file: str) -> str:
    """What the page of this file is called."""
    return str(_module(file).TITLE)


def _module(file: str) -> ModuleType:
    return next(page for page in pages() if page.__name__ == f"pages.{file}")
