"""Released loadings, as bars."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import Within
from dpcore.answers.loadings import Loadings
from pages.old.charts.answers.grouped import released
from pages.old.charts.drawn import Drawn


def published(response: Any, answer: Loadings, within: Within = None) -> Drawn:
    """The released loadings; with a whisker each where it is known how far 95 in 100 lie."""
    return released(answer.names, answer.of(response[None])[0], within, from_zero=True)
