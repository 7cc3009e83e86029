"""One of several candidates: what its chances are worked out from at any scale of the noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.facts import facts
from pages.charts.answers.choice import PROVED, SAMPLED, of_scores, shown_of
from pages.charts.drawn import NOT_PROVED
from pages.charts.live.encoded import exactly, roughly
from pages.charts.live.kinds import errors, over_names
from pages.experiment.headlines.base import Headline

_MOST = {"gumbel": 1_000, "permute-and-flip": 100}  # different scores whose chances a browser works out in a frame
_MOST_OF_CURVE = {"gumbel": 1_000, "permute-and-flip": 16}  # the same for each of the places of a curve
_NODES = 24


def names(shown: Headline) -> tuple[str, ...]:
    """None where the law is no single choice, or would take a browser long."""
    law: Any = shown.noise.law
    way = facts(law).selection  # of a law that picks one of all candidates
    levels = len(np.unique(shown.exact.value))
    if way not in _MOST or levels > _MOST[way]:
        return ()
    return ("answers", "error") if levels <= _MOST_OF_CURVE[way] else ("answers",)


def views(shown: Headline, off: float) -> dict[str, dict[str, Any]]:
    """Chances above scores, and the error."""
    made = {"answers": _law(shown) | _bars(shown)}
    return made | {"error": _law(shown) | errors(shown)} if "error" in names(shown) else made


def said(shown: Headline) -> dict[str, Any]:
    """Of the winner's chance."""
    headline: Any = shown
    return _law(shown) | {"before": headline.before_chance}


def _law(shown: Headline) -> dict[str, Any]:
    """How far each score is below the best, rising, and how many candidates have it."""
    law: Any = shown.noise.law
    levels, times = np.unique(shown.exact.value, return_counts=True)
    made = {"gaps": exactly(levels - levels[-1]), "times": roughly(times.astype(np.float64))}
    if law.selection == "permute-and-flip":
        nodes, weights = np.polynomial.legendre.leggauss(_NODES)
        made |= {"nodes": exactly(nodes), "weights": exactly(weights)}
    return made


def _bars(shown: Headline) -> dict[str, Any]:
    scores, answer, exact = shown.exact.value, shown.answer, shown.exact
    keep = shown_of(scores)
    _, level = np.unique(scores, return_inverse=True)
    return over_names(tuple(answer.labels[i] for i in keep), scores[keep], up="score") | {
        "level": roughly(level[keep].astype(np.float64)),
        "chance": "chance (%)",
        "sampled": SAMPLED,
        "worst": PROVED if shown.worst is not None else NOT_PROVED,
        "worstKnown": shown.worst is not None,
        "named": of_scores(scores, answer.labels, exact.name),
        "alt": f"Chance of each candidate, above its score; the winner {exact.of} is marked.",
        "below": f"Score of each candidate {exact.of}.",
    }
