"""Explore: what privacy costs, for one table, target and oracle."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path

import streamlit as st

from pages.explore import learned, on_explore, oracle_check, report, ways_in, wrong_oracle
from pages.shared import absent, answer, failed, fitted_oracle, notices, panels, selectors
from pages.shared.live import anew
from pages.shared.live import explore as live
from pages.shared.pins import side_by_side
from pages.shared.wall import frame, mode
from pages.state import pins, place, state
from pages.state.view import Shown, View, view

TITLE = "Explore"
ORDER = 0
PLACES = place.OF_PANELS

_PANELS = {"sensitivity": panels.sensitivity, "trials": panels.operating_point, "answers": panels.readers}
_BELOW: dict[str, Callable[[View], None]] = {"beside": side_by_side.show, "odds": learned.odds, "changes": learned.a_few}
_SPEAKER = Path(__file__).parents[1] / "text" / "speaker.md"
_FIRST = "answer"  # of what is presented


def show() -> None:
    """Selectors, the answer in a sentence, three panels each under its slider, what is pinned beside it, and
    what could be learned; or one of these on a wall."""
    if absent.show():
        return
    if not state.made_up():
        state.take_own_n()
    anew.begin()
    shown = _on_a_wall() if place.presenting() else _beside()
    anew.show(shown, _look, live.stands)


def _look() -> View:
    return view(state.scenario(), state.table())


def _beside() -> View:
    ways_in.show()
    selectors.show(state.scenario(), PLACES, partial(report.of_explore, state.scenario(), state.table(), PLACES))
    notices.show(over=True)
    on_explore.show(state.scenario(), state.table())
    fitted_oracle.note(state.scenario())
    shown = _look()
    if live.offered(shown):
        live.lay(shown)
    _answer(shown)
    frame.arranged(list(_PANELS), partial(_panel, shown), frame.BESIDE, in_a_row=len(_PANELS))
    wrong_oracle.show(shown)
    oracle_check.show(shown)
    side_by_side.show(shown)
    learned.show(shown)
    return shown


def _panel(shown: View, name: str, size: frame.Frame) -> None:
    failed.guarded(partial(_PANELS[name], shown, size))


def _answer(shown: View) -> None:
    """In sentences, whose numbers follow the hand where there is one to follow."""
    if isinstance(shown, Shown) and live.offered(shown):
        live.sentences(shown)
    else:
        answer.show(shown)


def _on_a_wall() -> View:
    """The answer, one panel, what is pinned or what could be learned, alone."""
    mode.begin()
    shown = _look()
    names = [_FIRST, *_PANELS, *(name for name in _BELOW if name != "beside" or pins.kept())]
    at = place.of("panel") if place.of("panel") in names else _FIRST
    notices.show(over=True)
    if live.offered(shown):
        live.lay(shown)
    if at in _PANELS:
        _PANELS[at](shown, frame.ALONE)
    elif at in _BELOW:
        with st.container(key="wall_text" if at == "changes" else None):
            _BELOW[at](shown)
    else:
        with st.container(key="wall_text"):
            _answer(shown)
    mode.ways(names, at, lambda name: place.go("panel", name), _note(shown, at))
    return shown


def _note(shown: View, at: str) -> str:
    """What a speaker may say of a part in the state that is shown."""
    other = {"answers": not panels.shows_dots(shown), "odds": isinstance(shown, Shown) and not shown.guesser.sides}
    variant = "other" if other.get(at) else "proved" if isinstance(shown, Shown) and shown.proved else ""
    return _notes().get(f"{at} {variant}", _notes()[at])


@lru_cache(maxsize=1)
def _notes() -> dict[str, str]:
    """What a speaker may say of each part."""
    parts = _SPEAKER.read_text(encoding="utf-8").split("\n## ")[1:]
    return {name: " ".join(said.split()) for name, _, said in (part.partition("\n") for part in parts)}
