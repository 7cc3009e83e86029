"""A line with its private versions: over one feature as lines, of several as coefficients."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.answers.answer import KindOfAnswer, Within
from pages.charts.lines import coefficients, lines
from pages.experiment.headlines.fitted_line import FittedLineHeadline

if TYPE_CHECKING:
    import plotly.graph_objects as go


def chart(shown: FittedLineHeadline) -> tuple[go.Figure, str]:
    """Records with the lines, or what each feature adds to the prediction; and a description."""
    at, exact = f"at ε = {shown.scenario.epsilon:g}", shown.exact
    if len(shown.columns) == 2 and len(shown.answer.labels) == 2:
        return lines(shown), f"{described(shown)} {at}, with a band that holds 95 in 100."
    return coefficients(shown), f"What each feature adds to the prediction {exact.of}, and privately {at}, ± the noise."


def described(shown: FittedLineHeadline) -> str:
    """The beginning of a description, of one feature."""
    return f"The records, the line {shown.exact.of}, least squares, and private lines"


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> go.Figure | None:
    """Coefficients are read, and not drawn."""
    return None
