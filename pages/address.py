"""The address of Explore: it follows the scenario, and a link that is opened sets the scenario."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import final
from urllib.parse import urlencode

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.experiment.scenario import Scenario
from pages.exports import ExportError
from pages.exports.link import MissingTableError, from_text, to_text
from pages.old.wording.sentences import plain

KEY, PRESENT, HIDE = "s", "present", "hide"
HIDEABLE = ("epsilon", "gamma", "m", "noise", "bound", "oracle", "target", "table")  # controls of Explore
_WRITTEN, _WAITING = "address", "link_to_missing_table"
_ON_ITS_WAY = 0.6  # seconds that a new address may take to the browser


@final
@dataclass
class _Written:
    """The address that this session wrote last."""

    text: str
    scenario: Scenario
    at: float
    arrived: bool = False  # whether the browser was seen to have it

    def was_left(self, texts: list[str]) -> bool:
        """Return whether the browser went back or forth; a quick click can still carry the address before the last one."""
        if texts == [self.text]:
            self.arrived = True
            return False
        return state.scenario() is self.scenario and (self.arrived or time.monotonic() - self.at > _ON_ITS_WAY)


def is_of_first_edition() -> bool:
    """Return whether the session begins with an address of the first edition, which other pages still have."""
    return _WRITTEN not in st.session_state and bool(st.query_params) and KEY not in st.query_params


def adopt() -> None:
    """Open the link in the address, once a session and after the browser went back or forth."""
    texts = st.query_params.get_all(KEY)
    written: _Written | None = st.session_state.get(_WRITTEN)
    if written is None:
        st.session_state[PRESENT] = st.query_params.get(PRESENT, "")
        if is_of_first_edition() and "v" in st.query_params:
            st.query_params.clear()
    if texts and (written is None or written.was_left(texts)):
        _open(texts)
    if written is None or HIDE in st.query_params:
        _adopt_hidden(st.query_params.get(HIDE, ""))


def _adopt_hidden(text: str) -> None:
    """Hide the controls that the address names, with a sentence about other names."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    st.session_state[HIDE] = ",".join(name for name in HIDEABLE if name in names)
    if unknown := [name[:40] for name in names if name not in HIDEABLE]:
        state.say(f"The address hides {', '.join(unknown[:5])}, which is no control. It can hide {', '.join(HIDEABLE)}.")


def hidden() -> frozenset[str]:
    """Return the controls that the address hides. Texts are never hidden."""
    return frozenset(st.session_state.get(HIDE, "").split(",")) - {""}


def _open(texts: list[str]) -> None:
    st.session_state["linked"] = True
    state.begin()
    try:
        if len(texts) > 1:
            raise ExportError("The address has more than one link.", "Copy the whole address, or ask for a new link.")
        state.adopt(from_text(texts[0], state.tables()))
    except DpcoreError as error:
        if isinstance(error, MissingTableError):
            st.session_state[_WAITING] = texts[0]
        state.say(f"The link was not opened, and none of its settings are used. {plain(error)}")


def take_up(name: str) -> bool:
    """Open the link that waits for a table, if there is one.

    Args:
        name: The table that was just uploaded.

    Returns:
        Whether a link was opened.
    """
    text: str | None = st.session_state.get(_WAITING)
    if text is None:
        return False
    try:
        scenario = from_text(text, {name: state.tables()[name]})
    except MissingTableError:
        return False
    except DpcoreError as error:
        state.say(f"The link to this table was not opened. {plain(error)}")
        scenario = None
    del st.session_state[_WAITING]
    if scenario is not None:
        state.anew(scenario)
    return scenario is not None


def publish() -> None:
    """Write the scenario into the address."""
    scenario = state.scenario()
    try:
        text = to_text(scenario)
    except (DpcoreError, TypeError):  # too long, or a target or an oracle from outside dpcore
        text = ""
    _write(KEY, text)
    _write(PRESENT, st.session_state.get(PRESENT, ""))
    _write(HIDE, st.session_state.get(HIDE, ""))
    written: _Written | None = st.session_state.get(_WRITTEN)
    if written is None or written.text != text:
        st.session_state[_WRITTEN] = _Written(text, scenario, time.monotonic())
    else:
        written.scenario, written.at = scenario, time.monotonic()


def _write(name: str, text: str) -> None:
    """Set a parameter of the address, or remove it if the text is empty; keep all other parameters."""
    if not text:
        st.query_params.pop(name, None)
    elif st.query_params.get_all(name) != [text]:
        st.query_params[name] = text


def link_to(scenario: Scenario) -> str:
    """Return the whole link to a scenario, at the address that this app was opened at.

    Raises:
        DpcoreError: If the link would be too long.
        TypeError: If its target, oracle or mechanism is from outside dpcore.
    """
    here = (st.context.url or "").split("?")[0].rstrip("/")
    return f"{here}/?{urlencode({KEY: to_text(scenario)})}"
