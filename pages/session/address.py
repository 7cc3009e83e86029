"""The address of the page: adopted once a session, and written from what is shown."""

from __future__ import annotations

from urllib.parse import urlencode

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.session import place, state
from pages.session.link import VERSION_KEY, from_query, to_query


def adopt() -> None:
    """Once a session: the address becomes the scenario and the place, and what could not be read becomes sentences."""
    if st.session_state.get("adopted"):
        return
    st.session_state["adopted"] = True
    query = st.query_params.to_dict()
    place.take(query)
    st.session_state["linked"] = VERSION_KEY in query
    scenario, said = from_query(
        {name: value for name, value in query.items() if name not in place.NAMES}, state.tables(), state.example()
    )  # fmt: skip
    state.adopt(scenario)
    for sentence in said:
        state.say(sentence)


def publish(places: tuple[str, ...] = ()) -> None:
    """Write the scenario into the address, with the ``places`` that a page has, so that a copy or a reload restores the view."""
    query = to_query(state.scenario()) | place.written(places)
    if st.query_params.to_dict() != query:
        st.query_params.from_dict(query)


def whole(scenario: Scenario) -> str:
    """The whole link to a scenario, at the address that this app was opened at."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(to_query(scenario))}"
