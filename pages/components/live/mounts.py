"""One part of what follows the hand, in its place on the page."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.plots.live.encoded import text
from pages.session import hand, live_module

_KEY, _DESK = "live", "explore"
_JS = """
export default (component) => {
  let end, gone = false;
  import(new URL(component.data.module, window.location.href)).then(
    (module) => { if (!gone) end = module.mount(component); },
    (error) => { console.warn("live", error); component.setStateValue("failed", "it could not be loaded"); });
  return () => { gone = true; if (end) end(); };
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, js=_JS)
    return component


def part(name: str, data: str, *, key: str = "", height: int | str = "content", **acts: Callable[[], None]) -> None:
    """A part that only shows. ``data``: as JSON, which is sent again where it changes."""
    _mounted(name, {"text": data}, key or name, height, acts)


def slider(name: str, label: str) -> None:
    """One that a hand moves. Its value goes with it, so all else that is shown stays as it was sent."""
    key = f"slider_{name}"
    _mounted(
        "slider",
        {"text": text({"name": name, "label": label}), "at": hand.at()},
        key,
        "content",
        {"moved": partial(hand.let_go, name, key_of(key))},
    )


def key_of(name: str) -> str:
    """Of a mount in the session's state."""
    return f"live_{name}"


def _mounted(name: str, data: dict[str, Any], key: str, height: int | str, acts: dict[str, Callable[[], None]]) -> None:
    callbacks = {f"on_{event}_change": act for event, act in ({"failed": hand.failed} | acts).items()}
    given = {"part": name, "desk": _DESK, "module": live_module.address()} | data
    _component()(key=key_of(key), data=given, height=height, **callbacks)
