"""How widgets are set: from what the app holds, kept while another page is shown, or built only while they are open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared.live import redraw


def control(widget: Any, label: str, *args: Any, key: str, holds: Any, act: Callable[[Any], None], **looks: Any) -> Any:
    """A ``widget`` of Streamlit that shows what the app ``holds``; ``act`` is given what somebody enters instead."""
    st.session_state[key] = holds
    return widget(label, *args, key=key, on_change=lambda: act(st.session_state[key]), **looks)


def while_open(box: Any, build: Callable[[], None]) -> None:
    """What is in a popover, or in something that folds out, is built only while it is open."""
    if redraw.opened(box):
        with box:
            build()


def hold(*keys: str) -> None:
    """Before these widgets are shown: what they hold is kept, and what was kept is held again. Streamlit alone forgets what its
    widgets held while another page is shown."""
    kept: dict[str, object] = st.session_state.setdefault("answers_held", {})
    for key in keys:
        if key in st.session_state:
            kept[key] = st.session_state[key]
        elif key in kept:
            st.session_state[key] = kept[key]


def drop(*keys: str) -> None:
    """Forget these answers: the widgets begin anew."""
    for key in keys:
        st.session_state.pop(key, None)
        st.session_state.get("answers_held", {}).pop(key, None)
