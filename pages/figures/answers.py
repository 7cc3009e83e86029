"""Charts of private answers and the exact answer: one function for each kind of answer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from dpcore.base.arrays import FloatArray
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
from pages.figures.moving import ROWS, Ranges, Rule, boundary, dots, draws_rule, noise_at, part, quantile_rule
from pages.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    VERMILION,
    Chart,
    axis,
    line,
    markers,
    names_axis,
    short,
    transparent,
    with_unit,
)

DOTS, VERSIONS = 50, 6
_LEVELS = (np.arange(DOTS) + 0.5) / DOTS
PRIVATE, EXACT = "private", "exact"
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
    if not view.released.table.public:
        for trace in chart.traces:
            trace["name"] = "exact (simulated)" if trace.get("name") == EXACT else trace.get("name")
    return chart


def axis_scale(scale: float) -> float:
    """Return the scale that determines the range of an axis: the same for all scales within a factor of four."""
    return float(_STEP ** math.ceil(math.log(scale) / math.log(_STEP) - 1e-9))


def _numbers(accuracy: NumbersAccuracy, law: Any, view: View) -> Chart:
    exact, unit, scale = accuracy.exact, accuracy.unit, law.scale
    if exact.size > 1:
        return _bars(accuracy.answer.names(exact.size), accuracy, exact, law, view)
    if isinstance(law, NoiseLaw):
        rule = quantile_rule(accuracy.law, _LEVELS)
        reach = 1.15 * accuracy.law.half_width(0.99) * axis_scale(scale)
        return _dots(view, float(exact[0]), noise_at(rule, scale), reach, unit, {"noise": rule})
    drawn = np.sort(accuracy.simulated(law, DOTS)[:, 0] - exact[0])
    return _dots(view, float(exact[0]), drawn, 1.2 * float(np.abs(drawn).max(initial=0.0)) or 1.0, unit)


def _dots(view: View, exact: float, noise: FloatArray, reach: float, unit: str, move: dict[str, Any] | None = None) -> Chart:
    x, y = dots(exact, noise, reach)
    private, name = exact + noise, f"{len(noise)} equally likely private answers"
    hover = {"customdata": private, "hovertemplate": "about %{x:.4g}<extra></extra>"}
    low, high = float(private[1]), float(private[-2])
    written = [*(f"{value:.6g}" for value in private[::7]), f"{exact:.6g} (exact)"]
    return Chart(
        title=_TITLE,
        traces=[
            markers(name, x, y, BLUE, marker={"color": BLUE, "size": 8}, **hover),
            line(EXACT, [exact, exact], [0, float(ROWS)], GREEN, dash="dash", hovertemplate="exact: %{x:.6g}<extra></extra>"),
        ],
        layout={
            "xaxis": axis(with_unit(_axis_name(view), unit), range=[exact - reach, exact + reach]),
            "yaxis": axis("", showticklabels=False, range=[0, float(ROWS)], showgrid=False),
        },
        alt=f"{name}, most from {figure(low)} to {figure(high)}; the exact answer is {figure(exact)}.",
        rows=[{"equally likely private answers": one} for one in written],
        moves=[] if move is None else [{"trace": 0, "rule": "dots", "exact": exact, "reach": reach} | move],
    )


def _exact_bars(names: Sequence[str], exact: FloatArray, **more: Any) -> dict[str, Any]:
    return {"type": "bar", "name": EXACT, "x": names, "y": exact, "marker": {"color": transparent(GREEN, 0.55)}} | more


def _intervals(names: Sequence[str], ends: FloatArray) -> dict[str, Any]:
    """Return a trace of lines between the ends, three numbers of each name, of which the last one is NaN."""
    return line("95% of private ones", np.repeat(np.array(names, dtype=object), 3), ends, GREY, hoverinfo="skip")


def _version(names: Sequence[str], private: FloatArray) -> dict[str, Any]:
    return markers("one private version", names, private, BLUE, marker={"color": BLUE, "size": 8})


def _bars(labels: Sequence[str], accuracy: Any, exact: FloatArray, law: Any, view: View) -> Chart:
    """Return bars of exact numbers, with intervals that hold 95% of private ones."""
    interval: Rule = {"kind": "unit", "unit": np.array([-1.0, 1.0, np.nan])}
    if isinstance(law, NoiseLaw):
        interval = quantile_rule(accuracy.law, np.array([(1 - SHARE_WITHIN) / 2, (1 + SHARE_WITHIN) / 2, math.nan]))
    every = {key: value if key == "kind" else np.tile(value, exact.size) for key, value in interval.items()}
    drawn = part(draws_rule(accuracy.law, 1, exact.size, SEED), 0)
    names, centres = short(labels), np.repeat(exact, 3)
    wide, margin = (float(noise_at(interval, scale)[1]) for scale in (axis_scale(law.scale), law.scale))
    ends = [min(0.0, float(exact.min()) - wide), max(0.0, float(exact.max()) + wide)]
    return Chart(
        title=_TITLE,
        traces=[
            _exact_bars(names, exact),
            _intervals(names, centres + noise_at(every, law.scale)),
            _version(names, exact + noise_at(drawn, law.scale)),
        ],
        layout={
            "xaxis": names_axis(names),
            "yaxis": axis(with_unit(_axis_name(view), accuracy.unit), range=ends),
            "bargap": 0.25,
        },
        alt=f"{len(labels):,} exact numbers as bars, with one private version and the interval of ± {figure(margin)} "
        "that holds 95%.",
        rows=_rows("of", labels, exact, [margin] * len(labels)),
        moves=[
            {"trace": 1, "rule": "shift", "axis": "y", "base": centres, "noise": every},
            {"trace": 2, "rule": "shift", "axis": "y", "base": exact, "noise": drawn},
        ],
    )


def _rows(what: str, labels: Sequence[str], exact: FloatArray, margins: Sequence[float]) -> list[dict[str, Any]]:
    return [
        {what: name, EXACT: figure(float(value)), "±, 95%": figure(float(margin))}
        for name, value, margin in zip(labels, exact, margins, strict=True)
    ]


def _ratio(accuracy: RatioAccuracy, law: Any, view: View) -> Chart:
    offsets = np.sort(accuracy.answer.offsets(law, accuracy.exact))
    noise = offsets[(_LEVELS * len(offsets)).astype(int)]
    reach = 1.6 * accuracy.at_scale(axis_scale(law.scale))
    return _dots(view, float(accuracy.answer.value(accuracy.exact)), noise, reach, accuracy.unit)


def _grouped(accuracy: GroupedAccuracy, law: Any, view: View) -> Chart:
    centres = [np.atleast_1d(_centre(group)) for group in accuracy.groups]
    exact, each = np.concatenate(centres), len(centres[0])
    margins = np.concatenate([np.full(each, group.error(law)) for group in accuracy.groups])
    labels = [f"{group}{f' {place + 1}' if each > 1 else ''}" for group in accuracy.answer.groups for place in range(each)]
    names = short(labels)
    bounds = {"type": "data", "array": margins, "color": GREY, "thickness": 1.5, "width": 3}
    return Chart(
        title=_TITLE,
        traces=[_exact_bars(names, exact, error_y=bounds)],
        layout={"xaxis": names_axis(names), "yaxis": axis(with_unit(_axis_name(view), accuracy.unit)), "bargap": 0.25},
        alt=f"Exact answers of {len(accuracy.groups):,} groups as bars, with intervals that hold 95% of private ones.",
        rows=_rows("group", labels, exact, list(margins)),
    )


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
    likely = [(figure(float(x)), f"{y:.2%}") for x, y in zip(middles, heights, strict=True) if y > 0.001]
    return Chart(
        title=_TITLE,
        traces=[
            bars | {"hovertemplate": "about %{x:.4g}: %{y:.1%}<extra></extra>"},
            line(EXACT, [accuracy.centre] * 2, [0, 1.05 * float(heights.max(initial=0.01))], GREEN, dash="dash"),
        ],
        layout={
            "xaxis": axis(with_unit(_axis_name(view), accuracy.unit), range=[low, high]),
            "yaxis": axis("how likely", tickformat="~%", rangemode="tozero"),
            "bargap": 0,
        },
        alt=f"How likely each private answer is; the exact one is {figure(accuracy.centre)}.",
        rows=[{"private answer, about": about, "how likely": chance} for about, chance in likely],
    )


def _choice(accuracy: ChoiceAccuracy, law: Any, view: View) -> Chart:
    chances = law.probabilities(accuracy.exact)
    names, what = short(accuracy.answer.labels), "how likely it is chosen"
    colours = [GREEN if place in set(accuracy.best) else BLUE for place in range(len(names))]
    bars = {"type": "bar", "name": what, "x": names, "y": chances, "marker": {"color": colours}, "showlegend": False}
    gumbel = isinstance(law, SelectionLaw) and law.selection == "gumbel"
    return Chart(
        title=_TITLE,
        traces=[bars | {"hovertemplate": "%{x}: %{y:.1%}<extra></extra>"}],
        layout={
            "xaxis": names_axis(names, "best in green", dtick=1, tickangle=0, automargin=False),
            "yaxis": axis(what, tickformat="~%", range=[0, 1]),
        },
        alt=f"How likely each of {len(names)} candidates is chosen; "
        f"best: {', '.join(names[place] for place in accuracy.best[:3])}.",
        rows=[
            {"candidate": name, "score": figure(float(score)), "how likely": f"{chance:.2%}"}
            for name, score, chance in zip(accuracy.answer.labels, accuracy.exact, chances, strict=True)
        ],
        moves=[{"trace": 0, "rule": "softmax", "scores": accuracy.exact}] if gumbel else [],
    )


def _scattered(x: FloatArray, y: FloatArray) -> dict[str, Any]:
    return markers("rows", x, y, GREY, marker={"color": transparent(GREY, 0.45), "size": 4})


def _versions(name: str, lines: Sequence[tuple[Any, Any]], color: str = BLUE, opacity: float = 0.5) -> list[dict[str, Any]]:
    """Return private lines, given by their x and y, with one entry in the legend."""
    more: dict[str, Any] = {"opacity": opacity, "legendgroup": PRIVATE}
    return [line(name, x, y, color, showlegend=place == 0, **more) for place, (x, y) in enumerate(lines)]


def _curve(accuracy: CurveAccuracy, law: Any, view: View) -> Chart:
    x, few, clip = accuracy.points[:, 0], accuracy.noise_curves[:VERSIONS], law.clip
    private = accuracy.polynomial + law.scale * few
    far = axis_scale(law.scale) * float(np.quantile(np.abs(accuracy.noise_curves), 0.9))
    traces, heights, database = [], accuracy.curve, accuracy.database
    if database.dtype.names is None and database.ndim == 2 and database.shape[1] == 2:  # a regression; a density has one column
        records = database[np.random.default_rng(SEED).permutation(len(database))[:_POINTS]]
        traces.append(_scattered(records[:, 0], records[:, 1]))
        heights = np.concatenate([heights, records[:, 1]])
    begin = len(traces)
    shown = private if clip is None else np.clip(private, *clip)
    traces += _versions(f"{VERSIONS} private curves", [(x, one) for one in shown])
    traces.append(line(EXACT, x, accuracy.curve, GREEN, dash="dash"))
    shift = {"rule": "shift", "axis": "y", "base": accuracy.polynomial, "clip": clip}
    across, up = (*(with_unit(column.label or column.name, column.unit) for column in accuracy.columns), "density")[:2]
    return Chart(
        title=_TITLE,
        traces=traces,
        layout={"xaxis": axis(across), "yaxis": axis(up, range=[float(heights.min()) - far, float(heights.max()) + far])},
        alt=f"The exact curve with {VERSIONS} private versions of it, over {across or 'its domain'}.",
        rows=[
            {across or "at": figure(float(at)), EXACT: figure(float(exact)), PRIVATE: figure(float(one))}
            for at, exact, one in zip(x[::10], accuracy.curve[::10], private[0, ::10], strict=True)
        ],
        moves=[{"trace": begin + place, "noise": {"kind": "unit", "unit": one}} | shift for place, one in enumerate(few)],
    )


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
    names, room = list(accuracy.answer.labels), 0.25 * (float(np.ptp(labels)) or 1.0)
    others = " (others at their means)" if features.shape[1] > 1 else ""
    up = with_unit(accuracy.answer.predicted, accuracy.unit)
    return Chart(
        title=_TITLE,
        traces=[
            _scattered(features[few, strongest], labels[few]),
            *_versions(f"{VERSIONS} private lines", [(x, height(one)) for one in lines]),
            line(EXACT, x, height(exact), GREEN, dash="dash"),
        ],
        layout={
            "xaxis": axis(f"{names[strongest]}{others}"),
            "yaxis": axis(up, range=[labels.min() - room, labels.max() + room]),
        },
        alt=f"The exact line with {VERSIONS} private versions, over {names[strongest]}, with the rows.",
        rows=[
            {"of": name, EXACT: figure(float(value)), PRIVATE: figure(float(other))}
            for name, value, other in zip(names, exact, lines[0], strict=True)
        ],
    )


def _classifier(accuracy: ClassifierAccuracy, law: Any, view: View) -> Chart:
    exact, names = accuracy.answer.weights(accuracy.weights), list(accuracy.answer.labels)
    rows, target = accuracy.rows[:_POINTS], cast(Any, accuracy.scenario.target)
    prepared, classes = target.prepared(rows)
    low, high = np.array(accuracy.answer.spans or tuple(target.x_bounds), dtype=np.float64).T
    if len(low) < 2:
        return _bars(names, accuracy, accuracy.weights, law, view)
    features, middles = low + (high - low) * prepared, (low + high) / 2  # in their own units
    strongest = np.argsort(-np.abs(exact[:-1]) * (high - low), kind="stable")[:2]
    first, second = sorted(int(place) for place in strongest)
    ranges: Ranges = ((float(low[first]), float(high[first])), (float(low[second]), float(high[second])))

    def plane(weights: FloatArray) -> FloatArray:
        """Return the weights of the two features in the chart, and the bias with the others at the middle of their bounds."""
        rest = float(weights[:-1] @ middles) - float(weights[first] * middles[first] + weights[second] * middles[second])
        return np.array([weights[first], weights[second], weights[-1] + rest])

    traces = []
    for number, (colour, symbol) in enumerate(((VERMILION, "circle"), (BLUE, "x-thin"))):
        inside, edge = classes == number, {"width": 1 if number else 0, "color": colour}
        marker = {"color": transparent(colour, 0.75), "size": 5, "symbol": symbol, "line": edge}
        name = _abridged(accuracy.answer.classes[number])
        traces.append(markers(name, features[inside, first], features[inside, second], colour, marker=marker))
    moves = []
    if accuracy.in_scale:
        base = plane(exact)
        unit = accuracy.answer.weights(accuracy.exact + draws_rule(accuracy.law, VERSIONS, accuracy.exact.size, SEED)["unit"])
        away = np.array([plane(one) - base for one in unit])
        private = base + law.scale * away
        rule = {"rule": "boundary", "base": base, "ranges": ranges}
        moves = [{"trace": len(traces) + place, "unit": one} | rule for place, one in enumerate(away)]
    else:
        private = np.array([plane(one) for one in accuracy.answer.weights(accuracy.simulated(law, VERSIONS))])
    traces += _versions(f"{VERSIONS} private", [boundary(one, ranges) for one in private], GREY, 0.7)
    traces.append(line(EXACT, *boundary(plane(exact), ranges), GREEN, dash="dash"))
    rest = " (others at the middle)" if len(low) > 2 else ""
    numbers = [{"of": name, EXACT: figure(float(value))} for name, value in zip(names, exact, strict=True)]
    return Chart(
        title=_TITLE,
        traces=traces,
        layout={
            "xaxis": axis(f"{names[first]}{rest}", range=list(ranges[0])),
            "yaxis": axis(names[second], range=list(ranges[1])),
        },
        alt=f"Rows of two classes over {names[first]} and {names[second]}, the exact boundary and {VERSIONS} private ones.",
        rows=numbers,
        moves=moves,
    )


def _abridged(name: str) -> str:
    """Return the name of a class for a legend of one line; names of two classes often differ at their ends."""
    return name if len(name) <= _LONGEST else f"{name[: _LONGEST - 9]}…{name[-8:]}"


def _matrix(accuracy: MatrixAccuracy, law: Any, view: View) -> Chart:
    """Return two heat maps with one colour scale, exact and private."""
    names = short(accuracy.answer.labels, 9)
    most = float(max(np.abs(accuracy.matrix).max(initial=0.0), 1e-300))
    exact, private = accuracy.matrix, accuracy.matrices(law, 1)[0]
    shared: dict[str, Any] = {"type": "heatmap", "x": names, "y": names, "colorscale": "RdBu", "zmin": -most, "zmax": most}
    shared |= {"texttemplate": "%{z:.2g}"} if len(names) <= 5 else {}
    notes = [
        {"text": name, "x": place, "y": 1.01, "xref": "paper", "yref": "paper", "showarrow": False, "yanchor": "bottom"}
        for name, place in ((EXACT, 0.22), (PRIVATE, 0.78))
    ]
    bare = {"showgrid": False, "automargin": True}
    up = bare | {"autorange": "reversed"}
    few = range(min(len(names), 5))
    return Chart(
        title=_TITLE,
        traces=[
            shared | {"z": exact, "name": EXACT, "showscale": False},
            shared | {"z": private, "name": PRIVATE, "xaxis": "x2", "yaxis": "y2", "colorbar": {"thickness": 10}},
        ],
        layout={
            "xaxis": axis("", domain=[0, 0.46], **bare),
            "yaxis": axis("", **up),
            "xaxis2": axis("", domain=[0.54, 1], anchor="y2", **bare),
            "yaxis2": axis("", showticklabels=False, anchor="x2", **up),
            "annotations": notes,
        },
        alt="The exact values and one private version as heat maps.",
        rows=[
            {"row": names[i], "column": names[j], EXACT: figure(float(exact[i, j])), PRIVATE: figure(float(private[i, j]))}
            for i in few
            for j in few
        ],
    )


def _loadings(accuracy: LoadingsAccuracy, law: Any, view: View) -> Chart:
    names, exact = short([*accuracy.answer.labels, "share of variance"]), accuracy.exact
    drawn = accuracy.directions(law)
    low, high = np.quantile(drawn, [(1 - SHARE_WITHIN) / 2, (1 + SHARE_WITHIN) / 2], axis=0)
    ends = np.column_stack([low, high, np.full(len(low), np.nan)]).ravel()
    return Chart(
        title=_TITLE,
        traces=[_exact_bars(names, exact), _intervals(names, ends), _version(names, drawn[0])],
        layout={"xaxis": names_axis(names), "yaxis": axis("loading", range=[-1.1, 1.1]), "bargap": 0.25},
        alt="The exact loadings as bars, with one private version and intervals that hold 95%.",
        rows=[
            {"of": name, EXACT: figure(float(value)), "95% of private ones": f"{figure(float(one))} to {figure(float(other))}"}
            for name, value, one, other in zip(names, exact, low, high, strict=True)
        ],
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
