"""Charts of private answers and the exact answer: one function for each kind of answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment.accuracy import (
    SEED,
    Accuracy,
    ChoiceAccuracy,
    ClassifierAccuracy,
    CurveAccuracy,
    GroupedAccuracy,
    LineAccuracy,
    LoadingsAccuracy,
    MatrixAccuracy,
    NumbersAccuracy,
    PlaceAccuracy,
    RatioAccuracy,
)
from pages.experiment.view import View
from pages.figures.moving import ROWS, Ranges, boundary, dots, draws_rule, noise_at, part, quantile_rule
from pages.figures.theme import BLUE, GREEN, GREY, VERMILION, Chart, axis, line, markers, short, transparent, with_unit

DOTS, VERSIONS = 50, 6
PRIVATE, EXACT = "private", "exact"
_MOST_NAMES = 30  # bars with legible names
_LONGEST = 16  # characters of a class in the legend
_POINTS = 400  # records in a chart
_STEP = 4.0  # the axis keeps its range while the noise's scale stays within a factor of this
_BINS = 60


def answers_chart(view: View) -> Chart:
    """Return the private answers of a view and the exact answer.

    Args:
        view: A view with noise.
    """
    accuracy = view.released.accuracy
    noise: Any = view.noise
    chart = _KINDS[type(accuracy)](accuracy, noise.law, view)
    if view.released.exact.simulated:
        for trace in chart.traces:
            trace["name"] = "exact (simulated)" if trace.get("name") == EXACT else trace.get("name")
    return chart


def axis_scale(scale: float) -> float:
    """Return the scale that determines the range of an axis: the same for all scales within a factor of four."""
    return float(_STEP ** math.ceil(math.log(scale) / math.log(_STEP) - 1e-9))


def _numbers(accuracy: NumbersAccuracy, law: Any, view: View) -> Chart:
    exact, unit = accuracy.exact, accuracy.unit
    scale = law.scale
    if exact.size == 1 and isinstance(law, NoiseLaw):
        levels = (np.arange(DOTS) + 0.5) / DOTS
        rule = quantile_rule(accuracy.law, levels)
        reach = 1.15 * accuracy.law.half_width(0.99) * axis_scale(scale)
        return _dots(_axis_name(view), float(exact[0]), noise_at(rule, scale), reach, unit, {"noise": rule})
    if exact.size == 1:
        drawn = np.sort(accuracy.simulated(law, DOTS)[:, 0] - exact[0])
        return _dots(_axis_name(view), float(exact[0]), drawn, 1.2 * float(np.abs(drawn).max(initial=0.0)) or 1.0, unit)
    labels = accuracy.answer.names(exact.size)
    return _bars(_axis_name(view), labels, exact, accuracy, law, unit)


def _dots(name: str, exact: float, noise: FloatArray, reach: float, unit: str, move: dict[str, Any] | None = None) -> Chart:
    x, y = dots(exact, noise, reach)
    top = float(ROWS)
    hover = {"customdata": exact + noise, "hovertemplate": "about %{x:.4g}<extra></extra>"}
    traces = [
        markers(f"{len(noise)} equally likely private answers", x, y, BLUE, marker={"color": BLUE, "size": 8}, **hover),
        line(EXACT, [exact, exact], [0, top], GREEN, dash="dash", hovertemplate="exact: %{x:.6g}<extra></extra>"),
    ]
    layout = {
        "xaxis": axis(with_unit(name, unit), range=[exact - reach, exact + reach]),
        "yaxis": axis("", showticklabels=False, range=[0, top], showgrid=False),
    }
    moves = [] if move is None else [{"trace": 0, "rule": "dots", "exact": exact, "reach": reach} | move]
    low, high = float(exact + noise[1]), float(exact + noise[-2])
    many = f"{len(noise)} equally likely private answers"
    alt = f"{many}, most from {figure(low)} to {figure(high)}; the exact answer is {figure(exact)}."
    rows = [{"equally likely private answers": f"{value:.6g}"} for value in (exact + noise)[::7]] + [
        {"equally likely private answers": f"{exact:.6g} (exact)"}
    ]
    return Chart(_TITLE, traces, layout, alt, rows, moves)


def _bars(name: str, labels: Sequence[str], exact: FloatArray, accuracy: Accuracy, law: Any, unit: str) -> Chart:
    levels = np.array([(1 - SHARE_WITHIN) / 2, (1 + SHARE_WITHIN) / 2, math.nan])
    interval = (
        quantile_rule(accuracy.law, levels)
        if isinstance(law, NoiseLaw)
        else {"kind": "unit", "unit": np.array([-1.0, 1.0, np.nan])}
    )
    drawn = draws_rule(accuracy.law, 1, exact.size, SEED)
    names = short(labels)
    centres = np.repeat(exact, 3)
    every: dict[str, Any] = {
        key: value if key == "kind" else np.tile(np.asarray(value), exact.size) for key, value in interval.items()
    }
    across = np.repeat(np.array(names, dtype=object), 3)
    wide = noise_at(interval, axis_scale(law.scale))[1]
    low, high = min(0.0, float(exact.min()) - wide), max(0.0, float(exact.max()) + wide)
    traces = [
        {"type": "bar", "name": EXACT, "x": names, "y": exact, "marker": {"color": transparent(GREEN, 0.55)}},
        line("95% of private ones", across, centres + noise_at(every, law.scale), GREY, hoverinfo="skip"),
        markers(
            "one private version", names, exact + noise_at(part(drawn, 0), law.scale), BLUE, marker={"color": BLUE, "size": 8}
        ),
    ]
    layout = {
        "xaxis": axis("", type="category", showticklabels=len(names) <= _MOST_NAMES, automargin=True),
        "yaxis": axis(with_unit(name, unit), range=[low, high]),
        "bargap": 0.25,
    }
    moves = [
        {"trace": 1, "rule": "shift", "axis": "y", "base": centres, "noise": every},
        {"trace": 2, "rule": "shift", "axis": "y", "base": exact, "noise": part(drawn, 0)},
    ]
    margin = float(noise_at(interval, law.scale)[1])
    return Chart(_TITLE, traces, layout, _alt_of_bars(labels, margin), _rows(labels, exact, margin), moves)


def _alt_of_bars(labels: Sequence[str], margin: float) -> str:
    return (
        f"{len(labels):,} exact numbers as bars, with one private version and the interval of ± {figure(margin)} that holds 95%."
    )


def _rows(labels: Sequence[str], exact: FloatArray, margin: float) -> list[dict[str, Any]]:
    return [
        {"of": name, EXACT: figure(float(value)), "±, 95%": figure(margin)} for name, value in zip(labels, exact, strict=True)
    ]


def _ratio(accuracy: RatioAccuracy, law: Any, view: View) -> Chart:
    exact = float(accuracy.answer.value(accuracy.exact))
    offsets = np.sort(accuracy.answer.offsets(law, accuracy.exact))
    noise = offsets[((np.arange(DOTS) + 0.5) / DOTS * len(offsets)).astype(int)]
    reach = 1.6 * accuracy.at_scale(axis_scale(law.scale))
    return _dots(_axis_name(view), exact, noise, reach, accuracy.unit)


def _grouped(accuracy: GroupedAccuracy, law: Any, view: View) -> Chart:
    exact = np.concatenate([np.atleast_1d(_centre(group)) for group in accuracy.groups])
    margins = np.concatenate([np.full(np.size(_centre(group)), group.error(law)) for group in accuracy.groups])
    each = len(exact) // len(accuracy.groups)
    labels = [f"{group}{f' {place + 1}' if each > 1 else ''}" for group in accuracy.answer.groups for place in range(each)]
    names = short(labels)
    bounds = {"type": "data", "array": margins, "color": GREY, "thickness": 1.5, "width": 3}
    traces = [
        {"type": "bar", "name": EXACT, "x": names, "y": exact, "marker": {"color": transparent(GREEN, 0.55)}, "error_y": bounds}
    ]
    layout = {
        "xaxis": axis("", type="category", showticklabels=len(names) <= _MOST_NAMES, automargin=True),
        "yaxis": axis(with_unit(_axis_name(view), accuracy.unit)),
        "bargap": 0.25,
    }
    rows = [
        {"group": name, EXACT: figure(float(value)), "±, 95%": figure(float(margin))}
        for name, value, margin in zip(labels, exact, margins, strict=True)
    ]
    alt = f"Exact answers of {len(accuracy.groups):,} groups as bars, with intervals that hold 95% of private ones."
    return Chart(_TITLE, traces, layout, alt, rows)


def _centre(group: Accuracy) -> Any:
    if isinstance(group, RatioAccuracy):
        return group.answer.value(group.exact)
    return group.centre if isinstance(group, PlaceAccuracy) else group.exact


def _place(accuracy: PlaceAccuracy, law: Any, view: View) -> Chart:
    chances = law.probabilities(accuracy.exact)
    reach = 1.8 * accuracy.at_scale(axis_scale(law.scale)) or float(np.ptp(accuracy.places)) / 2
    low = max(accuracy.centre - reach, float(accuracy.places[0]))
    high = min(accuracy.centre + reach, float(accuracy.places[-1]))
    edges = np.linspace(low, high, _BINS + 1)
    heights = np.histogram(accuracy.places, bins=edges, weights=chances)[0]
    middles = (edges[:-1] + edges[1:]) / 2
    bars = {"type": "bar", "name": PRIVATE, "x": middles, "y": heights, "marker": {"color": BLUE}, "width": edges[1] - edges[0]}
    traces = [
        bars | {"hovertemplate": "about %{x:.4g}: %{y:.1%}<extra></extra>"},
        line(EXACT, [accuracy.centre] * 2, [0, 1.05 * float(heights.max(initial=0.01))], GREEN, dash="dash"),
    ]
    layout = {
        "xaxis": axis(with_unit(_axis_name(view), accuracy.unit), range=[low, high]),
        "yaxis": axis("how likely", tickformat="~%", rangemode="tozero"),
        "bargap": 0,
    }
    rows = [
        {"private answer, about": figure(float(x)), "how likely": f"{y:.2%}"}
        for x, y in zip(middles, heights, strict=True)
        if y > 0.001
    ]
    alt = f"How likely each private answer is; the exact one is {figure(accuracy.centre)}."
    return Chart(_TITLE, traces, layout, alt, rows)


def _choice(accuracy: ChoiceAccuracy, law: Any, view: View) -> Chart:
    chances = law.probabilities(accuracy.exact)
    names = short(accuracy.answer.labels)
    colours = [GREEN if place in set(accuracy.best) else BLUE for place in range(len(names))]
    bars = {"type": "bar", "x": names, "y": chances, "marker": {"color": colours}, "showlegend": False}
    traces = [bars | {"hovertemplate": "%{x}: %{y:.1%}<extra></extra>", "name": "how likely it is chosen"}]
    layout = {
        "xaxis": axis("best in green", type="category", showticklabels=len(names) <= _MOST_NAMES, dtick=1, tickangle=0),
        "yaxis": axis("how likely it is chosen", tickformat="~%", range=[0, 1]),
    }
    gumbel = isinstance(law, SelectionLaw) and law.selection == "gumbel"
    moves = [{"trace": 0, "rule": "softmax", "scores": accuracy.exact}] if gumbel else []
    rows = [
        {"candidate": name, "score": figure(float(score)), "how likely": f"{chance:.2%}"}
        for name, score, chance in zip(accuracy.answer.labels, accuracy.exact, chances, strict=True)
    ]
    alt = f"How likely each of {len(names)} candidates is chosen; best: {', '.join(names[place] for place in accuracy.best[:3])}."
    return Chart(_TITLE, traces, layout, alt, rows, moves)


def _curve(accuracy: CurveAccuracy, law: Any, view: View) -> Chart:
    target = cast(Any, accuracy.scenario.target)
    if len(target.domain) > 1:
        return _surface(accuracy, law)
    x = accuracy.points[:, 0]
    few = accuracy.noise_curves[:VERSIONS]
    private = accuracy.polynomial + law.scale * few
    clip = law.clip
    points = _records(accuracy)
    far = axis_scale(law.scale) * float(np.quantile(np.abs(accuracy.noise_curves), 0.9))
    low = float(min(accuracy.curve.min(), points[1].min() if points else np.inf)) - far
    high = float(max(accuracy.curve.max(), points[1].max() if points else -np.inf)) + far
    traces = [] if points is None else [markers("rows", *points, GREY, marker={"color": transparent(GREY, 0.45), "size": 4})]
    begin = len(traces)
    for place, one in enumerate(private if clip is None else np.clip(private, *clip)):
        traces.append(line(f"{VERSIONS} private curves", x, one, BLUE, opacity=0.5, showlegend=place == 0, legendgroup=PRIVATE))
    traces.append(line(EXACT, x, accuracy.curve, GREEN, dash="dash"))
    moves = [
        {
            "trace": begin + place,
            "rule": "shift",
            "axis": "y",
            "base": accuracy.polynomial,
            "noise": {"kind": "unit", "unit": one},
        }
        | {"clip": clip}
        for place, one in enumerate(few)
    ]
    titles = _axis_titles(accuracy, ("", "density"))
    layout = {"xaxis": axis(titles[0]), "yaxis": axis(titles[1], range=[low, high])}
    rows = [
        {
            titles[0] or "at": figure(float(x[place])),
            EXACT: figure(float(accuracy.curve[place])),
            PRIVATE: figure(float(private[0, place])),
        }
        for place in range(0, len(x), 10)
    ]
    alt = f"The exact curve with {VERSIONS} private versions of it, over {titles[0] or 'its domain'}."
    return Chart(_TITLE, traces, layout, alt, rows, moves)


def _surface(accuracy: CurveAccuracy, law: Any) -> Chart:
    side = round(math.sqrt(len(accuracy.points)))
    private = accuracy.polynomial + law.scale * accuracy.noise_curves[0]
    x, y = accuracy.points[:side, 0], accuracy.points[::side, 1]
    titles = _axis_titles(accuracy, ("", ""))
    pair = (accuracy.curve.reshape(side, side), private.reshape(side, side))
    chart = _two_maps(x, y, pair, "Viridis", (float(pair[0].min()), float(pair[0].max())))
    chart.layout["xaxis"]["title"]["text"] = titles[0]
    chart.layout["yaxis"]["title"]["text"] = titles[1]
    return chart


def _records(accuracy: CurveAccuracy) -> tuple[FloatArray, FloatArray] | None:
    """Return the records that a regression is fitted to; None for a density, which has one column."""
    database = accuracy.database
    if database.dtype.names is not None or database.ndim != 2 or database.shape[1] != 2:
        return None
    few = database[np.random.default_rng(SEED).permutation(len(database))[:_POINTS]]
    return few[:, 0], few[:, 1]


def _axis_titles(accuracy: Accuracy, otherwise: tuple[str, str]) -> tuple[str, str]:
    names = [with_unit(column.label or column.name, column.unit) for column in accuracy.columns]
    return (names[0] if names else otherwise[0], names[1] if len(names) > 1 else otherwise[1])


def _line(accuracy: LineAccuracy, law: Any, view: View) -> Chart:
    features, labels = accuracy.data
    lines, exact = accuracy.lines(law, VERSIONS), accuracy.line
    strongest = int(np.argmax(np.abs(exact[:-1]) * features.std(axis=0))) if features.shape[1] > 1 else 0
    middles = features.mean(axis=0)
    x = np.array([features[:, strongest].min(), features[:, strongest].max()])

    def height(one: FloatArray) -> FloatArray:
        """Return the line over one feature, with the others at their means."""
        rest = float(one[:-1] @ middles - one[strongest] * middles[strongest] + one[-1])
        return np.asarray(one[strongest] * x + rest)

    few = np.random.default_rng(SEED).permutation(len(labels))[:_POINTS]
    traces = [markers("rows", features[few, strongest], labels[few], GREY, marker={"color": transparent(GREY, 0.45), "size": 4})]
    for place, one in enumerate(lines):
        traces.append(
            line(f"{VERSIONS} private lines", x, height(one), BLUE, opacity=0.5, showlegend=place == 0, legendgroup=PRIVATE)
        )
    traces.append(line(EXACT, x, height(exact), GREEN, dash="dash"))
    names = list(accuracy.answer.labels)
    others = " (others at their means)" if features.shape[1] > 1 else ""
    spread = float(np.ptp(labels)) or 1.0
    layout = {
        "xaxis": axis(f"{names[strongest]}{others}"),
        "yaxis": axis(
            with_unit(accuracy.answer.predicted, accuracy.unit),
            range=[labels.min() - 0.25 * spread, labels.max() + 0.25 * spread],
        ),
    }
    rows = [
        {"of": name, EXACT: figure(float(value)), PRIVATE: figure(float(other))}
        for name, value, other in zip(names, exact, lines[0], strict=True)
    ]
    alt = f"The exact line with {VERSIONS} private versions, over {names[strongest]}, with the rows."
    return Chart(_TITLE, traces, layout, alt, rows)


def _classifier(accuracy: ClassifierAccuracy, law: Any, view: View) -> Chart:
    exact = accuracy.answer.own(accuracy.weights)
    features, classes, ranges = _classified(accuracy)
    order = np.argsort(-np.abs(exact[:-1]) * np.array([high - low for low, high in ranges]), kind="stable")[:2]
    first, second = sorted(int(place) for place in order) if len(ranges) > 1 else (0, 0)
    names = list(accuracy.answer.labels)
    if len(ranges) < 2:
        return _bars(_axis_name(view), names, accuracy.weights, accuracy, law, "")
    shown: Ranges = (ranges[first], ranges[second])
    middles = np.array([(low + high) / 2 for low, high in ranges])

    def plane(weights: FloatArray) -> FloatArray:
        """Return the weights of the two features in the chart, and the bias with the others at the middle of their bounds."""
        rest = float(weights[:-1] @ middles) - float(weights[first] * middles[first] + weights[second] * middles[second])
        return np.array([weights[first], weights[second], weights[-1] + rest])

    traces = []
    for number, (colour, symbol) in enumerate(((VERMILION, "circle"), (BLUE, "x-thin"))):
        inside = classes == number
        marker = {
            "color": transparent(colour, 0.75),
            "size": 5,
            "symbol": symbol,
            "line": {"width": 1 if number else 0, "color": colour},
        }
        name = _abridged(accuracy.answer.classes[number])
        traces.append(markers(name, features[inside, first], features[inside, second], colour, marker=marker))
    begin, moves = len(traces), []
    if accuracy.in_scale:
        base = plane(exact)
        unit = accuracy.answer.own(accuracy.exact + draws_rule(accuracy.law, VERSIONS, accuracy.exact.size, SEED)["unit"])
        away = np.array([plane(one) - base for one in unit])
        private = base + law.scale * away
        moves = [
            {"trace": begin + place, "rule": "boundary", "base": base, "unit": one, "ranges": shown}
            for place, one in enumerate(away)
        ]
    else:
        private = np.array([plane(one) for one in accuracy.answer.own(accuracy.simulated(law, VERSIONS))])
    for place, one in enumerate(private):
        across, up = boundary(one, shown)
        traces.append(line(f"{VERSIONS} private", across, up, GREY, opacity=0.7, showlegend=place == 0, legendgroup=PRIVATE))
    traces.append(line(EXACT, *boundary(plane(exact), shown), GREEN, dash="dash"))
    rest = " (others at the middle)" if len(ranges) > 2 else ""
    layout = {
        "xaxis": axis(f"{names[first]}{rest}", range=list(shown[0])),
        "yaxis": axis(names[second], range=list(shown[1])),
    }
    rows = [{"of": name, EXACT: figure(float(value))} for name, value in zip(names, exact, strict=True)]
    alt = f"Rows of two classes over {names[first]} and {names[second]}, the exact boundary and {VERSIONS} private ones."
    return Chart(_TITLE, traces, layout, alt, rows, moves)


def _abridged(name: str) -> str:
    """Return the name of a class for a legend of one line; names of two classes often differ at their ends."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]}…{name[-8:]}"


