"""The browser's book of releases: it survives a reload, and all tabs of the browser share it.

One press is one release: callbacks of one session can run at the same time and reruns can repeat, so a press carries a
ticket that is spent under a lock. A new ticket is issued only on request, or when the scenario is another.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence

import streamlit as st

from pages import state
from pages.experiment.choices import kind_of
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger import browser
from pages.ledger.book import Book, part_of
from pages.ledger.books import BOOKS
from pages.server import jobs

SAMPLED, WORST = "sampled sensitivity: random DP, the weaker guarantee", "worst case: differential privacy itself"
BLOCKS = "worst case of blocks: differential privacy itself, for any question"


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


def ticket(of: str, lines: Sequence[Scenario], table: Table, way: str) -> str:
    """The ticket of what is on a receipt, that of a list or of one question, as ``of`` names it; the same until a question, the
    table as it is declared, or the way is another, or another is asked for."""
    key, kept = (_on_the_receipt(lines, table), way), f"receipt{of}"
    if st.session_state.get(kept, ("", ""))[0] != key:
        st.session_state[kept] = (key, secrets.token_hex(8))
    current: str = st.session_state[kept][1]
    return current


def another(of: str) -> None:
    """A fresh receipt for the same."""
    st.session_state.pop(f"receipt{of}", None)


def released_way(scenario: Scenario, table: Table) -> str:
    """The way of the last receipt, if it was of this scenario and was pressed; empty if not."""
    return released("", (scenario,), table)


def released(of: str, lines: Sequence[Scenario], table: Table) -> str:
    """The way of the last receipt that ``of`` names, if it was of these lines and was pressed; empty if not."""
    (shown, way), ticket = st.session_state.get(f"receipt{of}", (("", ""), ""))
    return way if ticket in book().spent and shown == _on_the_receipt(lines, table) else ""


def _on_the_receipt(lines: Sequence[Scenario], table: Table) -> str:
    return json.dumps([table.digest, *([scenario.to_json(), part_of(scenario, table)] for scenario in lines)])


def alias(digest: str) -> str:
    """A random name for a table in the keys of widgets: a digest would confirm a guess of a confidential table's last row."""
    names: dict[str, str] = st.session_state.setdefault("aliases", {})
    return names.setdefault(digest, secrets.token_hex(8))


def choose_way(scenario: Scenario, way: str) -> None:
    """Keep a choice made by hand; empty: none is made."""
    st.session_state["way_by_hand"] = (_question(scenario), way)


def way_by_hand(scenario: Scenario) -> str:
    """What was chosen by hand for this question, whatever the sliders; empty for another table, columns or kind of target."""
    of, way = st.session_state.get("way_by_hand", ("", ""))
    return way if of == _question(scenario) else ""


def _question(scenario: Scenario) -> str:
    return json.dumps([scenario.table, scenario.columns, kind_of(scenario.target)])
