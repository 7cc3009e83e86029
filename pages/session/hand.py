"""γ and ε as the browser shows them: a hand moves them there, and tells the server once it lets go.

``rev`` rises where the scenario is not what the browser shows, as after Undo or an exact entry: then the browser takes what the
server has, but for what is held at that moment. What the browser itself said is never sent back to it.
"""

from __future__ import annotations

import math
import secrets
from dataclasses import dataclass
from typing import Any, final

import streamlit as st

from dpcore.workbench.scenario import LEAST_EPSILON, LEAST_GAMMA, MOST_EPSILON, MOST_GAMMA
from pages.session import place, state

_KEY, _FAILED = "hand", "hand_failed"
_BETWEEN = {"gamma": (LEAST_GAMMA, MOST_GAMMA), "epsilon": (LEAST_EPSILON, MOST_EPSILON)}
_INSTEAD = "The live charts could not be drawn in this browser, so here are plain sliders and charts. They show the same."


@final
@dataclass(frozen=True)
class _Shown:
    rev: int
    gamma: float
    epsilon: float


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
    if shown is None or (shown.gamma, shown.epsilon) != (scenario.gamma, scenario.epsilon):
        rev = secrets.randbits(30) if shown is None else shown.rev + 1
        shown = st.session_state[_KEY] = _Shown(rev, scenario.gamma, scenario.epsilon)
    return {"rev": shown.rev, "gamma": shown.gamma, "epsilon": shown.epsilon}


def let_go(name: str, key: str) -> None:
    """The hand let go of ``name`` at a value, which the mount of this key says."""
    said: Any = st.session_state[key].get("moved")
    value = said.get("x") if isinstance(said, dict) else None
    least, most = _BETWEEN[name]
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not math.isfinite(value) or not least <= value <= most:
        return  # no hand of ours says so
    shown = _shown()
    if shown is not None:
        gamma, epsilon = (
            float(value) if name == each else kept for each, kept in (("gamma", shown.gamma), ("epsilon", shown.epsilon))
        )
        st.session_state[_KEY] = _Shown(shown.rev, gamma, epsilon)
    state.change(**{name: float(value)})


def failed() -> None:
    """The browser says that it cannot draw them: from now on plain sliders, and why."""
    if not gave_up():
        st.session_state[_FAILED] = True
        state.say(_INSTEAD)


def _shown() -> _Shown | None:
    kept: _Shown | None = st.session_state.get(_KEY)
    return kept
