"""The address of the page: adopted once a session and where the browser goes back or forth, and written from what is shown."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, final
from urllib.parse import urlencode

import streamlit as st

from pages import state
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import VERSION, Scenario
from pages.exports import list_link
from pages.old.state import pinned_link, pins, place, unfolded
from pages.old.state.link import REFUSED, VERSION_KEY, field_of, from_query, to_query
from pages.releasing import current_list

# A link to a table that is not here: it waits, as it is, until that table comes or something else is chosen.


_KEY = "link_waiting"
Query = dict[str, str]


def waits(query: Mapping[str, str]) -> bool:
    """Whether a link is to a table that is not here; from now on it is the one that waits."""
    gone = query.get(VERSION_KEY) == str(VERSION) and query.get("table", state.example().table) not in state.tables()
    if gone:
        st.session_state[_KEY] = dict(query), state.scenario()
    else:
        leave()
    return gone


def absent_query() -> Query | None:
    """The link that waits; None where none does, or where something else was chosen since."""
    waiting, shown = st.session_state.get(_KEY, (None, None))
    return waiting if waiting is not None and shown == state.scenario() else None


def leave() -> None:
    """Something else was chosen: the link waits no longer."""
    st.session_state.pop(_KEY, None)


def asked(waiting: Query) -> Scenario | None:
    """What the link asks, by itself: nothing of it is filled in from another table. None where it does not say all, or what it
    says cannot be."""
    try:
        named = {field.name for field in fields(Scenario)}
        given: dict[str, Any] = {name: field_of(name, text) for name, text in waiting.items() if name in named - {"version"}}
        return Scenario(**given)
    except REFUSED:
        return None


Name = tuple[tuple[str, str], ...]  # of an address
_ON_ITS_WAY = 0.6  # seconds that an address may take to the browser, and a press back
_MOST = 500  # addresses that are remembered


@final
@dataclass(frozen=True, eq=False)
class Held:
    """What stood at an address that this session wrote: the scenario, and the pins, also those that a link has no room for."""

    shown: pins.Pin
    pinned: dict[str, pins.Pin]
    listed: QuestionList | None


@final
@dataclass
class Written:
    """The addresses that this session wrote, and what was shown when it wrote the last one."""

    last: Query
    shown: Any
    at: float
    arrived: bool = False  # whether the browser was seen to have the last one
    held: dict[Name, Held] = field(default_factory=dict)

    def left_for(self, query: Query, shown: Any) -> bool:
        """Whether the browser went back or forth to ``query``.

        A run that somebody's hand began carries the address that the browser had then. That can be an earlier one than the last,
        while the last is on its way; and then nothing may be undone.
        """
        if query == self.last:
            self.arrived = True
        if query == self.last or VERSION_KEY not in query or shown != self.shown:
            return False
        return _name(query) not in self.held or self.arrived or time.monotonic() - self.at > _ON_ITS_WAY


def adopt() -> None:
    """The address becomes the scenario and the place, once a session and where the browser went back or forth; what could not
    be read becomes sentences."""
    query, written = st.query_params.to_dict(), _written()
    if written is not None and not written.left_for(query, _shown()):
        return
    if written is None and "place" in st.session_state and VERSION_KEY not in query:
        return  # Explore has its own address, and passed this one on when the session began
    before, had = state.scenario(), pins.kept_pins()
    place.take(query if query.get(VERSION_KEY, str(VERSION)) == str(VERSION) else {})
    unfolded.adopted()
    st.session_state["linked"] = VERSION_KEY in query or st.session_state.get("linked", False)
    held = None if written is None else written.held.get(_name(query))
    said = [] if waits(query) else _read(query) if held is None else _restored(query, held)
    for sentence in said:
        state.say(sentence)
    if lost := pins.lost(had):
        state.offer_undo(scenario=before, pins=had)
        were, them = ("was", "it") if len(lost) == 1 else ("were", "them")
        state.say(f"Where the browser went, {', '.join(lost)} {were} not pinned. Undo brings {them} back.")


def _read(query: Query) -> list[str]:
    """Show what a link says; a sentence for each part that could not be read. An address without one changes nothing."""
    if VERSION_KEY not in query:
        return []
    scenario, said = _scenario(query)
    state.anew(scenario)
    found, refused = pinned_link.read(query, scenario, state.tables(), state.example())
    pins.adopt(found)
    listed, left_out = list_link.read(query, state.tables()[scenario.table])
    if listed is not None:
        current_list.adopt(scenario.table, listed)
    return [*said, *refused, *filter(None, [left_out])]


def _restored(query: Query, held: Held) -> list[str]:
    """Show what stood at this address; read again only where the table is not what it was."""
    as_it_was = pins.table_of(held.shown) is not None
    scenario, said = (held.shown.scenario, []) if as_it_was else _scenario(query)
    state.anew(scenario)
    pins.restore(held.pinned)
    current_list.adopt(scenario.table, held.listed)
    return said


def _scenario(query: Query) -> tuple[Scenario, list[str]]:
    own = {name: value for name, value in query.items() if name not in (*place.NAMES, pinned_link.KEY, list_link.KEY)}
    return from_query(own, state.tables(), state.example())


def take_up(name: str) -> bool:
    """Whether a link waited for the table of this name, which is here now: then it takes hold."""
    waiting = absent_query()
    leave()
    if waiting is None or waiting.get("table") != name:
        return False
    for sentence in _read(waiting):
        state.say(sentence)
    return True


def publish(places: tuple[str, ...] = ()) -> None:
    """Write the scenario into the address, with the ``places`` that a page has, so that a copy or a reload restores the view."""
    query = absent_query() or _whole(state.scenario()) | place.written(places)
    written, there = _written(), st.query_params.to_dict() == query
    if not there:
        st.query_params.from_dict(query)
    if written is None or written.last != query:
        held = {} if written is None else written.held
        st.session_state["written"] = written = Written(query, _shown(), time.monotonic(), there, held)
    _hold(written, query)


def _hold(written: Written, query: Query) -> None:
    """Keep what stands at this address, as the newest of those that are remembered."""
    name = _name(query)
    written.held.pop(name, None)
    written.held[name] = Held(pins.pinned(state.scenario()), pins.kept_pins(), _listed())
    for oldest in list(written.held)[:-_MOST]:
        del written.held[oldest]


def _name(query: Query) -> Name:
    """The address, whatever the order of its parts."""
    return tuple(sorted(query.items()))


def say_again() -> None:
    """Somebody's hand began this run, and changed nothing: the browser may not have the last address yet."""
    if (written := _written()) is not None:
        written.at = time.monotonic()


