"""The address of the page: adopted once a session, and written from what is shown."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.session import pinned_link, pins, place, state
from pages.session.link import VERSION_KEY, from_query, to_query


def adopt() -> None:
    """Once a session: the address becomes the scenario and the place, and what could not be read becomes sentences."""
    if st.session_state.get("adopted"):
        return
    st.session_state["adopted"] = True
    query = st.query_params.to_dict()
    place.take(query)
    st.session_state["linked"] = VERSION_KEY in query
    own = {name: value for name, value in query.items() if name not in (*place.NAMES, pinned_link.KEY)}
    scenario, said = from_query(own, state.tables(), state.example())
    state.adopt(scenario)
    found, refused = pinned_link.read(query, scenario, state.tables(), state.example())
    pins.adopt(found)
    for sentence in (*said, *refused):
        state.say(sentence)


def publish(places: tuple[str, ...] = ()) -> None:
    """Write the scenario into the address, with the ``places`` that a page has, so that a copy or a reload restores the view."""
    query = to_query(state.scenario()) | _pins(state.scenario()) | place.written(places)
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def whole(scenario: Scenario) -> str:
    """The whole link to a scenario with its pins, at the address that this app was opened at."""
    return _link(to_query(scenario) | _pins(scenario))


def room_for_pins() -> bool:
    """Whether a link holds the pins too."""
    return not pins.kept() or bool(_pins(state.scenario()))


def _pins(scenario: Scenario) -> dict[str, str]:
    """The pins' part of an address; nothing where it would be longer than a link may be."""
    part = pinned_link.written(pins.scenarios(), scenario)
    return part if len(_link(to_query(scenario) | part)) <= pinned_link.MOST_BYTES else {}


def _link(query: dict[str, str]) -> str:
    return f"{(st.context.url or '').split('?')[0]}?{urlencode(query)}"
