"""A random name for this tab that survives a reload: it lives in the browser's session storage, which ends with the tab."""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable
from typing import Any

import streamlit as st

_JS = """
export default function ({ data, setStateValue }) {
  const known = window.sessionStorage.getItem("dp-tab");
  if (known === null) { window.sessionStorage.setItem("dp-tab", data.proposed); }
  const name = known === null ? data.proposed : known;
  if (name !== data.current) { setStateValue("name", name); }
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component("tab_name", html="<span hidden></span>", js=_JS)
    return component


def name() -> str:
    """The tab's name: proposed by the server at first, then what the browser remembers."""
    current: str = st.session_state.setdefault("tab", secrets.token_hex(16))
    return current


def remember() -> str | None:
    """Mount the component; the name that the browser remembers, if it is another than the session's."""
    component = _component()
    result = component(key="tab_name", data={"proposed": name(), "current": name()}, on_name_change=lambda: None)
    remembered = getattr(result, "name", None)
    if isinstance(remembered, str) and re.fullmatch(r"[0-9a-f]{32}", remembered) and remembered != name():
        return remembered
    return None
