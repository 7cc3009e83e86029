"""A guesser's best accuracy under the chart of distances: an axis of its own, so that the chart stays as it is while ε moves."""

from __future__ import annotations

from html import escape
from typing import Any

import streamlit as st

from dpcore.guarantees.guesser import Guesser
from dpcore.guarantees.words import figure
from dpcore.plots.accuracy_axis import accuracies, title

ROOM = 34  # pixels of the axis, which the chart gives up
_AXIS = (
    '<div role="img" aria-label="{said}" style="position:relative;height:2.1rem;margin:-0.9rem {right}px 0 {left}px;'
    'font-size:0.75rem;line-height:1;border-top:1px solid currentColor">{ticks}'
    '<span style="position:absolute;left:50%;top:1.15rem;transform:translateX(-50%);white-space:nowrap">{title}</span></div>'
)
_TICK = '<span style="position:absolute;left:{at:.2f}%;top:0.3rem;transform:translateX(-50%)">{text}</span>'


def show(guesser: Guesser, chart: Any, covered: float, unit: str) -> None:
    """Under a chart whose x axis begins at 0: where each accuracy is reached."""
    layout = chart.ready()["layout"]
    end = float(layout["xaxis"]["range"][1])
    reached = [(abs(at), text) for at, text in accuracies(guesser, end, covered)]  # not -0
    said = ", ".join(f"{text} at {figure(at)}{f' {unit}' if unit else ''}" for at, text in reached)
    ticks = "".join(_TICK.format(at=100 * at / end, text=escape(text)) for at, text in reached)
    margin, name = layout["margin"], escape(title(guesser))
    st.html(
        _AXIS.format(
            said=f"{name}: {escape(said or 'none in view')}.", left=margin["l"], right=margin["r"], ticks=ticks, title=name
        )
    )
