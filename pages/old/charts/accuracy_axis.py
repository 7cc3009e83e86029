"""A second axis over distances: how often the best guesser is right on a pair that is so far apart; and what is not covered."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.guarantees.guesser import Guesser
from pages.old.charts.drawn import LEGEND, MARGIN, SILENT, VERMILION, faded, note
from pages.old.charts.moving import Moving, at_most, call, named, where, words_of

ACCURACIES = (0.5, 0.99, 0.9, 0.75, 0.6)  # the first are kept where there is no room for all
TITLE = "a guesser's best accuracy, %"
_APART = 0.09  # of the axis, between two ticks: room for a number at 360 pixels
_ROOM = 34  # pixels above the chart
_LEGEND = 1.4  # of the chart's height, where the legend begins: above the axis, with room for more rows in a narrow chart
_ROOM_FOR_WORDS = 0.36  # of the axis, at 360 pixels
_SHADE = faded(VERMILION, 0.14)
_AS_SAID = 1e-6


def with_accuracies(guesser: Guesser, right: float, covered: float, scale: float = 0.0) -> tuple[dict[str, Any], dict[str, Any]]:
    """A trace and the layout that give a chart of distances from 0 to ``right`` its axis at the top.

    Ticks stand where the accuracy is reached; where fewer than two of them are in view, another stands at ``covered``. Where
    nothing is exact the title says so.
    """
    ticks = accuracies(guesser, right, covered)
    rules = _rules(guesser, right, scale)
    at = call("accuracyPlaces", [place for place, _ in ticks], *rules)
    said = call("accuracyTexts", [text for _, text in ticks], *rules)
    top = {"side": "top", "overlaying": "x", "range": [0, right], "showgrid": False, "zeroline": False, "automargin": False}
    layout = {
        "xaxis2": top | {"tickvals": at, "ticktext": said, "tickangle": 0, "ticks": "outside", "ticklen": 3},
        "margin": {"t": MARGIN["t"] + _ROOM},
        "legend": LEGEND | {"y": _LEGEND},
        # above the numbers, by pixels: an axis's own title can come to lie on them in a narrow chart
        "annotations": [note(title(guesser), 0.5, 1, xref="paper", yref="paper", yanchor="bottom", yshift=24)],
    }
    return {"type": "scatter", "name": "", "x": [None], "y": [None], "xaxis": "x2"} | SILENT, layout


def shaded(covered: Moving, right: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The shape that shades all distances beyond what is covered, none where nothing is, and the words that say so where there
    is room."""
    begin = where(at_most(covered, right), covered, right)
    edges = {"xref": "x", "x0": begin, "x1": right, "yref": "paper", "y0": 0, "y1": 1}
    shape: dict[str, Any] = {"type": "rect", "fillcolor": _SHADE, "line": {"width": 0}, "layer": "below"}
    said = where(at_most(begin, (1 - _ROOM_FOR_WORDS) * right), words_of("not protected"), words_of(""))
    return [shape | edges], [note(said, (begin + right) / 2, 0.06, xref="x", yref="paper")]


def _rules(guesser: Guesser, right: float, scale: float) -> tuple[Any, ...]:
    """What a browser works the ticks out from: how far apart a pair is at each accuracy, in units of the noise's scale; what the
    noise is now; and how often he is right at the edge of what is protected."""
    ratios = [guesser.distance(accuracy) / scale for accuracy in ACCURACIES] if guesser.in_proportion and scale else []
    now = (named(name, np.nan) for name in ("answeredScale", "leading", "edge"))
    return np.array(ACCURACIES[: len(ratios)]), np.array(ratios), right, *now


def title(guesser: Guesser) -> str:
    """What the axis says; where nothing is exact, that it is a bound."""
    return TITLE + ("" if guesser.exact else ", at most")


def accuracies(guesser: Guesser, right: float, covered: float) -> list[tuple[float, str]]:
    """The distances from 0 to ``right`` at which an accuracy is reached, and the accuracy in per cent, with room between them."""
    kept: list[tuple[float, str]] = []
    for accuracy in ACCURACIES:
        at = guesser.distance(accuracy)
        reached = abs(float(guesser.right(at)) - accuracy) <= _AS_SAID
        if reached and at <= right and all(abs(at - other) >= _APART * right for other, _ in kept):
            kept.append((at, f"{100 * accuracy:.0f}"))
    if len(kept) < 2 and _APART * right <= covered <= right:
        kept.append((covered, f"{100 * float(guesser.right(covered)):.3g}"))
    return sorted(kept)
