"""A linear classifier and its private versions: boundaries between two classes of two features, and the weights of more."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.answers.classifier import Classifier
from dpcore.base.bounds import Interval, clip
from dpcore.base.types import ClassifierTarget, Database, FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import law_on, without_noise
from pages.charts.drawn import (
    BLUE,
    GREEN,
    GREY,
    IN_TWO_COLUMNS,
    PURPLE,
    VERMILION,
    Drawn,
    figure,
    line,
    no_proved_worst_case,
    scatter,
    thinned,
)
from pages.charts.responses import beside
from pages.experiment.headlines.base import Headline

FAN = 20
_MOST_RECORDS = 400
_MARGIN = 0.06
_MARKERS: tuple[dict[str, Any], ...] = (
    {"color": GREY, "symbol": "x-thin-open", "size": 5, "line": {"width": 1, "color": GREY}, "opacity": 0.7},
    {"color": PURPLE, "symbol": "circle", "size": 5, "line": {"width": 1, "color": PURPLE}, "opacity": 0.7},
)
_HIDDEN = " (outside)"
_LAST = 1_001  # in the legend, where the rest have 1,000


def boundaries(
    raw: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    records: Database,
    x_bounds: tuple[Interval, Interval],
    names: tuple[str, str] = ("x1", "x2"),
    classes: tuple[str, str] = ("class 0", "class 1"),
    raw_name: str = "non-private",
    seed: int = 0,
    uncentred: Callable[[FloatArray], FloatArray] = np.asarray,
) -> Drawn:
    """The line w·x + b = 0 of the answer without noise (w1, w2, b), of one private answer and of a fan of more, and of one at the
    worst case: every private one is simulated.

    ``records`` are (n, 3), features and label; ``uncentred`` makes (w, b) of answers (k, 3), w for features scaled from
    ``x_bounds`` to [0, 1], and the chart is in the columns' own units. The view is the records', clipped to the bounds as the
    answer has them, whatever the noise.
    """
    rng = np.random.default_rng([seed, 6])
    shown = _thinned(records, x_bounds)
    view = _view(shown, x_bounds)
    answers = uncentred(sampled.simulate(raw, size=FAN + 1, rng=rng, database=records))
    traces = []
    for label, name, marker in zip((0, 1), classes, _MARKERS, strict=True):
        x, y, _ = shown[(shown[:, 2] > 0.5) == label].T
        traces.append(scatter(name, x, y, marker, hoverinfo="skip"))
    traces.append(_fan(answers[1:], x_bounds, view))
    if worst_case is not None:
        worst = uncentred(worst_case.simulate(raw, size=1, rng=rng, database=records))[0]
        traces.append(_line("worst case", worst, x_bounds, view, VERMILION, "longdash"))
    else:
        traces.append(no_proved_worst_case())
    exact = uncentred(without_noise(law_on(sampled.law, records), raw)[None])[0]
    traces.append(_line(raw_name, exact, x_bounds, view, GREEN, "dash"))
    traces.append(_line("private", answers[0], x_bounds, view, BLUE, "solid", legendrank=_LAST - 1))
    (left, right), (bottom, top) = view
    return figure(
        traces,
        x={"title": {"text": names[0]}, "range": [left, right], "nticks": 6},
        y={"title": {"text": names[1]}, "range": [bottom, top], "nticks": 6},
        legend=IN_TWO_COLUMNS,
    )


def _thinned(records: Database, x_bounds: tuple[Interval, Interval]) -> FloatArray:
    """At most 400 records, their features clipped as the answer has them."""
    some = thinned(len(records), _MOST_RECORDS)
    return np.column_stack([clip(records[some, :2], x_bounds), records[some, 2]])


def _view(shown: FloatArray, x_bounds: tuple[Interval, Interval]) -> tuple[Interval, Interval]:
    ends = []
    for values, bounds in zip(shown[:, :2].T, x_bounds, strict=True):
        low, high = (float(values.min()), float(values.max())) if np.ptp(values) > 0 else bounds
        ends.append((low - _MARGIN * (high - low), high + _MARGIN * (high - low)))
    return ends[0], ends[1]


def _fan(answers: FloatArray, x_bounds: tuple[Interval, Interval], view: tuple[Interval, Interval]) -> dict[str, Any]:
    """One trace, a gap between any two of its lines."""
    gap = np.full((1, 2), np.nan)
    parts = [np.vstack([part, gap]) for answer in answers if (part := segment(answer, x_bounds, view)) is not None]
    points = np.concatenate(parts) if parts else gap
    name = f"{FAN} more private" if len(parts) == FAN else f"{len(parts)} of {FAN} more seen"
    return line(name, points[:, 0], points[:, 1], BLUE, line={"width": 1}, opacity=0.6, hoverinfo="skip", legendrank=_LAST)


def _line(
    name: str,
    answer: FloatArray,
    x_bounds: tuple[Interval, Interval],
    view: tuple[Interval, Interval],
    colour: str,
    dash: str,
    **more: Any,
) -> dict[str, Any]:
    part = segment(answer, x_bounds, view)
    points = np.full((1, 2), np.nan) if part is None else part
    return line(name + _HIDDEN * (part is None), points[:, 0], points[:, 1], colour, line={"dash": dash}, **more)


def segment(answer: FloatArray, x_bounds: tuple[Interval, Interval], view: tuple[Interval, Interval]) -> FloatArray | None:
    """The two points in which w·x + b = 0 leaves the view, in the columns' units: (2, 2), or None where it is not in it."""
    (left, right), (bottom, top) = view
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    lows, highs = np.array(x_bounds).T
    heights = (corners - lows) / (highs - lows) @ answer[:2] + answer[2]
    points = []
    for i in range(4):
        here, there = heights[i], heights[i - 1]
        if (here > 0) != (there > 0):
            share = here / (here - there)
            points.append(corners[i] + share * (corners[i - 1] - corners[i]))
    return np.array(points) if len(points) == 2 else None


_MOST_WORD = 14  # characters of a label's name in the legend


def chart(shown: Headline) -> tuple[Drawn, str]:
    """Records of both classes with the boundaries between them, and a description."""
    target = shown.scenario.target
    if not isinstance(target, ClassifierTarget) or target.dims != 2 or len(shown.columns) != 3:
        return _weights(shown)
    first, second, _ = shown.columns
    (across, up), exact, answer = target.x_bounds, shown.exact, shown.answer
    assert isinstance(answer, Classifier)
    short = all(len(name) <= _MOST_WORD for name in answer.classes)
    figure = boundaries(
        exact.value,
        shown.noise,
        shown.worst,
        records=exact.database,
        x_bounds=(across, up),
        names=(first.words, second.words),
        classes=answer.classes if short else ("class 0", "class 1"),
        raw_name=exact.name,
        seed=shown.scenario.seed,
        uncentred=target.uncentred,
    )
    at = f"at ε = {shown.scenario.epsilon:g}"
    return figure, f"Records of two classes, the boundary {exact.of} between them, and private boundaries {at}."


def _weights(shown: Any) -> tuple[Drawn, str]:
    """Weights and bias, without noise and of one private answer each."""
    drawn = [
        (shown.responses(noise.law)[0], shown.within(noise.law)) for noise in (shown.noise, shown.worst) if noise is not None
    ]
    figure = beside(shown.value, drawn, labels=shown.answer.labels, raw_name=shown.exact.name)
    return figure, f"Possible private answers around the one {shown.exact.of}, at ε = {shown.scenario.epsilon:g}."


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> Drawn | None:
    """Weights are read, and not drawn."""
    return None
