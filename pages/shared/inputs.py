"""Inputs of the popover Options: each is set from the scenario, and acts once it was changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.state import state


def number(
    label: str,
    key: str,
    value: Any,
    act: Callable[[Any], None],
    *,
    form: str | None = None,
    step: float | None = None,
    least: int | None = None,
    most: int | None = None,
) -> None:
    """A number; one that is taken away is said to be needed."""
    st.session_state[key] = value
    widget: Any = st.number_input
    widget(label, least, most, key=key, value=None, step=step, format=form, on_change=lambda: _act(act, st.session_state[key]))


def _act(act: Callable[[Any], None], value: float | None) -> None:
    if value is None:
        state.change()
        state.say("A number is needed there: the last one stays.")
    else:
        act(value)


def choice(label: str, key: str, words: dict[str, str], value: str, act: Callable[[str], None]) -> None:
    """One of a few names, each with its words."""
    st.session_state[key] = value
    st.selectbox(label, list(words), key=key, format_func=words.__getitem__, on_change=lambda: act(st.session_state[key]))


def numbers_in(text: str) -> tuple[Any, ...]:
    """The numbers between commas; what is none stays text, for the constructor to refuse in its own words."""
    parts = [part.strip() for part in text.split(",")]
    try:
        return tuple(float(part) for part in parts)
    except ValueError:
        return tuple(parts)
