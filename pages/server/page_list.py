"""The pages of the app, in the order of the navigation."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any

import streamlit as st

# Name in the address: module with TITLE and show(). They are imported by name because pages link to each other.
PAGES = {
    "explore": "pages.explore",
    "your_data": "pages.your_data",
    "people": "pages.people",
    "release": "pages.release",
    "learn": "pages.learn",
    "about": "pages.about",
}


def pages() -> dict[str, ModuleType]:
    """Return the modules of the pages by their names in the address; the first is the landing page."""
    return {name: importlib.import_module(module) for name, module in PAGES.items()}


def link_to(name: str) -> Any:
    """Return the page of this name, for ``st.page_link`` and ``st.switch_page``."""
    page = importlib.import_module(PAGES[name])
    return st.Page(page.show, title=page.TITLE, url_path=name, default=name == next(iter(PAGES)))
