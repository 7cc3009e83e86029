"""The address: it follows the scenario, and a link that is opened sets it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import final
from urllib.parse import urlencode

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.exports import ExportError
from pages.exports.link import from_text, to_text
from pages.server.page_list import PAGES

SCENARIO, PRESENT, HIDE = "s", "present", "hide"
HIDEABLE = ("epsilon", "gamma", "m", "noise", "bound", "oracle", "target", "table")  # controls of Explore
PAGES_WITH_LINK = ("", "people", "release")  # by their names in the address; Explore has none
_WRITTEN = "address"
_ON_ITS_WAY = 0.6  # seconds that a new address may take to the browser


@final
@dataclass
class _Written:
    """The link that this session wrote into the address last; empty if the scenario has none."""

    link: str
    shown: Scenario
    at: float
    arrived: bool = False  # whether the browser was seen to have it

    def was_left(self, link: str) -> bool:
        """Return whether the browser went back or forth; a quick click can still carry the address before the last one."""
        if link == self.link:
            self.arrived = True
            return False
        return state.scenario() == self.shown and (self.arrived or time.monotonic() - self.at > _ON_ITS_WAY)


def adopt() -> None:
    """Open the link in the address, once a session and after the browser went back or forth."""
    query = st.query_params
    link = query.get(SCENARIO, "")
    written: _Written | None = st.session_state.get(_WRITTEN)
    if written is None:
        st.session_state[PRESENT] = query.get(PRESENT, "")
        if not link and {"v", "table"} & set(query):
            state.say("The address holds no scenario that this app can open. Ask for a new link.")
    if written is None or HIDE in query:
        _adopt_hidden(query.get(HIDE, ""))
    if not link or (written is not None and not written.was_left(link)):
        return
    st.session_state["linked"] = True
    try:
        if len(query.get_all(SCENARIO)) > 1:
            raise ExportError("The address has more than one scenario.", "Copy the whole address, or ask for a new link.")
        state.anew(from_text(link, state.tables()))
    except DpcoreError as error:
        state.begin()
        state.say(f"The link was not opened, and none of its settings are used. {plain(error)}")


def _adopt_hidden(text: str) -> None:
    """Hide the controls that the address names, with a sentence about other names."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    st.session_state[HIDE] = ",".join(name for name in HIDEABLE if name in names)
    if unknown := [name[:40] for name in names if name not in HIDEABLE]:
        state.say(f"The address cannot hide {', '.join(unknown[:5])}. It can hide {', '.join(HIDEABLE)}.")


def hidden() -> frozenset[str]:
    """Return the controls that the address hides. Texts are never hidden."""
    return frozenset(st.session_state.get(HIDE, "").split(",")) - {""}


def publish(page: str = "") -> None:
    """Write the scenario into the address.

    Args:
        page: The page by its name in the address. Explore writes what it presents and hides too.
    """
    scenario = state.scenario()
    try:
        link = to_text(scenario)
    except DpcoreError:  # too long
        link = ""
    _write(SCENARIO, link)
    if not page:
        _write(PRESENT, st.session_state.get(PRESENT, ""))
        _write(HIDE, st.session_state.get(HIDE, ""))
    written: _Written | None = st.session_state.get(_WRITTEN)
    if written is None or written.link != link:
        st.session_state[_WRITTEN] = _Written(link, scenario, time.monotonic())
    else:
        written.shown, written.at = scenario, time.monotonic()


def _write(name: str, text: str) -> None:
    """Set a parameter of the address, or remove it if the text is empty; keep all other parameters."""
    if not text:
        st.query_params.pop(name, None)
    elif st.query_params.get_all(name) != [text]:
        st.query_params[name] = text


def link_to(scenario: Scenario, page: str = "") -> str:
    """Return the whole link to a scenario, at the address that this app was opened at.

    Args:
        scenario: The scenario.
        page: The page that the link opens, by its name in the address; Explore by default.

    Raises:
        DpcoreError: If the link would be too long.
    """
    root = (st.context.url or "").split("?")[0].rstrip("/")
    for name in PAGES:
        root = root.removesuffix(f"/{name}")
    return f"{root}/{page}?{urlencode({SCENARIO: to_text(scenario)})}"
