"""A private choice: how likely each candidate is, beside the scores that should stay private."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.answers.choice import choosing
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from pages.charts.drawn import BLUE, GREEN, GREY, VERMILION, Drawn, figure, no_proved_worst_case, scatter
from pages.experiment.headlines.base import Headline

MOST_CANDIDATES = 40
SAMPLED, PROVED = "chance, sampled", "chance, worst case"
_MOST_WINNERS = 3  # by name


def selection(
    scores: FloatArray,
    sampled: Calibrated[Any],
    worst_case: Calibrated[Any] | None,
    *,
    labels: tuple[str, ...],
    raw_name: str = "non-private",
) -> Drawn:
    """Probabilities above, scores below, one bar a candidate; those with the largest score are marked.

    With more than forty candidates, the forty with the largest scores.
    """
    keep = shown_of(scores)
    names = [labels[i] for i in keep]
    best = np.flatnonzero(scores == scores.max())
    colours = [GREEN if i in best else GREY for i in keep]
    traces: list[dict[str, Any]] = [
        {
            "type": "bar",
            "name": SAMPLED,
            "x": names,
            "y": choosing(sampled.law).probabilities(scores)[keep],
            "marker": {"color": BLUE},
            "hovertemplate": "%{x}: %{y:.2%}<extra>chance, sampled</extra>",
        }
    ]
    if worst_case is not None:
        traces.append(
            scatter(
                PROVED,
                names,
                choosing(worst_case.law).probabilities(scores)[keep],
                {"color": VERMILION, "symbol": "line-ew-open", "size": 10, "line": {"width": 2}},
                hovertemplate="%{x}: %{y:.2%}<extra>chance, worst case</extra>",
            )
        )
    else:
        traces.append(no_proved_worst_case())
    traces.append(
        {
            "type": "bar",
            "name": of_scores(scores, labels, raw_name),
            "x": names,
            "y": scores[keep],
            "yaxis": "y2",
            "marker": {"color": colours},
            "hovertemplate": "%{x}: %{y:.6g}<extra>score</extra>",
        }
    )
    return figure(
        traces,
        x={"type": "category", "anchor": "y2", "tickangle": 0 if len(names) > 12 else None},
        y={"domain": [0.52, 1.0], "title": {"text": "chance"}, "tickformat": "~%", "rangemode": "tozero", "nticks": 4},
        yaxis2={"domain": [0.0, 0.42], "title": {"text": "score"}, "rangemode": "tozero", "nticks": 4, "zeroline": False},
    )


def shown_of(scores: FloatArray) -> np.ndarray[Any, np.dtype[np.int64]]:
    """The places of those that are drawn, in their own order."""
    return np.sort(np.argsort(-scores, kind="stable")[:MOST_CANDIDATES])


def of_scores(scores: FloatArray, labels: tuple[str, ...], raw_name: str) -> str:
    """What the bars of scores are, and whose is the largest."""
    winners = ", ".join(labels[i] for i in np.flatnonzero(scores == scores.max())[:_MOST_WINNERS])
    return f"score, {raw_name} (winner: {winners})"


def chart(shown: Headline) -> tuple[Drawn, str]:
    """Each candidate's chance and score, and a description."""
    exact = shown.exact
    figure = selection(exact.value, shown.noise, shown.worst, labels=shown.answer.labels, raw_name=exact.name)
    at = f"at ε = {shown.scenario.epsilon:g}"
    return figure, f"Chance of each candidate {at}, above its score; the winner {exact.of} is marked."


def published(response: Any, answer: KindOfAnswer, within: Within = None) -> Drawn | None:
    """A candidate is read, and not drawn."""
    return None
