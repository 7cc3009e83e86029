"""How close a response lies to the answer without noise: within a ±, or within ranks for what is picked among public places."""

from __future__ import annotations

import math
from typing import Any

from dpcore.answers.answer import Within
from dpcore.answers.kind import KindOfAnswer
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.rounded import TOO_FEW, plus_minus, rows
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import SHARE_WITHIN, NoiseLaw
from pages.experiment.computable import answered
from pages.experiment.noise import calibrate_worst_case
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

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


# How close a median or another quantile comes that was picked among public places: in ranks, by ε and their number alone.


def ranks_of(law: Any, answer: Any) -> int | None:
    """By how many ranks more than the best public place a picked one misses the rank asked for, at most, in 95 of 100 releases;
    None where the scores of what is picked count no ranks. Nothing of a table goes into it (mathematics, section 5.4)."""
    most = facts(law).most_missed
    return math.ceil(most(SHARE_WITHIN)) if most is not None and facts(answer).ranked else None


def ranks_short(ranks: int | None) -> str:
    """As it stands behind an answer in a row."""
    return "" if ranks is None else counted(f"±\u00a0{ranks:,}", " ranks")


def ranks_in_words(ranks: int, adjacency: Adjacency) -> str:
    """What the ± of such an answer says, and what it does not."""
    weights = "" if adjacency.of_records else ", a row that counts in part by that part"
    return (
        f"In 95 of 100 such releases of any table the answer misses the rank asked for by at most {ranks:,} more than the best "
        f"public place would. The rank of a place is how many known values are not above it{weights}. Where values are tied, or "
        "lie closer together than the places, the best place misses it too."
    )


def ranks_before(scenario: Scenario, table: Table) -> int | None:
    """Return the ranks of a release under the proved worst case; None if no ranks are counted, or none is proved."""
    try:
        noise = calibrate_worst_case(scenario)
    except DpcoreError:  # no noise at this ε: the receipt says so
        return None
    columns = tuple(table.column(name) for name in scenario.columns)
    return None if noise is None else ranks_of(noise.law, answered(scenario, columns))


def ranks_before_a_press(scenario: Scenario, table: Table) -> str:
    """Say the ranks under the proved worst case, which noise sized to sampled pairs never exceeds. Empty if there are none."""
    ranks = ranks_before(scenario, table)
    if ranks is None:
        return ""
    said = f"{ranks_short(ranks)}. {ranks_in_words(ranks, scenario.adjacency)}"
    return said if table.public else f"{said} How far that is in the column's unit depends on the confidential table."
