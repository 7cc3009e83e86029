"""The browser's book of releases: it survives a reload, and all tabs of the browser share it.

One press is one release: callbacks of one session can run at the same time and reruns can repeat, so a press carries a
ticket that is spent under a lock. A new ticket is issued only on request, or when the scenario is another.
"""

from __future__ import annotations

import secrets

import streamlit as st

from pages import state
from pages.ledger import browser
from pages.ledger.book import Book
from pages.ledger.books import BOOKS
from pages.server import jobs


def _book(browser_name: str) -> Book:
    return BOOKS.get(browser_name)


def book() -> Book:
    """This browser's book; an empty one while the browser has not said its name."""
    name = browser.known()
    return Book() if name is None else _book(name)


def hold() -> None:
    """On every page: a release that is being drawn goes on while any page of its browser is open, after a reload too.

    A book that knows of no release though the browser has begun one is ``lost``: the server was restarted, or is another one.
    Uploads that another tab showed to be one table get its name here too.
    """
    mine = book()
    if browser.had_begun() and not mine.had_begun:
        with mine.lock:
            mine.lost = mine.lost or not mine.had_begun
    state.rename_tables(mine.same)
    drawing = mine.drawing
    if drawing is not None and drawing.open:
        jobs.keeper().hold(drawing.job)


def listen() -> None:
    """Ask for the browser's name, and let the browser remember that a release was begun."""
    browser.listen(begun=book().had_begun)


def alias(digest: str) -> str:
    """A random name for a table in the keys of widgets: a digest would confirm a guess of a confidential table's last row."""
    names: dict[str, str] = st.session_state.setdefault("aliases", {})
    return names.setdefault(digest, secrets.token_hex(8))
