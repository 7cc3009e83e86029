"""A choice: chances above scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.answers.answer import KindOfAnswer, Within
from pages.charts.selection import selection
from pages.experiment.headlines.base import Headline

if TYPE_CHECKING:
    import plotly.graph_objects as go


def chart(shown: Headline) -> tuple[go.Figure, str]:
    """Each candidate's chance and score, and a description."""
    exact = shown.exact
    figure = selection(exact.value, shown.noise, shown.worst, labels=shown.answer.labels, raw_name=exact.name)
    at = f"at ε = {shown.scenario.epsilon:g}"
    return figure, f"Chance of each candidate {at}, above its score; the winner {exact.of} is marked."


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> go.Figure | None:
    """A candidate is read, and not drawn."""
    return None
