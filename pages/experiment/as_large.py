"""Whether a ± is about as large as the answers themselves, on a made-up or a public table: then they say next to nothing."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import groups_of, person_of
from dpcore.guarantees.words import figure
from pages.experiment.headlines.base import MeasuredHeadline

_PART = 0.7  # of the size of an answer, from which on a ± is about as large


def as_large(headline: MeasuredHeadline, reach: float) -> str:
    """That it is so, and what would help; empty where it is not. Of a number between bounds, half their width is its size.

    A headline of a confidential table that is compared with has its own answer, of which nothing may be said here.
    """
    target: Any = headline.asked or headline.scenario.target
    bounds = facts(headline.answer).bounds
    sizes = np.abs(headline.centres) if not bounds else np.array([(bounds[1] - bounds[0]) / 2])
    if not sizes.size or not 0 < _PART * float(np.median(sizes)) <= reach:
        return ""
    people, groups = person_of(target) is not None and (facts(target).rows or 1) > 1, len(groups_of(target)) > 2
    helps = ["a larger ε", *["a smaller s"] * people, *["fewer groups"] * groups]
    would = helps[0] if len(helps) == 1 else f"{', '.join(helps[:-1])} or {helps[-1]}"
    of = "in a made-up table" if headline.exact.simulated else "in this public table"
    near = counted(figure(reach), headline.answer.after)
    return f"± {near} is about as large as such answers are {of}. What would help: {would}."