def _classified(accuracy: ClassifierAccuracy) -> tuple[FloatArray, FloatArray, list[tuple[float, float]]]:
    """Return features in their own units, classes, and bounds of each feature, for the rows in the chart."""
    target = cast(Any, accuracy.scenario.target)
    rows = accuracy.rows[:_POINTS]
    features, classes = target.prepared(rows)
    spans = accuracy.answer.spans or tuple(target.x_bounds)
    low, high = np.array(spans).T
    return (
        low + (high - low) * features,
        np.asarray(classes, dtype=np.float64),
        [(float(one), float(other)) for one, other in spans],
    )


def _matrix(accuracy: MatrixAccuracy, law: Any, view: View) -> Chart:
    names = short(accuracy.answer.labels, 9)
    private = accuracy.matrices(law, 1)[0]
    most = float(max(np.abs(accuracy.matrix).max(initial=0.0), 1e-300))
    chart = _two_maps(names, names, (accuracy.matrix, private), "RdBu", (-most, most), numbers=len(names) <= 5)
    chart.layout["yaxis"]["autorange"] = "reversed"
    chart.layout["yaxis2"]["autorange"] = "reversed"
    return chart


def _two_maps(
    x: Any, y: Any, pair: tuple[FloatArray, FloatArray], colours: str, ends: tuple[float, float], numbers: bool = False
) -> Chart:
    """Return two heat maps with one colour scale, exact and private."""
    shared = {"type": "heatmap", "x": x, "y": y, "colorscale": colours, "zmin": ends[0], "zmax": ends[1]}
    shared |= {"texttemplate": "%{z:.2g}"} if numbers else {}
    traces = [
        shared | {"z": pair[0], "name": EXACT, "showscale": False},
        shared | {"z": pair[1], "name": PRIVATE, "xaxis": "x2", "yaxis": "y2", "colorbar": {"thickness": 10}},
    ]
    titles = [
        {"text": name, "x": place, "y": 1.01, "xref": "paper", "yref": "paper", "showarrow": False, "yanchor": "bottom"}
        for name, place in ((EXACT, 0.22), (PRIVATE, 0.78))
    ]
    bare = {"showgrid": False, "automargin": True}
    layout = {
        "xaxis": axis("", domain=[0, 0.46], **bare),
        "yaxis": axis("", **bare),
        "xaxis2": axis("", domain=[0.54, 1], anchor="y2", **bare),
        "yaxis2": axis("", showticklabels=False, anchor="x2", **bare),
        "annotations": titles,
    }
    rows = [
        {"row": str(y[i]), "column": str(x[j]), EXACT: figure(float(pair[0][i, j])), PRIVATE: figure(float(pair[1][i, j]))}
        for i in range(min(len(y), 5))
        for j in range(min(len(x), 5))
    ]
    return Chart(_TITLE, traces, layout, "The exact values and one private version as heat maps.", rows)


