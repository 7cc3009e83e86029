"""The charts of Explore: sensitivity, private answers, error against ε, operating points; and pinned scenarios compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.experiment.scenario import LEAST_EPSILON, SLIDER_EPSILON, Noise
from pages.experiment.view import View
from pages.experiment.words import Compared, subject
from pages.figures.answers import answers_chart
from pages.figures.operating_points import operating_points_chart
from pages.figures.theme import (
    BLUE,
    GREEN,
    GREY,
    PURPLE,
    VERMILION,
    Chart,
    axis,
    chosen,
    line,
    log_axis,
    short,
    transparent,
    with_unit,
)

ANSWERS, SENSITIVITY, ERROR, POINTS = "answers", "sensitivity", "error", "points"
EPSILONS: FloatArray = np.geomspace(LEAST_EPSILON, SLIDER_EPSILON, 34)
MOST_STEPS = 700  # a browser draws these in a frame of 16 ms
_NOTE = {"showarrow": False, "xanchor": "right", "font": {"size": 10}}
_LINES = {"sampled": (BLUE, "solid"), "worst case": (VERMILION, "longdash"), "blocks": (PURPLE, "dash")}
_MOST_DECADES = 6.0  # of errors
_SMALL = 1e-6  # smaller errors are outside the chart
_LARGEST = 308.0  # decades; a float goes up to 1.8e308
_LONGEST_NAME = 48  # characters
_AROUND, _A_BAR = 90, 48  # pixels of height of a comparison


def charts_of(view: View) -> dict[str, Chart]:
    """Return the available charts of a view by name. Some charts need draws, and some need noise."""
    scenario = view.scenario
    charts = {POINTS: operating_points_chart(scenario.m, scenario.gamma, confidence=scenario.confidence)}
    if view.sample is not None:
        assert view.order_statistic is not None
        worst_case = view.question.worst_case
        charts[SENSITIVITY] = sensitivity_chart(
            view.sample.distances,
            scenario.m,
            view.order_statistic,
            what=subject(view),
            unit=view.question.answer.moved_unit,
            reference=view.question.reference,
            worst_case=None if worst_case is None else worst_case.value,
            protects_all=scenario.noise is not Noise.SAMPLED,
        )
    if view.noise is not None:
        charts[ANSWERS] = answers_chart(view)
        charts[ERROR] = error_chart(view)
    return charts


def staircase(ordered: FloatArray, right: float, most: int = MOST_STEPS) -> tuple[FloatArray, FloatArray]:
    """Return the vertices of the empirical CDF as a line with ``shape: "hv"``.

    Args:
        ordered: The distances in ascending order, shape (m,). Infinite ones are beyond the right edge.
        right: Right end of the chart.
        most: Largest number of steps. If there are more, every m/most-th one is drawn at its true height.

    Returns:
        x and y, from (0, 0) to (right, the share of finite distances).
    """
    finite = int(np.searchsorted(ordered, np.inf))
    count = min(most, finite)
    places = np.array([place * (finite - 1) // max(count - 1, 1) for place in range(count)], dtype=np.int64)
    heights = np.searchsorted(ordered, ordered[places], side="right") / len(ordered)
    last = finite / len(ordered)
    return np.concatenate([[0.0], ordered[places], [right]]), np.concatenate([[0.0], heights, [last]])


def sensitivity_chart(
    distances: FloatArray,
    m: int,
    sensitivity: float,
    *,
    what: str = "answer",
    unit: str = "",
    reference: tuple[Callable[[FloatArray], FloatArray], str] | None = None,
    worst_case: float | None = None,
    protects_all: bool = False,
) -> Chart:
    """Return the empirical and the true CDF of the distances (Figure 1 of Rubinstein and Aldà 2017).

    Args:
        distances: All sampled distances in the order of their draws, shape (M,). They determine the axis, so it is the same for
            all m.
        m: Number of distances in the CDF: the first m.
        sensitivity: Δ̂, the k-th smallest of these; infinite if too many pairs failed.
        what: Name of the target.
        unit: Unit of the distances.
        reference: The CDF to compare with, and its name: the true CDF, or a large sample.
        worst_case: The proved global sensitivity.
        protects_all: Whether the noise is not sampled, so changes beyond Δ̂ are protected too.
    """
    largest = float(distances[np.isfinite(distances)].max(initial=0.0))
    end = 1.05 * largest or 1.0
    x, y = staircase(np.sort(distances[:m]), end)
    at = min(sensitivity, end)
    tail = {"fill": "toself", "fillcolor": transparent(VERMILION, 0.14), "line": {"width": 0}, "hoverinfo": "skip"}
    traces = [
        line("beyond Δ̂" if protects_all else "not protected", [at, at, end, end], [0, 1, 1, 0], VERMILION) | tail,
        line("empirical", x, y, BLUE) | {"line": {"color": BLUE, "shape": "hv"}},
    ]
    if reference is not None:
        grid = np.linspace(0, end, 200)
        traces.append(line(reference[1], grid, reference[0](grid), GREEN, dash="dash"))
    notes: list[dict[str, Any]] = []
    traces.append(line("Δ̂", [at, at], [0, 1], VERMILION, hovertemplate="Δ̂ = %{x:.4g}<extra></extra>"))
    if worst_case is not None and worst_case <= end:
        traces.append(line("worst case", [worst_case] * 2, [0, 1], GREY, dash="longdash", showlegend=False))
        notes.append({"x": worst_case, "y": 0.45, "text": f"worst case {figure(worst_case)}", "textangle": -90} | _NOTE)
    shares = np.array([0.5, 0.8, 0.9, 0.95, 0.99, 1.0])
    reached = np.sort(distances[:m])[np.ceil(shares * m).astype(int) - 1]
    protected = "protected too" if protects_all else "not protected"
    beside = "" if reference is None else f" Beside it: {reference[1]}."
    return Chart(
        title=f"How sensitive is the {what}?",
        traces=traces,
        layout={
            "xaxis": axis(with_unit("how far one changed row moves it", unit), range=[0, end], exponentformat="power"),
            "yaxis": axis("share of pairs", range=[0, 1.02]),
            "annotations": notes,
        },
        alt=f"Empirical CDF of {m:,} sampled distances, up to {figure(largest)}. Δ̂ = {figure(sensitivity)}: pairs beyond it are "
        f"{protected}.{beside}",
        rows=[
            {"share of pairs": f"{share:.0%}", "moves the answer by at most": figure(float(g))}
            for share, g in zip(shares, reached, strict=True)
        ],
        moves=[
            {"trace": 0, "rule": "beyond", "end": end},
            {"trace": 1, "rule": "staircase", "end": end},
            {"trace": 2 if reference is None else 3, "rule": "vertical", "end": end},
        ],
    )


def epsilons_to(epsilon: float) -> FloatArray:
    """Return the values of ε of the error chart: ``EPSILONS``, or up to a selected ε that is larger."""
    return EPSILONS if epsilon <= SLIDER_EPSILON else np.geomspace(LEAST_EPSILON, epsilon, len(EPSILONS))


def error_chart(view: View) -> Chart:
    """Return the error against ε, with the selected point.

    Args:
        view: A view with noise.
    """
    assert view.noise is not None
    accuracy, scenario, own = view.released.accuracy, view.scenario, view.question.accuracy
    epsilons, errors = epsilons_to(scenario.epsilon), _errors(view)
    hover = {"hovertemplate": "ε = %{x:.3g}: %{y:.3g}<extra></extra>"}
    traces = [line(name, epsilons, values, _LINES[name][0], dash=_LINES[name][1], **hover) for name, values in errors.items()]
    if own.without_privacy > 0:
        traces.append(line("without privacy", epsilons[[0, -1]], [own.without_privacy] * 2, GREEN, dash="dot", hoverinfo="skip"))
    error = accuracy.at(view.noise.law)
    traces.append(chosen(scenario.epsilon, error, **hover))
    unit = accuracy.unit if accuracy.unit != "share" else ""
    known = [*errors.values(), np.array([error, own.without_privacy])]
    moves = [{"trace": len(traces) - 1, "rule": "error point"}]
    if scenario.noise is Noise.SAMPLED and "sampled" in errors:
        moves.append({"trace": list(errors).index("sampled"), "rule": "error curve"})
    said = "; ".join(f"{name}: {figure(float(values[0]))} to {figure(float(values[-1]))}" for name, values in errors.items())
    ends = f"from {figure(epsilons[0])} to {figure(epsilons[-1])}"
    return Chart(
        title="What does ε buy?",
        traces=traces,
        layout={
            "xaxis": log_axis("ε, privacy loss", 0.9 * epsilons[0], 1.1 * epsilons[-1]),
            "yaxis": error_axis(accuracy.what, known, unit, percent=accuracy.percent),
        },
        alt=f"{accuracy.what.capitalize()} against ε {ends}. {said}. At ε = {scenario.epsilon:g}: {figure(error)}.",
        rows=[
            {"ε": figure(float(epsilons[place]))} | {name: figure(float(values[place])) for name, values in errors.items()}
            for place in range(0, len(epsilons), 3)
        ],
        moves=moves,
    )


def _errors(view: View) -> dict[str, FloatArray]:
    """Return the error at each ε for each kind of noise that the chart shows."""
    assert view.noise is not None
    own, errors = view.question.accuracy, {}
    if view.order_statistic is not None and np.isfinite(view.order_statistic) and view.order_statistic > 0:
        errors["sampled"] = own, view.order_statistic
    if view.question.worst_case is not None:
        errors["worst case"] = own, view.question.worst_case.value
    if view.scenario.noise is Noise.BLOCKS:
        errors["blocks"] = view.released.accuracy, view.noise.sensitivity.value
    epsilons = epsilons_to(view.scenario.epsilon)
    return {
        name: np.array([accuracy.at_epsilon(sensitivity, float(epsilon)) for epsilon in epsilons])
        for name, (accuracy, sensitivity) in errors.items()
    }


def error_axis(what: str, errors: list[FloatArray], unit: str = "", *, percent: bool = False) -> dict[str, Any]:
    """Return an axis for all positive errors, at most six decades. Its ends move in steps of a third of a decade.

    Args:
        what: Title of the axis.
        errors: The errors.
        unit: Their unit.
        percent: Whether they are shares.
    """
    known = np.concatenate(errors)
    known = known[np.isfinite(known) & (known > _SMALL)]
    low = float(np.floor(np.log10(known.min(initial=np.inf)) * 3) / 3) if known.size else -1.0
    high = float(np.ceil(np.log10(known.max(initial=0.0)) * 3 + 0.01) / 3) if known.size else 1.0
    ends = 10.0**low, 10.0 ** min(high, low + _MOST_DECADES, _LARGEST)
    if ends[0] >= ends[1]:
        return axis(what)
    return log_axis(with_unit(what, unit), *ends) | ({"tickformat": "~%"} if percent else {"exponentformat": "power"})


def compare_chart(items: Sequence[Compared], shown: Compared, conclusion: str) -> Chart:
    """Return a bar for the error of each scenario, named with its guarantee.

    Args:
        items: Scenarios with errors of the same sense and unit.
        shown: The one on the page.
        conclusion: What follows from them; the title is its beginning.
    """
    assert isinstance(shown.view, View)
    what, unit = shown.meaning[0], "" if shown.meaning[1] == "share" else shown.meaning[1]
    names, said = [one.label for one in items], [one.error_in_words for one in items]
    labels = [f"{name}<br>{one.guarantee}" for name, one in zip(short(names, _LONGEST_NAME), items, strict=True)]
    bars = {
        "type": "bar",
        "orientation": "h",
        "y": labels,
        "x": [one.error for one in items],
        "text": said,
        "textposition": "auto",
        "marker": {"color": [GREEN if one is shown else BLUE for one in items]},
        "hovertemplate": "%{text}<extra></extra>",
        "showlegend": False,
    }
    percent = {"tickformat": "~%"} if shown.view.released.accuracy.percent else {}
    alt = "; ".join(f"{name}: {text}" for name, text in zip(names, said, strict=True))
    return Chart(
        title=conclusion.partition(",")[0],
        traces=[bars],
        layout={
            "xaxis": axis(with_unit(what, unit), rangemode="tozero", **percent),
            "yaxis": {"automargin": True, "autorange": "reversed"},
            "bargap": 0.35,
            "height": _AROUND + _A_BAR * len(items),
        },
        alt=f"{what.capitalize()}. {alt}.",
        rows=[{"scenario": name, with_unit(what, unit): text} for name, text in zip(names, said, strict=True)],
    )
