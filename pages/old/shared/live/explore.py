"""What each part of Explore that follows the hand is given: made anew where what is asked changed, and not where γ or ε moved."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import fields
from typing import Any
from weakref import WeakKeyDictionary
from zlib import crc32

import streamlit as st

from pages.old.charts import live
from pages.old.charts.encoded import text
from pages.old.charts.named import Room
from pages.old.experiment.live.tables import beside
from pages.old.shared.live import counted_odds, mounts, part_data, redraw, words
from pages.old.shared.live.mounts import TEXT, Size
from pages.old.state import live_sliders, place
from pages.old.state.view import Shown, View

_MOVED = ("gamma", "epsilon")  # by the hand: no part hangs on them, but for their place in the grids
_KEPT = "live_parts"
_OFFERED: WeakKeyDictionary[Shown, bool] = WeakKeyDictionary()  # asked of a view several times
_ON_A_WALL = Size(1.45)


def offered(view: View) -> bool:
    """Whether the kind of answer has charts that follow the hand, and the browser is to draw them. Before there is an answer the
    sliders are the same, so that none is taken from a hand when it comes."""
    if not live_sliders.offered():
        return False
    if not isinstance(view, Shown):
        return live.of_a_kind(view.answer)
    if view not in _OFFERED:
        _OFFERED[view] = bool(live.views(view.headline))
    return _OFFERED[view]


def stands(view: View) -> Hashable | None:
    """What of a view is shown that no hand on γ or ε moves; None where nothing follows one."""
    if not isinstance(view, Shown) or not offered(view):
        return None
    return _fixed(view), view.proved, counts(view), live.views(view.headline)


def draws(view: View, chosen: str) -> bool:
    """Whether the chart of one of its views follows the hand."""
    return offered(view) and isinstance(view, Shown) and chosen in live.views(view.headline)


def lay(view: View, *, hold: bool) -> None:
    """The tables, and where γ and ε are: before everything that looks something up in them. Beside the sentences there is less to
    lay: a promise brings the tables of the trials. ``hold``: no slider of γ says where both are."""
    wall = place.presenting()
    with st.container(key="laid_tables"):  # which takes no room
        grids = _grids(view)
        mounts.part("tables", grids, key="grids", mark=_mark(grids))
        if wall or not isinstance(view, Shown):
            mounts.part("tables", _found("tables", view))
        if hold:
            redraw.part(lambda _: mounts.hold())
        mounts.heed()  # in here, so that nothing on the page moves once it is gone


def sentences(view: Shown, which: str) -> None:
    """Of the answer, in words: "headings", "promises" or what is "known". They are laid with the grids; a promise brings the
    tables of the trials along, but on a wall."""
    size = _ON_A_WALL if place.presenting() else TEXT
    if which == "promises" and not place.presenting():
        mounts.part("words", _found("words", view), key=which, size=size)
    else:
        mounts.part("words", text({"variants": which}), key=which, size=size)


def title(view: Shown, panel: str) -> None:
    """What a wide chart says of itself."""
    key = f"title_{panel}"
    mounts.part("words", _part(key, view, lambda: words.titles(view, panel)), key=key)


def sensitivity(view: View, size: Size, room: Room) -> None:
    """How far the answer moves."""
    data = _part("sensitivity", view, lambda: part_data.sensitivity(view, room), room)
    with st.container(key="cdf"):
        mounts.part("sensitivity", data, size=size)


def trials(view: View, size: Size, room: Room, picked: Callable[[], None]) -> None:
    """What trials cost."""
    key = view.scenario.bound, view.scenario.confidence, room
    data = _cached("trials", key, lambda: part_data.trials(view, room) | {"picks": True})
    with st.container(key="points"):
        mounts.part("trials", data, size=size, picked=picked)


def answers(view: Shown, chosen: str, off: float, size: Size) -> None:
    """What would be published."""
    data = _part("answers", view, lambda: live.answers(view.headline, chosen, off), chosen, off)
    with st.container(key="responses"):
        mounts.part("answers", data, size=size)


def counts(view: Shown) -> bool:
    """Whether the odds of a guesser follow the hand: not of one whose chances hang on more than how wide the noise is."""
    return offered(view) and view.guesser.in_proportion


def odds(view: Shown, which: str) -> None:
    """The odds of a guesser, as icons: of a "protected" change, or of one "beyond"."""
    make = counted_odds.protected if which == "protected" else counted_odds.beyond
    mounts.part("odds", _part(f"odds_{which}", view, lambda: make(view)), key=f"odds_{which}")


def _found(name: str, view: View) -> str:
    """The tables that hang on the trials: with the mark of the message of the grids that they go with, and with how often the
    server moved γ and ε. A browser that has not received one of them waits."""
    goes_with = {"wants": _mark(_grids(view)), "rev": live_sliders.at()["rev"]}

    def make() -> dict[str, Any]:
        also = counted_odds.of_the_trials(view) if isinstance(view, Shown) and counts(view) else {}
        return {"tables": part_data.found(view) | also | goes_with, "variants": "promises"}

    return _part(name, view, make, *goes_with.values())


def _mark(data: str) -> int:
    return crc32(data.encode())


def _grids(view: View) -> str:
    def make() -> dict[str, Any]:
        also = part_data.unchanged(view, icons=counts(view)) if isinstance(view, Shown) else {}
        return part_data.grids(view) | also

    return _part("grids", view, make)


def _part(name: str, view: View, make: Callable[[], dict[str, Any]], *also: Any) -> str:
    """The text of a part; what a session was sent last is not made again."""
    return _cached(name, (*_fixed(view), also), make)


def _fixed(view: View) -> tuple[Any, ...]:
    """All that is asked and answered, but for γ and ε where they have a place in the grids."""
    scenario = view.scenario
    exact = view.headline.exact if isinstance(view, Shown) else None
    asked = tuple(getattr(scenario, field.name) for field in fields(scenario) if field.name not in _MOVED)
    answered = exact and (exact.simulated, exact.value.tobytes())
    return asked, view.table, type(view), view.trials is None, answered, beside(scenario)


def _cached(name: str, key: tuple[Any, ...], make: Callable[[], dict[str, Any]]) -> str:
    kept: dict[str, tuple[Any, str]] = st.session_state.setdefault(_KEPT, {})
    if name not in kept or kept[name][0] != key:
        kept[name] = (key, text(make()))
    return kept[name][1]