def finish() -> None:
    """At the end of a run: what was shown, also what the page itself chose. What the browser sent meanwhile has waited until now,
    and may carry the address before."""
    if (written := _written()) is not None:
        written.shown, written.at = _shown(), time.monotonic()


def _shown() -> Any:
    return state.scenario(), pins.kept_pins(), _listed(), {name: there for name, there in place.all_of_them().items() if there}


def _written() -> Written | None:
    written: Written | None = st.session_state.get("written")
    return written


def whole(places: tuple[str, ...] = (), *, presented: bool = False) -> str:
    """The whole link to what is shown with its pins, at the address that this app was opened at.

    ``presented``: it opens on a wall, in the theme that is seen now.
    """
    there = {name: said for name, said in place.written(places).items() if name != place.PRESENT}
    theme = st.context.theme.type or "light"
    wall = {place.PRESENT: "1", "embed_options": f"{theme}_theme"} if presented else {}
    return _link(_whole(state.scenario()) | there | wall)


def of(scenario: Scenario) -> str:
    """The link to a scenario alone."""
    return _link(to_query(scenario))


def room_for_pins() -> bool:
    """Whether a link holds the pins too."""
    return not pins.kept_pins() or pinned_link.KEY in _whole(state.scenario())


def room_for_list() -> bool:
    """Whether a link holds the list of questions too."""
    return _listed() is None or list_link.KEY in _whole(state.scenario())


def _whole(scenario: Scenario) -> dict[str, str]:
    """The scenario, its pins and the list of its table; without what would make it longer than a link may be."""
    query = to_query(scenario)
    for part in (pinned_link.written(pins.scenarios(), scenario), list_link.written(_listed())):
        if part and len(_link(query | part)) <= pinned_link.MOST_BYTES:
            query |= part
    return query


def _listed() -> QuestionList | None:
    return current_list.stored(state.table().name)


def _link(query: dict[str, str]) -> str:
    return f"{(st.context.url or '').split('?')[0]}?{urlencode(query)}"
