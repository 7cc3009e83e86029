"""A random name for this tab that survives a reload: it lives in the browser's session storage, which ends with the tab.

Beside it the browser keeps whether the tab has released anything: a server that was restarted does not know.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import streamlit as st

_KEY = "tab_name"
_JS = """
export default function ({ data, setStateValue }) {
  let name = data.proposed, released = "0";
  try {
    const storage = window.sessionStorage, kept = storage.getItem("dp-tab");
    if (data.released) { storage.setItem("dp-released", "1"); }
    if (/^[0-9a-f]{32}$/.test(kept || "")) { name = kept; released = storage.getItem("dp-released") || "0"; }
    else if (!data.known) { storage.setItem("dp-tab", name); }
  } catch (error) { /* a browser that keeps nothing: the tab is new after each reload */ }
  if (!data.known) { setStateValue("answer", [name, released, data.proposed].join(" ")); }
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, html="<span hidden></span>", js=_JS)
    return component


def known() -> str | None:
    """The tab's name, once the browser has said it; without a browser nothing is remembered, and any name will do."""
    if "tab" not in st.session_state and not st.context.headers:
        st.session_state["tab"] = secrets.token_hex(16)
    name: str | None = st.session_state.get("tab")
    return name


def had_released() -> bool:
    """Whether this tab has released something, as far as its browser or this session remembers."""
    return bool(st.session_state.get("tab_had_released"))


def listen(*, released: bool) -> None:
    """Ask the browser which tab this is, where it has not answered yet; and let it remember that the tab has released.

    The session remembers it too, because it can outlive the books: a developer's file watcher imports their module again.
    """
    if released:
        st.session_state["tab_had_released"] = True
    proposed: str = st.session_state.setdefault("proposed_tab", secrets.token_hex(16))
    data = {"proposed": proposed, "known": known() is not None, "released": released}
    _component()(key=_KEY, data=data, on_answer_change=_take)


def _take() -> None:
    """The browser's answer, before the run that follows it.

    It ends with the name that this session proposed. A tab that was open while its server was started again still holds what
    it answered then, and the same words again would be no change, which Streamlit does not pass on.
    """
    if "tab" in st.session_state:
        return
    answer = re.fullmatch(r"([0-9a-f]{32}) ([01]) [0-9a-f]{32}", str(st.session_state[_KEY]["answer"]))
    st.session_state["tab"] = answer[1] if answer else st.session_state["proposed_tab"]
    st.session_state["tab_had_released"] = answer is not None and answer[2] == "1"
