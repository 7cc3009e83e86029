"""Several places: dots side by side with whiskers, and what was released as what was asked for."""

from __future__ import annotations

from typing import Any

from dpcore.answers.answer import Within
from dpcore.answers.places import Places
from pages.charts import answers
from pages.charts.answers import Described, grouped
from pages.charts.drawn import Drawn
from pages.experiment.headlines.places import PlacesHeadline


def chart(shown: PlacesHeadline) -> Described:
    """Each number with a whisker for its private versions, and a description."""
    return grouped.chart(shown)


def published(response: Any, answer: Places, _within: Within = None) -> Drawn | None:
    """As of what was asked for; how far each number lies from the blocks' median is not known of a response."""
    return answers.published(answer.own(response), answer.of)