def _loadings(accuracy: LoadingsAccuracy, law: Any, view: View) -> Chart:
    names = short([*accuracy.answer.labels, "share of variance"])
    drawn = accuracy.directions(law)
    low, high = np.quantile(drawn, [(1 - SHARE_WITHIN) / 2, (1 + SHARE_WITHIN) / 2], axis=0)
    exact = accuracy.exact
    across = np.repeat(np.array(names, dtype=object), 3)
    ends = np.column_stack([low, high, np.full(len(low), np.nan)]).ravel()
    traces = [
        {"type": "bar", "name": EXACT, "x": names, "y": exact, "marker": {"color": transparent(GREEN, 0.55)}},
        line("95% of private ones", across, ends, GREY, hoverinfo="skip"),
        markers("one private version", names, drawn[0], BLUE, marker={"color": BLUE, "size": 8}),
    ]
    layout = {
        "xaxis": axis("", type="category", showticklabels=len(names) <= _MOST_NAMES, automargin=True),
        "yaxis": axis("loading", range=[-1.1, 1.1]),
        "bargap": 0.25,
    }
    rows = [
        {"of": name, EXACT: figure(float(value)), "95% of private ones": f"{figure(float(one))} to {figure(float(other))}"}
        for name, value, one, other in zip(names, exact, low, high, strict=True)
    ]
    return Chart(
        _TITLE, traces, layout, "The exact loadings as bars, with one private version and intervals that hold 95%.", rows
    )


_TITLE = "Private and exact answers"
_KINDS: dict[type, Callable[[Any, Any, View], Chart]] = {
    NumbersAccuracy: _numbers,
    RatioAccuracy: _ratio,
    GroupedAccuracy: _grouped,
    PlaceAccuracy: _place,
    ChoiceAccuracy: _choice,
    CurveAccuracy: _curve,
    LineAccuracy: _line,
    ClassifierAccuracy: _classifier,
    MatrixAccuracy: _matrix,
    LoadingsAccuracy: _loadings,
}


def _axis_name(view: View) -> str:
    """Return the title of the axis of answers."""
    labels = view.released.answer.labels
    return labels[0] if len(labels) == 1 else "answer"
