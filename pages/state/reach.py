"""How close a response lies to the answer without noise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from dpcore.answers.answer import KindOfAnswer, Within
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.rounded import TOO_FEW, plus_minus, rows
from dpcore.errors import DpcoreError
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment import preview
from pages.experiment.headlines.base import MeasuredHeadline
from pages.experiment.plus_minus import as_large
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.state.draws import Exploration

Near = tuple[tuple[float, ...], tuple[float, ...]] | None
"""How close 95 in 100 responses lie, each number taken alone, and all of them at once, where that is known; None of what is no
numbers."""


def reach_of(calibrated: Calibrated[Any], answer: KindOfAnswer, response: Any = None) -> Within:
    """How close 95 in 100 responses lie, each number taken alone; None for a choice or a curve.

    Where the answer is computed from noisy numbers, it is known of a response alone: computed from it and the law of the
    noise, and of several groups for each.
    """
    within = facts(answer).within
    if within is not None:
        known: Within = None if response is None else within(calibrated.law, response, SHARE_WITHIN)
        return known
    return calibrated.law.half_width(SHARE_WITHIN) if isinstance(calibrated.law, NoiseLaw) else None


def near_of(calibrated: Calibrated[Any], answer: Any, response: Any) -> Near:
    """Of numbers whose noises are independent all at once each at the power of one over their number; of numbers that are
    computed from the same noise each alone."""
    if facts(answer).within is None:
        if not isinstance(calibrated.law, NoiseLaw) or facts(answer).values is None:
            return None
        size = len(answer.parts(response))
        alone, jointly = (calibrated.law.half_width(share) for share in (SHARE_WITHIN, SHARE_WITHIN ** (1 / size)))
        return (alone,) * size, (jointly,) * size
    each = _each(answer.within(calibrated.law, response, SHARE_WITHIN))
    if not each:
        return None
    independent = facts(answer).shown is not None
    return each, _each(answer.within(calibrated.law, response, SHARE_WITHIN ** (1 / len(each)))) if independent else ()


def _each(found: Within) -> tuple[float, ...]:
    return found if isinstance(found, tuple) else () if found is None else (found,)


def brief(response: Any, answer: KindOfAnswer, reach: Within) -> str:
    """A response in the ledger's row; where each part has its own ±, without them."""
    if not isinstance(reach, float):
        return counted(answer.brief(response), answer.after)
    parts = rows(answer, response, (reach,))
    text, near = parts[0][1:] if len(parts) == 1 else (answer.brief(response), plus_minus(reach, answer.after))
    return f"{text} {near}".rstrip()


def told(near: Any) -> Any:
    """Of a ±, or one for each number, as JSON: where nothing can be told, that it is so."""
    if isinstance(near, tuple):
        return [told(one) for one in near]
    return TOO_FEW if near == math.inf else near


# What can be said of a ± before a press: from made-up tables, or a public one; never from a confidential one.


def foretold(scenario: Scenario, table: Table, noise: Calibrated[Any]) -> str:
    """How far answers lie from the one without noise where that hangs on the table, and whether that is as far as they are large;
    empty where nothing is to be said."""
    try:
        exact = Exploration(scenario, table).exact(real=table.public)
        shown = preview.headline(scenario, table.taken(scenario.columns, scenario.target), exact, noise)
        if not isinstance(shown, MeasuredHeadline):
            return ""
        reach = f"{shown.reach(noise)}." if shown.of_this_answer and (table.public or shown.rests_on) else ""
        large = as_large(shown, float(np.max(shown.reaches(noise, SHARE_WITHIN))))
    except DpcoreError:
        return ""
    return " ".join(part for part in (reach[:1].upper() + reach[1:], shown.rests_on, large) if part)
