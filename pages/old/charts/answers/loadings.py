"""Loadings: bars of a private direction beside those of the one without noise."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import Within
from dpcore.answers.loadings import Loadings
from pages.old.charts.answers.grouped import released
from pages.old.charts.drawn import Drawn
from pages.old.charts.groups import shortened
from pages.old.charts.responses import beside
from pages.old.experiment.headlines.loadings import LoadingsHeadline

_MOST_LETTERS = 9  # of a name on the axis


def chart(shown: LoadingsHeadline) -> tuple[Drawn, str]:
    """The direction without noise and one private one each, with whiskers that hold 95 in 100; and a description."""
    noises = [noise for noise in (shown.noise, shown.worst) if noise is not None]
    drawn = [
        (shown.private(noise.law, 1, [shown.scenario.seed, 10 + i])[0], shown.spread(noise)) for i, noise in enumerate(noises)
    ]
    names = shortened((*shown.answer.labels, "share"), _MOST_LETTERS)
    figure = beside(shown.own, drawn, labels=tuple(names), raw_name=shown.exact.name, bars=True)
    at = f"at ε = {shown.scenario.epsilon:g}"
    return figure, f"Bars of the loadings and the share of the variance {shown.exact.of}, and privately {at}, ± the noise."


def published(response: Any, answer: Loadings, within: Within = None) -> Drawn:
    """The released loadings; with a whisker each where it is known how far 95 in 100 lie."""
    return released(answer.names, answer.of(response[None])[0], within, from_zero=True)
