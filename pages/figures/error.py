"""What ε buys: the expected error of the answer against ε."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from dpcore.base.types import FloatArray
from pages.figures.theme import BLUE, GREEN, PURPLE, VERMILION, figure, line, log_axis, markers, with_unit

_MOST_DECADES = 6.0


def error_figure(
    epsilons: FloatArray,
    sampled: FloatArray,
    *,
    epsilon: float,
    error: float,
    what: str = "error",
    unit: str = "",
    worst_case: FloatArray | None = None,
    blocks: FloatArray | None = None,
    without_privacy: float = 0.0,
) -> go.Figure:
    """Return the error against ε, this point marked.

    Args:
        epsilons: Values of ε, shape (e,).
        sampled: The error with noise from the sampled sensitivity, shape (e,).
        epsilon: The chosen ε.
        error: The error there.
        what: In which sense the error is meant, as the axis says it.
        unit: Its unit.
        worst_case: The error with noise from the proved sensitivity, if there is one.
        blocks: The error of sample and aggregate, if it applies.
        without_privacy: The error that is left without noise.
    """
    traces = [line("sampled", epsilons, sampled, BLUE)]
    if worst_case is not None:
        traces.append(line("worst case", epsilons, worst_case, VERMILION, dash="longdash"))
    if blocks is not None:
        traces.append(line("blocks", epsilons, blocks, PURPLE, dash="dash"))
    if without_privacy > 0:
        traces.append(line("without privacy", epsilons[[0, -1]], [without_privacy] * 2, GREEN, dash="dot"))
    chosen = {"color": GREEN, "size": 12, "symbol": "diamond"}
    traces.append(markers("this point", [epsilon], [error], GREEN, marker=chosen, hovertemplate="ε = %{x}<br>%{y:.3g}"))
    low, high = _range([one for one in (sampled, worst_case, blocks, np.array([error])) if one is not None])
    across = log_axis("ε, privacy loss")
    return figure(traces, x=across, y=log_axis(with_unit(what, unit), range=[low, high], exponentformat="power"))


def _range(errors: list[FloatArray]) -> tuple[float, float]:
    """Exponents of ten that hold all positive errors, and at most six decades."""
    known = np.concatenate(errors)
    known = known[np.isfinite(known) & (known > 0)]
    if not known.size:
        return -1.0, 1.0
    high = float(np.log10(known.max() * 1.5))
    return max(float(np.log10(known.min() / 1.5)), high - _MOST_DECADES), high
