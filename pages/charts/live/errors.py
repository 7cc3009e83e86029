"""The expected error against ε, of a kind of answer whose error hangs on the noise's scale alone."""

from __future__ import annotations

from typing import Any

from dpcore.guarantees.words import figure
from pages.charts.responses import ACROSS, DECADES, up
from pages.charts.style import NOT_PROVED
from pages.experiment.headlines.base import Headline


def errors(shown: Headline) -> dict[str, Any]:
    """As ``plots.errors`` draws it, without what γ and ε move. Its kind adds what the error is worked out from."""
    floor = shown.least_error
    return {
        "across": ACROSS,
        "up": up(shown.error_words, shown.answer.after.strip()),
        "decades": DECADES,
        "floor": floor,
        "none": f"no privacy: {figure(floor)}",
        "worstKnown": shown.worst is not None,
        "worst": "worst case" if shown.worst is not None else NOT_PROVED,
        "alt": "Expected error against ε: sampled, worst case and without privacy.",
    }
