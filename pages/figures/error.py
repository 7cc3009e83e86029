"""The chart “What does ε buy?”: the error of the private answer against ε."""

from __future__ import annotations

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.guarantees.descriptions import figure
from pages.figures.theme import BLUE, GREEN, PURPLE, VERMILION, Chart, axis, chosen, line, log_axis, with_unit

_MOST_DECADES = 6.0
_SMALL = 1e-6  # smaller errors are outside the chart
_LINES = {"sampled": (BLUE, "solid"), "worst case": (VERMILION, "longdash"), "blocks": (PURPLE, "dash")}


def error_chart(
    epsilons: FloatArray,
    errors: dict[str, FloatArray],
    *,
    epsilon: float,
    error: float,
    shown: str,
    what: str = "error",
    unit: str = "",
    percent: bool = False,
    without_privacy: float = 0.0,
) -> Chart:
    """Return the error against ε, with the selected point.

    Args:
        epsilons: Values of ε, shape (e,).
        errors: Errors for each kind of noise, "sampled", "worst case" or "blocks", each of shape (e,).
        epsilon: The selected ε.
        error: The error at ``epsilon``.
        shown: The kind of noise that the sliders move.
        what: Title of the axis of errors.
        unit: Unit of the errors.
        percent: Whether the error is a share.
        without_privacy: The error that remains without noise.
    """
    traces = []
    for name, values in errors.items():
        colour, dash = _LINES[name]
        traces.append(line(name, epsilons, values, colour, dash=dash, hovertemplate="ε = %{x:.3g}: %{y:.3g}<extra></extra>"))
    if without_privacy > 0:
        traces.append(line("without privacy", epsilons[[0, -1]], [without_privacy] * 2, GREEN, dash="dot", hoverinfo="skip"))
    traces.append(chosen(epsilon, error, hovertemplate="ε = %{x:.3g}: %{y:.3g}<extra></extra>"))
    low, high = _range([*errors.values(), np.array([error, without_privacy])])
    up = log_axis(with_unit(what, unit), low, high) | ({"tickformat": "~%"} if percent else {"exponentformat": "power"})
    layout = {
        "xaxis": log_axis("ε, privacy loss", 0.9 * epsilons[0], 1.1 * epsilons[-1]),
        "yaxis": up if low < high else axis(what),
    }
    moves = [{"trace": len(traces) - 1, "rule": "error point"}]
    if shown == "sampled" and "sampled" in errors:
        moves.append({"trace": list(errors).index("sampled"), "rule": "error curve"})
    said = "; ".join(f"{name}: {figure(float(values[0]))} to {figure(float(values[-1]))}" for name, values in errors.items())
    ends = f"from {figure(epsilons[0])} to {figure(epsilons[-1])}"
    alt = f"{what.capitalize()} against ε {ends}. {said}. At ε = {epsilon:g}: {figure(error)}."
    rows = [
        {"ε": figure(float(epsilons[place]))} | {name: figure(float(values[place])) for name, values in errors.items()}
        for place in range(0, len(epsilons), 3)
    ]
    return Chart("What does ε buy?", traces, layout, alt, rows, moves)


_LARGEST = 308.0  # decades; a float goes up to 1.8e308


def _range(errors: list[FloatArray]) -> tuple[float, float]:
    """Return ends that include all positive errors, at most six decades. They move in steps of a third of a decade."""
    known = np.concatenate(errors)
    known = known[np.isfinite(known) & (known > _SMALL)]
    if not known.size:
        return 0.1, 10.0
    low = float(np.floor(np.log10(known.min()) * 3) / 3)
    high = float(np.ceil(np.log10(known.max()) * 3 + 0.01) / 3)
    return 10.0**low, 10.0 ** min(high, low + _MOST_DECADES, _LARGEST)
