"""Widgets that show values of the scenario and change it when the user operates them."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
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


def popover(label: str, key: str, icon: str, build: Callable[[], object]) -> None:
    """Show a popover. Its contents are built only while it is open.

    Args:
        label: Its label.
        key: Its key.
        icon: Name of its Material icon.
        build: Builds its contents.
    """
    box = st.popover(label, key=key, on_change="rerun", icon=f":material/{icon}:")
    if box.open:
        with box:
            build()


# A message of a browser holds what all of its widgets show. A browser that does not know yet what the server moved still sends
# the value from before, and Streamlit takes it for an entry. So a slider that the server moved gets another key, and values
# under its old key are ignored. The count begins at random: a browser can still send values of a server that was restarted.
_MOVED = "moved_widgets"  # key in the session: count of moves and last value of each widget
_BOX = 104  # width of the box in pixels


def slider(
    name: str,
    label: str,
    symbol: str,
    options: Sequence[Any],
    value: Any,
    act: Callable[[Any], None],
    *,
    ends: tuple[Any, Any],
    step: float,
    form: str = "%.6g",
    about: str | None = None,
) -> None:
    """Show a slider and a box for exact values, both of which show a value that the app holds.

    Args:
        name: Part of the keys of both.
        label: Label above the slider.
        symbol: Name of the value in the label of the box.
        options: Stops of the slider.
        value: The value that the app holds.
        act: Called with the value that the user enters.
        ends: Ends of the box.
        step: Step of the box.
        form: Format of the box.
        about: Help text.
    """
    slides, box = f"slide_{name}", f"exact_{name}"
    slider_key, box_key = showing(slides, value), showing(box, value)
    st.markdown(f":small[{label}]", help=about)  # the slider's own label would overlap the value
    with st.container(horizontal=True, vertical_alignment="bottom", gap="xsmall"):
        st.select_slider(
            label,
            sorted({*options, value}),
            key=slider_key,
            label_visibility="collapsed",
            format_func=lambda number: f"{number:,.10g}" if number >= 1000 else f"{number:g}",
            on_change=entered,
            args=(slides, slider_key, act),
        )
        st.number_input(
            f"{symbol}, exactly",
            *ends,
            key=box_key,
            format=form,
            step=step,
            width=_BOX,
            label_visibility="collapsed",
            on_change=entered,
            args=(box, box_key, act),
        )


def showing(name: str, value: Any) -> str:
    """Return the key of the widget of this name, which shows a value. Without a browser it is the name."""
    if not st.context.headers:
        st.session_state[name] = value
        return name
    kept: dict[str, tuple[int, Any]] = st.session_state.setdefault(_MOVED, {})
    times, before = kept.get(name, (secrets.randbits(40), value))
    if value != before and st.session_state.get(f"{name} {times}", before) != value:  # otherwise it was entered there
        times += 1
    kept[name] = times, value
    st.session_state[f"{name} {times}"] = value
    return f"{name} {times}"


def entered(name: str, key: str, act: Callable[[Any], None]) -> None:
    """Act on the value of a widget, unless the server has moved it since: Streamlit also reports widgets that are gone."""
    times, _ = st.session_state.get(_MOVED, {}).get(name, (0, None))
    if key in (name, f"{name} {times}"):
        act(st.session_state[key])
