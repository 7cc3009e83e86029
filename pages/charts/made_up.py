"""A chart that was made from a made-up table says so above everything else, whatever kind of answer it shows."""

from __future__ import annotations

from typing import Any

from pages.charts.drawn import Drawn

NOT_YOUR_DATA = "Not your data: a made-up table"
_ROOM = 28  # pixels above the legend
_TITLE: dict[str, Any] = {
    "text": NOT_YOUR_DATA,
    "x": 0.5,
    "xanchor": "center",
    "y": 1.0,
    "yref": "container",
    "yanchor": "top",
    "pad": {"t": 5},
    "font": {"size": 19, "weight": 700},
}


def made_up(figure: Drawn, description: str) -> tuple[Drawn, str]:
    """The same chart under these words in large type, in the colour of the theme's text, and its description after them."""
    ready: dict[str, Any] = figure.ready()
    layout = ready["layout"]
    margin = layout.get("margin", {})
    above = layout | {"title": _TITLE, "margin": margin | {"t": margin.get("t", 56) + _ROOM}}
    return Drawn(ready | {"layout": above}), f"{NOT_YOUR_DATA}. {description}"
