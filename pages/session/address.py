"""The address of the page: adopted once a session and where the browser goes back or forth, and written from what is shown."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, final
from urllib.parse import urlencode

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.session import place, state
from pages.session.link import VERSION_KEY, from_query, to_query

Query = dict[str, str]
_ON_ITS_WAY = 0.6  # seconds that an address may take to the browser, and a press back
_MOST = 500  # addresses that are remembered


@final
@dataclass
class Written:
    """The addresses that this session wrote, and what was shown when it wrote the last one."""

    last: Query
    shown: Any
    at: float
    arrived: bool = False  # whether the browser was seen to have the last one
    before: list[Query] = field(default_factory=list)

    def left_for(self, query: Query, shown: Any) -> bool:
        """Whether the browser went back or forth to ``query``.

        A run that somebody's hand began carries the address that the browser had then. That can be an earlier one than the last,
        while the last is on its way; and then nothing may be undone.
        """
        if query == self.last:
            self.arrived = True
        if query == self.last or VERSION_KEY not in query or shown != self.shown:
            return False
        return query not in self.before or self.arrived or time.monotonic() - self.at > _ON_ITS_WAY


def adopt() -> None:
    """The address becomes the scenario and the place, once a session and where the browser went back or forth; what could not
    be read becomes sentences."""
    query, written = st.query_params.to_dict(), _written()
    if written is not None and not written.left_for(query, _shown()):
        return
    place.take(query)
    st.session_state["linked"] = VERSION_KEY in query
    scenario, said = from_query(
        {name: value for name, value in query.items() if name not in place.NAMES}, state.tables(), state.example()
    )  # fmt: skip
    state.anew(scenario)
    for sentence in said:
        state.say(sentence)


def publish(places: tuple[str, ...] = ()) -> None:
    """Write the scenario into the address, with the ``places`` that a page has, so that a copy or a reload restores the view."""
    query, written = to_query(state.scenario()) | place.written(places), _written()
    there = st.query_params.to_dict() == query
    if not there:
        st.query_params.from_dict(query)
    if written is None or written.last != query:
        before = [] if written is None else [*written.before, written.last][-_MOST:]
        st.session_state["written"] = Written(query, _shown(), time.monotonic(), there, before)
    else:
        written.shown = _shown()


def _shown() -> Any:
    return state.scenario(), place.all_of_them()


def _written() -> Written | None:
    written: Written | None = st.session_state.get("written")
    return written


def whole(scenario: Scenario) -> str:
    """The whole link to a scenario, at the address that this app was opened at."""
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode(to_query(scenario))}"
