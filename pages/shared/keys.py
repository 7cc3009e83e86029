"""Keys of widgets that show what something else can move too.

A message of a browser holds what all of its widgets show. A browser that has not heard yet of what the server moved still sends
what was there before, and Streamlit takes that for an entry. So a widget that the server moved is another one from then on, and
what the old one still says is nobody's. Where that begins to be counted is by chance: to a server that was started anew a browser
still says what the widgets of the one before it show.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import streamlit as st

_KEY = "moved_widgets"  # by its name, how often each was moved and what it showed last


def place(name: str, *, width: Any = "stretch") -> AbstractContextManager[Any]:
    """Where the widget of this name stands, whichever it is: styles and tests find it there."""
    return st.container(key=name, width=width) if st.context.headers else nullcontext()


def showing(name: str, value: Any) -> str:
    """The key of the widget of this name, which shows ``value``. Without a browser nothing is on its way, and it is the name."""
    if not st.context.headers:
        st.session_state[name] = value
        return name
    kept: dict[str, tuple[int, Any]] = st.session_state.setdefault(_KEY, {})
    times, before = kept.get(name, (secrets.randbits(40), value))
    if value != before and st.session_state.get(f"{name} {times}", before) != value:  # else it was entered there
        times += 1
    kept[name] = times, value
    st.session_state[f"{name} {times}"] = value
    return f"{name} {times}"


def entered(name: str, key: str, act: Callable[[Any], None]) -> None:
    """Act on what a widget says, where it is the one that stands there: Streamlit calls back for one that is gone, too."""
    times, _ = st.session_state.get(_KEY, {}).get(name, (0, None))
    if key in (name, f"{name} {times}"):
        act(st.session_state[key])
