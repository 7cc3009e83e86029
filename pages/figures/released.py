"""Charts of released answers."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.result_types.fits import FittedCurve
from dpcore.result_types.kind import Grouped, KindOfAnswer, Within
from dpcore.result_types.matrix import Loadings, Matrix
from pages.figures.theme import BLUE, GREY, Chart, axis, line, names_axis, short, transparent, with_unit

_MOST_CELLS = 6  # rows of a matrix whose cells have room for numbers
_POINTS = 201


def released_chart(response: Any, kind: KindOfAnswer, within: Within, guarantee: str) -> Chart | None:
    """Return the chart of a released answer, or None if its kind is read and not drawn.

    Args:
        response: The private answer.
        kind: Kind of the answer.
        within: Distance that 95% of the noise does not exceed, one for all numbers or one for each; None if it is not known.
        guarantee: The guarantee. It is the title, because a long question would leave no room for it in a picture.
    """
    if isinstance(kind, Grouped) and (values := kind.values(response)) is not None:
        names = tuple(name for name, _ in kind.parts(response))
        return _bars(guarantee, names, values, within, kind.unit, bars=kind.from_zero)
    if isinstance(kind, Loadings):
        return _bars(guarantee, kind.names, kind.directions(response[None])[0], within, "", bars=True)
    if isinstance(kind, Matrix):
        return _matrix(guarantee, kind, kind.matrices(response[None])[0] * kind.factors)
    if isinstance(kind, FittedCurve):
        return _curve(guarantee, kind.labels, response)
    return None


def _bars(title: str, names: tuple[str, ...], values: FloatArray, within: Within, unit: str, *, bars: bool) -> Chart:
    """Return bars from 0, or points if 0 means nothing. Answers with an infinite ± are not drawn."""
    near = np.broadcast_to(np.nan if within is None else np.asarray(within, dtype=np.float64), values.shape)
    shown = np.where(np.isinf(near), np.nan, values)
    margins = {} if within is None else {"error_y": {"type": "data", "array": near, "color": GREY, "thickness": 1.5, "width": 3}}
    look = {"color": transparent(BLUE, 0.65) if bars else BLUE, **({} if bars else {"size": 9})}
    trace = {"name": "private answer", "x": short(names), "y": shown, "marker": look, "showlegend": False} | margins
    trace |= {"type": "bar"} if bars else {"type": "scatter", "mode": "markers"}
    return Chart(
        title=title,
        traces=[trace],
        layout={
            "xaxis": names_axis(names),
            "yaxis": axis(with_unit("private answer", unit), **({"rangemode": "tozero"} if bars else {})),
        },
        alt=f"{len(names):,} private answers" + (", with intervals that hold 95% of their noise." if within is not None else "."),
    )


def _matrix(title: str, kind: Matrix, values: FloatArray) -> Chart:
    names = short(kind.labels, 12)
    most = float(np.abs(values).max()) or 1.0
    numbers = {"texttemplate": "%{z:.2~g}"} if len(names) <= _MOST_CELLS else {}
    heat = {"type": "heatmap", "x": names, "y": names, "z": values, "colorscale": "RdBu", "zmin": -most, "zmax": most} | numbers
    return Chart(
        title=title,
        traces=[heat],
        layout={"xaxis": axis("", automargin=True), "yaxis": axis("", automargin=True, autorange="reversed")},
        alt=f"The private matrix of {len(names)} columns.",
    )


def _curve(title: str, labels: tuple[str, ...], response: Any) -> Chart:
    across, up = (*labels, "", "")[:2]
    low, high = response.domain[0]
    x = np.linspace(low, high, _POINTS)
    return Chart(
        title=title,
        traces=[line("private", x, response(x), BLUE, showlegend=False)],
        layout={"xaxis": axis(across), "yaxis": axis(up)},
        alt=f"The private curve over {across}.",
    )
