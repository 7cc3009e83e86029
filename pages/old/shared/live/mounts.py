"""One part of what follows the hand, in its place on the page."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, final

import streamlit as st

from pages.old.charts.encoded import text
from pages.old.reports.document import Part
from pages.old.shared.escape import unmarked
from pages.old.state import live_sliders, tab
from pages.server import live_module

# What stands above the charts and the sliders, wherever they follow a hand.


SENSITIVE, TRIALS, PUBLISHED = "How sensitive is it?", "How many trials do I need?", "What would be published?"
LABELS = {
    "gamma": "Share of changes not protected, γ (no count of people)",
    "epsilon": "ε (more ε: less protection, more accuracy)",
}


# A sentence of a page as pieces that a browser sets as text: plain, bold, or a slot whose words follow the hand.


_OPEN, _CLOSE = f"\ue000{secrets.token_hex(8)}", "\ue001"  # no name from outside can hold it, and ``escaped`` leaves it alone
_SLOT = re.compile(f"{_OPEN}(\\w+){_CLOSE}")
_RUN = re.compile(r"((?:\\.|[^\\*]|\*(?!\*))+)|\*\*", re.DOTALL)
Piece = dict[str, Any]


def slot(name: str) -> str:
    """What stands in a sentence where the browser puts its own words."""
    return f"{_OPEN}{name}{_CLOSE}"


def pieces(markdown: str) -> list[Piece]:
    """Of our own Markdown, which knows bold type, icons and what ``escaped`` wrote."""
    made: list[Piece] = []
    bold: Piece = {}
    for run in _RUN.finditer(markdown):
        if run[1] is None:
            bold = {} if bold else {"bold": True}
            continue
        for i, part in enumerate(_SLOT.split(run[1])):  # texts, and between them names
            piece = {"slot": part} if i % 2 else {"text": unmarked(part)}
            made += [piece | bold] if piece.get("text") != "" else []
    return made


# Where no part of a page ever speaks: a browser, or a policy on the way to it, that runs none of them.
#
# Such a part cannot say that it failed. The part that says which tab this is speaks as soon as any can: until it has been
# heard, a
# timer of the page looks whether it has; then there is no timer any more.


_EVERY = 2.0  # seconds
_TIMES = 4  # which a busy computer needs too
_SILENCE_KEY = "silence"  # how often nothing was heard; -1 in the run of the page itself


def heed() -> None:
    """Give up what follows the hand where nothing speaks for some seconds."""
    if tab.known() is None:
        st.session_state[_SILENCE_KEY] = -1
        _give_up_where_silent()


@st.fragment(run_every=_EVERY)
def _give_up_where_silent() -> None:
    st.session_state[_SILENCE_KEY] = times = st.session_state.get(_SILENCE_KEY, 0) + 1
    if times >= _TIMES and tab.known() is None:
        live_sliders.failed()
        st.rerun()


_KEY, _DESK, SAYS_WHERE = "live", "explore", "gamma"


@final
@dataclass(frozen=True)
class Size:
    """Of a part, in heights of the page's type: of its own type, and how high it is; 0 for as high as what is in it."""

    type: float
    height: float = 0.0


TEXT = Size(1.0)
_JS = """
export default (part) => {
  let over, end = () => {};
  const stop = () => { over = true; clearTimeout(late); end(); };
  const fail = (error) => {
    if (over) return;
    stop();
    console.warn("live", error);
    part.setStateValue("failed", `it could not be loaded, ${Date.now()}`);
  };
  const late = setTimeout(fail, 1e4, "nothing came");
  import(new URL(part.data.module, location)).then((module) => {
    clearTimeout(late);
    if (!over) end = module.mount(part);
  }, fail);
  return stop;
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, js=" ".join(_JS.split()))  # each part is sent with it
    return component


def part(name: str, data: str, *, key: str = "", size: Size = TEXT, mark: int = 0, **acts: Callable[[], None]) -> None:
    """A part that only shows. ``data``: as JSON, which is sent again where it changes. ``mark``: of it, where others name it."""
    _mounted(name, data, key or name, size, acts, **({"mark": mark} if mark else {}))


def hold() -> None:
    """Where γ and ε are, on a page without the slider that says so."""
    _mounted("hand", "{}", "hand", TEXT, {}, at=live_sliders.at())


def slider(name: str, label: str) -> None:
    """One that a hand moves. That of γ says where both are: all else then stays as it was sent when they move."""
    key = f"slider_{name}"
    moved = {"moved": partial(live_sliders.let_go, name, key_of(key))}
    at = {"at": live_sliders.at()} if name == SAYS_WHERE else {}
    _mounted("slider", text({"name": name, "label": label}), key, TEXT, moved, **at)


def alone(desk: str, one: Part, number: int) -> None:
    """A part of another desk, which tells the server nothing but that it failed."""
    more = {"at": json.loads(one.at)} if one.at else {}
    _mounted(one.name, one.data, f"{desk}_{one.name}_{number}", Size(one.type, one.high), {}, desk=desk, alone=True, **more)


def key_of(name: str) -> str:
    """Of a mount in the session's state."""
    return f"live_{name}"


def _mounted(name: str, data: str, key: str, size: Size, acts: Mapping[str, Callable[[], None]], **more: Any) -> None:
    callbacks: dict[str, Any] = {f"on_{event}_change": act for event, act in {"failed": live_sliders.failed, **acts}.items()}
    high = {"height": size.height} if size.height else {}
    given = {"part": name, "desk": _DESK, "module": live_module.address(), "type": size.type, "text": data} | more | high
    _component()(key=key_of(key), data=given, **callbacks)
