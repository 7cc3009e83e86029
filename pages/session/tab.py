"""A random name for this tab that survives a reload: it lives in the browser's session storage, which ends with the tab."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import streamlit as st

_JS = """
export default function ({ data, setStateValue }) {
  let name = data.proposed;
  try {
    const kept = window.sessionStorage.getItem("dp-tab");
    if (/^[0-9a-f]{32}$/.test(kept || "")) { name = kept; } else { window.sessionStorage.setItem("dp-tab", name); }
  } catch (error) { /* a browser that keeps nothing: the tab is new after each reload */ }
  setStateValue("name", name);
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component("tab_name", html="<span hidden></span>", js=_JS)
    return component


def known() -> str | None:
    """The tab's name, once the browser has said it; without a browser nothing is remembered, and any name will do."""
    if "tab" not in st.session_state and not st.context.headers:
        st.session_state["tab"] = secrets.token_hex(16)
    name: str | None = st.session_state.get("tab")
    return name


def ask() -> None:
    """Ask the browser, where it has not answered yet: the answer comes with the next run."""
    if known() is not None:
        return
    proposed: str = st.session_state.setdefault("proposed_tab", secrets.token_hex(16))
    result = _component()(key="tab_name", data={"proposed": proposed}, on_name_change=lambda: None)
    answered = getattr(result, "name", None)
    if isinstance(answered, str):
        st.session_state["tab"] = answered if re.fullmatch(r"[0-9a-f]{32}", answered) else proposed
        st.rerun()
