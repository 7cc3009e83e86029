"""How widgets are set: from what the app holds, kept while another page is shown, built while open; and a slider with its box."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import streamlit as st

from pages import state
from pages.experiment.scenario import LEAST_EPSILON, SLIDER_EPSILON
from pages.old.shared.escape import escaped


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


# Keys of widgets that show what something else can move too.
#
# A message of a browser holds what all of its widgets show. A browser that has not heard yet of what the server moved still sends
# what was there before, and Streamlit takes that for an entry. So a widget that the server moved is another one from then on, and
# what the old one still says is nobody's. Where that begins to be counted is by chance: to a server that was started anew a
# browser still says what the widgets of the one before it show.


_KEY = "moved_widgets"  # by its name, how often each was moved and what it showed last


def place_of(name: str, *, width: Any = "stretch") -> AbstractContextManager[Any]:
    """Where the widget of this name stands, whichever it is: styles and tests find it there."""
    return st.container(key=name, width=width) if st.context.headers else nullcontext()


def showing(name: str, value: Any) -> str:
    """The key of the widget of this name, which shows ``value``. Without a browser nothing is on its way, and it is the name."""
    if not st.context.headers:
        st.session_state[name] = value
        return name
    kept: dict[str, tuple[int, Any]] = st.session_state.setdefault(_KEY, {})
    times, before = kept.get(name, (secrets.randbits(40), value))
    if value != before and st.session_state.get(f"{name} {times}", before) != value:  # else it was entered there
        times += 1
    kept[name] = times, value
    st.session_state[f"{name} {times}"] = value
    return f"{name} {times}"


def entered(name: str, key: str, act: Callable[[Any], None]) -> None:
    """Act on what a widget says, where it is the one that stands there: Streamlit calls back for one that is gone, too."""
    times, _ = st.session_state.get(_KEY, {}).get(name, (0, None))
    if key in (name, f"{name} {times}"):
        act(st.session_state[key])


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


_BOX = 92  # pixels


def spaced(least: float, most: float, steps: int) -> list[float]:
    """Values of two digits, closer together where they are small."""
    return sorted({least, most, *(float(f"{x:.2g}") for x in np.geomspace(least, most, steps))})


EPSILON_GRID = sorted({*spaced(LEAST_EPSILON, SLIDER_EPSILON, 60), 1.0})


def slider(
    name: str,
    label: str,
    symbol: str,
    grid: list[Any],
    value: Any,
    act: Callable[[Any], None],
    *,
    form: str = "%.6g",
    most: float | None = None,
    step: float | None = None,
    beside: Callable[[], Any] | None = None,
) -> Any:
    """``name``: of its keys. ``symbol``: what the box is for. The box takes values from the grid's first to its last, or to
    ``most``, in steps of the first, or of ``step``. ``beside`` stands at the end of the label's line; what it
    gives back is given."""
    key, exact = f"slide_{name}", f"exact_{name}"

    def row(value: Any) -> None:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            with place_of(key):
                st.select_slider(
                    label,
                    sorted({*grid, value}),
                    key=(slides := showing(key, value)),
                    label_visibility="collapsed",
                    format_func=lambda number: f"{number:,.10g}" if number >= 1000 else f"{number:g}",
                    on_change=lambda: entered(key, slides, act),
                )
            with place_of(exact, width=_BOX):
                st.number_input(
                    f"Exact {symbol}",
                    grid[0],
                    grid[-1] if most is None else most,
                    key=(box := showing(exact, value)),
                    format=form,
                    width=_BOX,
                    step=grid[0] if step is None else step,
                    label_visibility="collapsed",
                    on_change=lambda: entered(exact, box, act),
                )

    stood: Any = None
    if beside is None:
        st.markdown(f":small[{label}]")
    else:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap=None):
            st.markdown(f":small[{label}]", width="content")
            stood = beside()
    row(value)
    return stood
