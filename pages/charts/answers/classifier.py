"""A classifier: boundaries between two classes of two features, and the weights of more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.answers.classifier import Classifier
from dpcore.base.types import ClassifierTarget
from pages.charts.boundaries import boundaries
from pages.charts.responses import beside
from pages.experiment.headlines.base import Headline

if TYPE_CHECKING:
    import plotly.graph_objects as go

_MOST_WORD = 14  # characters of a label's name in the legend


def chart(shown: Headline) -> tuple[go.Figure, str]:
    """Records of both classes with the boundaries between them, and a description."""
    target = shown.scenario.target
    if not isinstance(target, ClassifierTarget) or target.dims != 2 or len(shown.columns) != 3:
        return _weights(shown)
    first, second, _ = shown.columns
    (across, up), exact, answer = target.x_bounds, shown.exact, shown.answer
    assert isinstance(answer, Classifier)
    short = all(len(name) <= _MOST_WORD for name in answer.classes)
    figure = boundaries(
        exact.value,
        shown.noise,
        shown.worst,
        records=exact.database,
        x_bounds=(across, up),
        names=(first.words, second.words),
        classes=answer.classes if short else ("class 0", "class 1"),
        raw_name=exact.name,
        seed=shown.scenario.seed,
        uncentred=target.uncentred,
    )
    at = f"at ε = {shown.scenario.epsilon:g}"
    return figure, f"Records of two classes, the boundary {exact.of} between them, and private boundaries {at}."


def _weights(shown: Any) -> tuple[go.Figure, str]:
    """Weights and bias, without noise and of one private answer each."""
    drawn = [
        (shown.responses(noise.law)[0], shown.within(noise.law)) for noise in (shown.noise, shown.worst) if noise is not None
    ]
    figure = beside(shown.value, drawn, labels=shown.answer.labels, raw_name=shown.exact.name)
    return figure, f"Possible private answers around the one {shown.exact.of}, at ε = {shown.scenario.epsilon:g}."


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> go.Figure | None:
    """Weights are read, and not drawn."""
    return None
