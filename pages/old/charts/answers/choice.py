"""A private choice: how likely each candidate is, beside the scores that should stay private."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.answers.choice import choosing
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.mechanisms.base import Calibrated
from pages.old.charts import moving
from pages.old.charts.answers import ANSWERS, ERROR, Described
from pages.old.charts.drawn import BLUE, GREEN, GREY, VERMILION, Drawn, bar, figure, no_proved_worst_case, scatter
from pages.old.charts.moving import Moving
from pages.old.charts.responses import SCALES
from pages.old.experiment.headlines.base import Headline

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
    keep = np.sort(np.argsort(-scores, kind="stable")[:MOST_CANDIDATES])  # in their own order
    names, best = [labels[i] for i in keep], scores == scores.max()
    likely = [_heights(scores, noise, name, keep) for noise, name in zip((sampled, worst_case), SCALES, strict=True) if noise]
    winners = ", ".join(labels[i] for i in np.flatnonzero(best)[:_MOST_WINNERS])
    colours = np.where(best[keep], GREEN, GREY).tolist()
    score = _bars(f"score, {raw_name} (winner: {winners})", names, scores[keep], colours, "%{y:.6g}<extra>score")
    proved = {"color": VERMILION, "symbol": "line-ew-open", "size": 10, "line": {"width": 2}}
    traces = [
        _bars(SAMPLED, names, likely[0], BLUE, f"%{{y:.2%}}<extra>{SAMPLED}"),
        no_proved_worst_case()
        if worst_case is None
        else scatter(PROVED, names, likely[1], proved, hovertemplate=f"%{{x}}: %{{y:.2%}}<extra>{PROVED}</extra>"),
        score | {"yaxis": "y2"},
    ]
    highest = moving.least(1, moving.round_up(1.02 * moving.most(*likely, 0.001)))
    return figure(
        traces,
        x={"type": "category", "anchor": "y2", "tickangle": 0 if len(names) > 12 else None},
        y={"domain": [0.52, 1.0], "title": {"text": "chance"}, "tickformat": "~%", "nticks": 4, "range": [0, highest]},
        yaxis2={"domain": [0.0, 0.42], "title": {"text": "score"}, "rangemode": "tozero", "nticks": 4, "zeroline": False},
    )


def _bars(name: str, names: list[str], heights: Any, colour: Any, told: str) -> dict[str, Any]:
    return bar(name, names, heights, {"color": colour}, hovertemplate=f"%{{x}}: {told}</extra>")


def _heights(scores: FloatArray, noise: Calibrated[Any], name: str, keep: Any) -> Any:
    """The chances of those that are drawn; they follow a hand where a browser works them out in a frame."""
    chances = choosing(noise.law).probabilities(scores)[keep]
    if not _movable(scores, noise.law, _MOST):
        return chances
    _, level = np.unique(scores, return_inverse=True)
    rule = moving.call("chances", None, *_law(scores, noise.law), moving.named(name, noise.law.scale))
    return moving.call("at", chances, rule, level[keep].astype(np.float64))


def chart(shown: Headline) -> Described:
    """Each candidate's chance and score, and a description."""
    exact, at = shown.exact, moving.at_epsilon(shown.scenario.epsilon)
    drawn = selection(exact.value, shown.noise, shown.worst, labels=shown.answer.labels, raw_name=exact.name)
    return drawn, moving.words_of("Chance of each candidate ", at, f", above its score; the winner {exact.of} is marked.")


_MOST = {"gumbel": 1_000, "permute-and-flip": 100}  # different scores whose chances a browser works out in a frame
_MOST_OF_CURVE = {"gumbel": 1_000, "permute-and-flip": 16}  # the same for each of the places of a curve
_NODES = 24


def views(shown: Headline) -> tuple[str, ...]:
    """None where the law is no single choice, or would take a browser long."""
    scores, law = shown.exact.value, shown.noise.law
    if not _movable(scores, law, _MOST):
        return ()
    return (ANSWERS, ERROR) if _movable(scores, law, _MOST_OF_CURVE) else (ANSWERS,)


def said(shown: Headline, noise: Calibrated[Any], scale: Moving) -> dict[str, Moving]:
    """The winner's chance."""
    headline: Any = shown
    scores = shown.exact.value
    chances = moving.call("chances", None, *_law(scores, noise.law), scale)
    chance = moving.call("best", None, chances, float((scores == scores.max()).sum()))
    return {"reach": Moving(shown.reach(noise), ["words", headline.before_chance, ["percent", chance.rule]])}


def error_by_scale(shown: Headline) -> Any:
    """How far the pick falls short."""
    scores, law = shown.exact.value, shown.noise.law
    return lambda scale: moving.call("shortfall", None, *_law(scores, law), scale)


def _movable(scores: FloatArray, law: Any, most: dict[str, int]) -> bool:
    """Of a law that picks one of all candidates."""
    way = facts(law).selection
    return way in most and len(np.unique(scores)) <= most[way]


def _law(scores: FloatArray, law: Any) -> tuple[FloatArray, ...]:
    """How far each score is below the best, rising, how many candidates have it, and what a chance is integrated with."""
    levels, times = np.unique(scores, return_counts=True)
    flips = facts(law).selection == "permute-and-flip"
    nodes, weights = np.polynomial.legendre.leggauss(_NODES) if flips else (np.empty(0), np.empty(0))
    return levels - levels[-1], times.astype(np.float64), nodes, weights
