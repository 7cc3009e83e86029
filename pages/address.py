"""The address: it follows the scenario, and on Release the list of questions; a link that is opened sets both."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import final
from urllib.parse import urlencode

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.experiment.error_sentences import plain
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Scenario
from pages.exports import ExportError
from pages.exports.link import LIST, MOST_LIST, MissingTableError, from_text, list_from_link, list_to_text, to_text
from pages.files.tables import Table
from pages.releasing import current_list
from pages.server.page_list import PAGES

SCENARIO, PRESENT, HIDE = "s", "present", "hide"
HIDEABLE = ("epsilon", "gamma", "m", "noise", "bound", "oracle", "target", "table")  # controls of Explore
PAGES_WITH_LINK = ("", "people", "release")  # by their names in the address; Explore has none
_WRITTEN, _WAITING = "address", "link_to_missing_table"
_ON_ITS_WAY = 0.6  # seconds that a new address may take to the browser


@final
@dataclass
class _Written:
    """The link that this session wrote into the address last."""

    link: dict[str, str]
    shown: tuple[Scenario, QuestionList | None]
    at: float
    arrived: bool = False  # whether the browser was seen to have it

    def was_left(self, link: dict[str, str]) -> bool:
        """Return whether the browser went back or forth; a quick click can still carry the address before the last one."""
        if link == self.link:
            self.arrived = True
            return False
        return _shown() == self.shown and (self.arrived or time.monotonic() - self.at > _ON_ITS_WAY)


def _shown() -> tuple[Scenario, QuestionList | None]:
    return state.scenario(), current_list.stored(state.scenario().table)


def adopt() -> None:
    """Open the link in the address, once a session and after the browser went back or forth."""
    query = st.query_params
    link = {name: query[name] for name in (SCENARIO, LIST) if name in query}
    written: _Written | None = st.session_state.get(_WRITTEN)
    if written is None:
        st.session_state[PRESENT] = query.get(PRESENT, "")
        if SCENARIO not in link and {LIST, "v", "table"} & set(query):
            state.say("The address holds no scenario that this app can open. Ask for a new link.")
    if written is None or HIDE in query:
        _adopt_hidden(query.get(HIDE, ""))
    if SCENARIO not in link or (written is not None and not written.was_left(link)):
        return
    st.session_state["linked"] = True
    try:
        if twice := [name for name in link if len(query.get_all(name)) > 1]:
            raise ExportError(f"The address has more than one “{twice[0]}”.", "Copy the whole address, or ask for a new link.")
        _open(link, state.tables())
    except DpcoreError as error:
        if isinstance(error, MissingTableError):
            st.session_state[_WAITING] = link
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


def _open(link: dict[str, str], tables: Mapping[str, Table]) -> None:
    """Show the scenario of a link, and take its list of questions. A list that is refused leaves the scenario."""
    scenario = from_text(link[SCENARIO], tables)
    state.anew(scenario)
    made, refused = list_from_link(link, tables[scenario.table])
    if made is not None:
        current_list.adopt(scenario.table, made)
    elif refused:
        state.say(refused)


def take_up(name: str) -> bool:
    """Open the link that waits for a table, if there is one.

    Args:
        name: The table that was just uploaded.

    Returns:
        Whether a link was opened.
    """
    link: dict[str, str] | None = st.session_state.get(_WAITING)
    if link is None:
        return False
    try:
        _open(link, {name: state.tables()[name]})
    except MissingTableError:
        return False
    except DpcoreError as error:
        state.say(f"The link to this table was not opened. {plain(error)}")
        link = None
    del st.session_state[_WAITING]
    return link is not None


def publish(page: str = "") -> None:
    """Write the scenario into the address.

    Args:
        page: The page by its name in the address. Release writes its questions too, and Explore what it presents and hides.
    """
    link = _link(state.scenario(), with_list=page == "release")
    for name in (SCENARIO, LIST):
        _write(name, link.get(name, ""))
    if not page:
        _write(PRESENT, st.session_state.get(PRESENT, ""))
        _write(HIDE, st.session_state.get(HIDE, ""))
    written: _Written | None = st.session_state.get(_WRITTEN)
    if written is None or written.link != link:
        st.session_state[_WRITTEN] = _Written(link, _shown(), time.monotonic())
    else:
        written.shown, written.at = _shown(), time.monotonic()


def _link(scenario: Scenario, *, with_list: bool) -> dict[str, str]:
    """Return the parameters of a link; nothing if it is too long, or has a target or an oracle from outside dpcore."""
    try:
        link = {SCENARIO: to_text(scenario)}
    except (DpcoreError, TypeError):
        return {}
    listed = list_to_text(current_list.stored(scenario.table)) if with_list else {}
    return link | {name: text for name, text in listed.items() if len(text) <= MOST_LIST}


def _write(name: str, text: str) -> None:
    """Set a parameter of the address, or remove it if the text is empty; keep all other parameters."""
    if not text:
        st.query_params.pop(name, None)
    elif st.query_params.get_all(name) != [text]:
        st.query_params[name] = text


def link_to(scenario: Scenario, page: str = "", *, with_list: bool = False) -> str:
    """Return the whole link to a scenario, at the address that this app was opened at.

    Args:
        scenario: The scenario.
        page: The page that the link opens, by its name in the address; Explore by default.
        with_list: Add the list of questions of its table.

    Raises:
        DpcoreError: If the link would be too long.
        TypeError: If a target, an oracle or a mechanism is from outside dpcore.
    """
    link = {SCENARIO: to_text(scenario)} | (list_to_text(current_list.stored(scenario.table)) if with_list else {})
    if len(link.get(LIST, "")) > MOST_LIST:
        problem = f"This list of questions is too long for a link, which holds {MOST_LIST:,} characters."
        raise ExportError(problem, "Share a shorter list.")
    root = (st.context.url or "").split("?")[0].rstrip("/")
    for name in PAGES:
        root = root.removesuffix(f"/{name}")
    return f"{root}/{page}?{urlencode(link)}"
