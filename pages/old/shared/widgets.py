"""How widgets are set: from what the app holds, kept while another page is shown, and built while open."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages import state
from pages.escape import escaped


def control(widget: Any, label: str, *args: Any, key: str, holds: Any, act: Callable[[Any], None], **looks: Any) -> Any:
    """A ``widget`` of Streamlit that shows what the app ``holds``; ``act`` is given what somebody enters instead. A choice of one
    is a sentence."""
    st.session_state[key] = holds
    if widget in _CHOICES and looks.get("selection_mode") != "multi" and list(args[0]) == [holds]:
        return one_of(widget, label, *args, key=key, **looks)
    return widget(label, *args, key=key, on_change=lambda: act(st.session_state[key]), **looks)


_CHOICES = (st.selectbox, st.radio, st.segmented_control, st.pills)


def one_of(widget: Any, label: str, options: Any, *, key: str, format_func: Callable[[Any], Any] = str, **looks: Any) -> Any:
    """One of these by a ``widget`` of Streamlit; where there is one alone, a sentence says it."""
    several = list(options)
    if len(several) != 1:
        return widget(label, several, key=key, format_func=format_func, **looks)
    before = "" if looks.get("label_visibility") == "collapsed" else f"{label}: "
    st.markdown(before + escaped(str(format_func(several[0]))), width="content", help=looks.get("help"))
    return several[0]


def while_open(box: Any, build: Callable[[], None]) -> None:
    """What is in a popover, or in something that folds out, is built only while it is open."""
    if box.open:
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


# Inputs of the popover Options: each is set from the scenario, and acts once it was changed.


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

    def act_on(given: float | None) -> None:
        if given is None:
            state.change()
            state.say("A number is needed there: the last one stays.")
        else:
            act(given)

    control(st.number_input, label, least, most, key=key, holds=value, act=act_on, value=None, step=step, format=form)


def choice(label: str, key: str, words: dict[str, str], value: str, act: Callable[[str], None]) -> None:
    """One of a few names, each with its words."""
    control(st.selectbox, label, list(words), key=key, holds=value, act=act, format_func=words.__getitem__)


def numbers_in(text: str) -> tuple[Any, ...]:
    """The numbers between commas; what is none stays text, for the constructor to refuse in its own words."""
    parts = [part.strip() for part in text.split(",")]
    try:
        return tuple(float(part) for part in parts)
    except ValueError:
        return tuple(parts)
