"""A linear classifier and its private versions: boundaries between two classes of two features, and the weights of more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from dpcore.answers.classifier import Classifier
from dpcore.base.bounds import Interval, clip
from dpcore.base.types import ClassifierTarget, Database, FloatArray
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import law_on, without_noise
from pages.old.charts import drawn
from pages.old.charts.drawn import BLUE, GREEN, GREY, PURPLE, VERMILION, Drawn, line, scatter
from pages.old.charts.responses import beside
from pages.old.experiment.headlines.base import Headline

FAN = 20
_MOST_RECORDS = 400
_MARGIN = 0.06
_MARKS = ((GREY, "x-thin-open"), (PURPLE, "circle"))  # of the two classes
_HIDDEN = " (outside)"
_NOWHERE = np.full((1, 2), np.nan)
_LAST = 1_001  # in the legend, where the rest have 1,000
Box = tuple[Interval, Interval]


def boundaries(
    raw: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    records: Database,
    x_bounds: Box,
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
    simulated = partial(_simulated, raw, records, uncentred, np.random.default_rng([seed, 6]))
    some = records[drawn.thinned(len(records), _MOST_RECORDS)]
    features, labels = clip(some[:, :2], x_bounds), some[:, 2] > 0.5
    view = _view(features, x_bounds)
    private, *more = simulated(sampled, FAN + 1)
    traces = []
    for label, name, (colour, symbol) in zip((False, True), classes, _MARKS, strict=True):
        look = {"color": colour, "symbol": symbol, "size": 5, "line": {"width": 1, "color": colour}, "opacity": 0.7}
        x, y = features[labels == label].T
        traces.append(scatter(name, x, y, look, hoverinfo="skip"))
    traces.append(_fan([found for one in more if (found := segment(one, x_bounds, view)) is not None]))
    if worst_case is not None:
        worst = segment(simulated(worst_case, 1)[0], x_bounds, view)
        traces.append(_line("worst case", worst, VERMILION, "longdash"))
    else:
        traces.append(drawn.no_proved_worst_case())
    exact = uncentred(without_noise(law_on(sampled.law, records), raw)[None])[0]
    traces.append(_line(raw_name, segment(exact, x_bounds, view), GREEN, "dash"))
    traces.append(_line("private", segment(private, x_bounds, view), BLUE, "solid", legendrank=_LAST - 1))
    across, up = ({"title": {"text": name}, "range": list(ends), "nticks": 6} for name, ends in zip(names, view, strict=True))
    return drawn.figure(traces, x=across, y=up, legend=drawn.IN_TWO_COLUMNS)


def _simulated(
    raw: FloatArray, records: Database, uncentred: Callable[[FloatArray], FloatArray], rng: Any, noise: Any, size: int
) -> FloatArray:
    return uncentred(noise.simulate(raw, size=size, rng=rng, database=records))


def _view(features: FloatArray, x_bounds: Box) -> Box:
    """What all records are in, with a margin."""
    ends = []
    for values, bounds in zip(features.T, x_bounds, strict=True):
        low, high = (float(values.min()), float(values.max())) if np.ptp(values) > 0 else bounds
        ends.append((low - _MARGIN * (high - low), high + _MARGIN * (high - low)))
    return ends[0], ends[1]


def _fan(segments: list[FloatArray]) -> dict[str, Any]:
    """One trace, a gap between any two of its lines."""
    x, y = np.concatenate([part for one in segments for part in (one, _NOWHERE)] or [_NOWHERE]).T
    name = f"{FAN} more private" if len(segments) == FAN else f"{len(segments)} of {FAN} more seen"
    return line(name, x, y, BLUE, line={"width": 1}, opacity=0.6, hoverinfo="skip", legendrank=_LAST)


def _line(name: str, found: FloatArray | None, colour: str, dash: str, **more: Any) -> dict[str, Any]:
    x, y = (_NOWHERE if found is None else found).T
    return line(name + _HIDDEN * (found is None), x, y, colour, line={"dash": dash}, **more)


def segment(answer: FloatArray, x_bounds: Box, view: Box) -> FloatArray | None:
    """The two points in which w·x + b = 0 leaves the view, in the columns' units: (2, 2), or None where it is not in it."""
    (left, right), (bottom, top) = view
    corners = np.array([[left, bottom], [right, bottom], [right, top], [left, top]])
    lows, highs = np.array(x_bounds).T
    heights = (corners - lows) / (highs - lows) @ answer[:2] + answer[2]
    points = []
    for i in range(4):
        here, there = heights[i], heights[i - 1]
        if (here > 0) != (there > 0):
            points.append(corners[i] + here / (here - there) * (corners[i - 1] - corners[i]))
    return np.array(points) if len(points) == 2 else None


_MOST_WORD = 14  # characters of a label's name in the legend


def chart(shown: Headline) -> tuple[Drawn, str]:
    """Records of both classes with the boundaries between them, and a description."""
    target, exact, answer = shown.scenario.target, shown.exact, shown.answer
    at = f"at ε = {shown.scenario.epsilon:g}"
    if not isinstance(target, ClassifierTarget) or target.dims != 2 or len(shown.columns) != 3:
        return _weights(shown), f"Possible private answers around the one {exact.of}, {at}."
    assert isinstance(answer, Classifier)
    first, second, _ = shown.columns
    short = all(len(name) <= _MOST_WORD for name in answer.classes)
    across, up = target.x_bounds
    seen = boundaries(
        exact.value,
        shown.noise,
        shown.worst,
        records=exact.database,
        x_bounds=(across, up),
        names=(first.words, second.words),
        **({"classes": answer.classes} if short else {}),
        raw_name=exact.name,
        seed=shown.scenario.seed,
        uncentred=target.uncentred,
    )
    return seen, f"Rows of two classes, the boundary {exact.of} between them, and private boundaries {at}."


def _weights(shown: Any) -> Drawn:
    """Weights and bias, without noise and of one private answer each."""
    laws = [noise.law for noise in (shown.noise, shown.worst) if noise is not None]
    private = [(shown.responses(law)[0], shown.within(law)) for law in laws]
    return beside(shown.value, private, labels=shown.answer.labels, raw_name=shown.exact.name)
