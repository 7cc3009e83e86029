"""Widgets that show values of the scenario and change it when the user operates them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import streamlit as st


def control(widget: Any, label: str, *args: Any, key: str, holds: Any, act: Callable[[Any], None], **looks: Any) -> None:
    """Show a widget of Streamlit.

    Args:
        widget: The widget, such as ``st.selectbox``.
        label: Its label.
        *args: Its options.
        key: Its key.
        holds: Its value.
        act: Called with the value that the user enters.
        **looks: Other arguments of the widget.
    """
    st.session_state[key] = holds

    def changed() -> None:
        if key in st.session_state:  # a browser can report a widget that another server or a cleared cache has forgotten
            act(st.session_state[key])

    widget(label, *args, key=key, on_change=changed, **looks)


def while_open(box: Any, build: Callable[[], None]) -> None:
    """Build the contents of a popover, a tab or an expander only while it is open.

    Args:
        box: The container.
        build: Builds its contents.
    """
    if box.open:
        with box:
            build()


def keep_entries(*keys: str) -> None:
    """Keep what widgets hold while another page is shown. Streamlit forgets it otherwise.

    Args:
        *keys: Their keys. Call this before the widgets are shown.
    """
    kept: dict[str, object] = st.session_state.setdefault("entries_kept", {})
    for key in keys:
        if key in st.session_state:
            kept[key] = st.session_state[key]
        elif key in kept:
            st.session_state[key] = kept[key]


_AROUND, _LETTER, _WIDE = 50, 7.4, 12.5  # pixels: the frame of a selector, a letter, and a wide letter
_LEAST, _WIDEST = 100, 300


def width_for(texts: Iterable[str]) -> int:
    """Return the width of a selector, in pixels, that shows its longest entry."""
    rooms = (sum(_WIDE if letter in "MWmw%@" or letter > "\u2e7f" else _LETTER for letter in text) for text in texts)
    return round(min(_WIDEST, max(_LEAST, _AROUND + max(rooms, default=0))))
