"""A slider over a few values, and beside it a box for every value between its ends: both set from the scenario."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import streamlit as st

from dpcore.workbench.scenario import LEAST_EPSILON, MOST_EPSILON
from pages.shared import keys
from pages.shared.live import anew, labels, mounts
from pages.state import state

_BOX = 92  # pixels


def spaced(least: float, most: float, steps: int) -> list[float]:
    """Values of two digits, closer together where they are small."""
    return sorted({least, most, *(float(f"{x:.2g}") for x in np.geomspace(least, most, steps))})


EPSILON_GRID = sorted({*spaced(LEAST_EPSILON, MOST_EPSILON, 60), 1.0})


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
    live: bool = False,
) -> Any:
    """``name``: of its keys. ``symbol``: what the box is for. The box takes values from the grid's first to its last, or to
    ``most``, in steps of the first, or of ``step``. ``beside`` stands at the end of the label's line; what it
    gives back is given. ``live``: it moves what is shown while a hand holds it."""
    key, exact = f"slide_{name}", f"exact_{name}"

    def row(value: Any) -> None:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            with keys.place(key):
                if live:
                    mounts.slider(name, label)
                else:
                    st.select_slider(
                        label,
                        sorted({*grid, value}),
                        key=(slides := keys.showing(key, value)),
                        label_visibility="collapsed",
                        format_func=lambda number: f"{number:,}" if number >= 1000 else f"{number:g}",
                        on_change=lambda: keys.entered(key, slides, act),
                    )
            with keys.place(exact, width=_BOX):
                st.number_input(
                    f"Exact {symbol}",
                    grid[0],
                    grid[-1] if most is None else most,
                    key=(box := keys.showing(exact, value)),
                    format=form,
                    width=_BOX,
                    step=grid[0] if step is None else step,
                    label_visibility="collapsed",
                    on_change=lambda: keys.entered(exact, box, act),
                )

    stood: Any = None
    if beside is None:
        st.markdown(f":small[{label}]")
    else:
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap=None):
            st.markdown(f":small[{label}]", width="content")
            stood = beside()
    if live:
        anew.part(lambda view: row(getattr(view.scenario, name)))
    else:
        row(value)
    return stood


def epsilon(value: float, beside: Callable[[], Any] | None = None, *, live: bool = False) -> Any:
    """That of the scenario."""
    return slider(
        "epsilon",
        labels.EPSILON,
        "ε",
        EPSILON_GRID,
        value,
        lambda chosen: state.change(epsilon=chosen),
        beside=beside,
        live=live,
    )
