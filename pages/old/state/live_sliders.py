"""γ and ε as the browser shows them: a hand moves them there, and tells the server once it lets go.

``rev`` rises where the scenario is not what the browser shows, as after Undo or an exact entry: then the browser takes what the
server has, but for what is held at that moment, or was let go of since and has not arrived here. What the browser itself said is
never sent back to it. Each message has a number, and the last one that was heard of goes back; a session names itself, so that
a browser whose server was started anew tells it again what it may have missed.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, replace
from typing import Any, final

import streamlit as st

from pages import state
from pages.experiment.scenario import LEAST_EPSILON, LEAST_GAMMA, MOST_EPSILON, MOST_GAMMA
from pages.old.state import address, place

_KEY, _FAILED = "hand", "hand_failed"
_BETWEEN = {"gamma": (LEAST_GAMMA, MOST_GAMMA), "epsilon": (LEAST_EPSILON, MOST_EPSILON)}
_INSTEAD = "The live charts could not be drawn in this browser. Plain ones stand in their place, and show the same."


@final
@dataclass(frozen=True)
class _Shown:
    session: str
    rev: int
    gamma: float
    epsilon: float
    heard: tuple[tuple[str, int], ...] = ()


def offered() -> bool:
    """Whether γ and ε follow the hand: not where somebody asked for plain sliders, where the browser failed at it, or without a
    browser at all."""
    return not plain() and not gave_up() and bool(st.context.headers)


def plain() -> bool:
    """Whether plain sliders were asked for."""
    return place.of(place.PLAIN) == "1"


def gave_up() -> bool:
    """Whether this tab's browser said that it cannot draw them."""
    return bool(st.session_state.get(_FAILED))


def make_plain(*, on: bool) -> None:
    """Plain sliders from now on, or no longer: then the browser tries again."""
    st.session_state.pop(_FAILED, None)
    place.go(place.PLAIN, "1" if on else "")


def at() -> dict[str, Any]:
    """What the browser is to show."""
    scenario, shown = state.scenario(), _shown()
    if (shown.gamma, shown.epsilon) != (scenario.gamma, scenario.epsilon):
        shown = replace(shown, rev=shown.rev + 1, gamma=scenario.gamma, epsilon=scenario.epsilon)
        st.session_state[_KEY] = shown
    heard = dict(shown.heard)
    return {"session": shown.session, "rev": shown.rev, "gamma": shown.gamma, "epsilon": shown.epsilon, "heard": heard}


def let_go(name: str, key: str) -> None:
    """The hand let go of ``name`` at a value, which the mount of this key says.

    A browser that had not yet seen what the server moved shows that by now: it is sent what it let go of.
    """
    said: Any = st.session_state[key].get("moved")
    if not isinstance(said, dict) or not isinstance(said.get("seq"), int) or isinstance(said["seq"], bool):
        return  # no hand of ours says so
    shown = _shown()
    heard = tuple((dict(shown.heard) | {name: said["seq"]}).items())
    x = said.get("x")
    least, most = _BETWEEN[name]
    if not isinstance(x, (int, float)) or isinstance(x, bool) or not least <= x <= most:
        st.session_state[_KEY] = replace(shown, heard=heard, rev=shown.rev + 1)  # back to what is shown here
        return
    value = float(x)
    moved: dict[str, Any] = {name: value} if said.get("rev") == shown.rev else {}
    st.session_state[_KEY] = replace(shown, heard=heard, **moved)
    if getattr(state.scenario(), name) == value:  # it was said again, for the connection had been lost
        address.say_again()
        return
    state.change(**{name: value})
    if gave_up():  # in the same run, and the change has just taken away what was said of it
        state.say(_INSTEAD)


def failed() -> None:
    """The browser says that it cannot draw them: from now on plain sliders, and why."""
    if not gave_up():
        st.session_state[_FAILED] = True
        state.say(_INSTEAD)


def _shown() -> _Shown:
    if _KEY not in st.session_state:
        scenario = state.scenario()
        st.session_state[_KEY] = _Shown(secrets.token_hex(8), secrets.randbits(30), scenario.gamma, scenario.epsilon)
    kept: _Shown = st.session_state[_KEY]
    return kept
