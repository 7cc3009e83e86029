"""A curve with its private versions: over one dimension with the spread at each point, over two as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.answers.answer import KindOfAnswer, Within
from pages.charts.fits import fit, polynomial, surface
from pages.experiment.headlines.fitted_curve import FittedCurveHeadline

if TYPE_CHECKING:
    import plotly.graph_objects as go


def chart(shown: FittedCurveHeadline) -> tuple[go.Figure, str]:
    """The curve, its polynomial and a private one, and a description."""
    exact, names, seed = shown.exact, shown.answer.labels, shown.scenario.seed
    at = f"at ε = {shown.scenario.epsilon:g}"
    if shown.fit.at.shape[1] > 1:
        figure = surface(shown.fit, exact.value, shown.noise, shown.worst, names=names, raw_name=exact.name, seed=seed)
        return figure, f"A map of a private curve {at}, with lines of equal height of the one {exact.of}."
    regression = exact.database.ndim == 2
    figure = fit(
        shown.fit,
        exact.value,
        shown.noise,
        shown.worst,
        records=exact.database if regression else None,
        names=(names[0], names[1]),
        raw_name=exact.name,
        seed=seed,
    )
    return figure, f"{described(shown)} {at}, with the spread at each point."


def described(shown: FittedCurveHeadline) -> str:
    """The beginning of a description, of one dimension."""
    first = "The records, the" if shown.exact.database.ndim == 2 else "The"
    return f"{first} curve {shown.exact.of}, its Bernstein polynomial and a private one"


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> go.Figure | None:
    """The released curve over its domain."""
    return polynomial(response, names=answer.labels)
