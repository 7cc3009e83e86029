"""How close a median or another quantile comes that was picked among public places: in ranks, by ε and their number alone."""

from __future__ import annotations

import math
from typing import Any

from dpcore.answers.grouped import law_of_each
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment import preview
from pages.experiment.computable import answered
from pages.experiment.scenario import Scenario
from pages.files.tables import Table


def ranks_of(law: Any, answer: Any) -> int | None:
    """By how many ranks more than the best public place a picked one misses the rank asked for, at most, in 95 of 100 releases;
    None where the scores of what is picked count no ranks. Nothing of a table goes into it (mathematics, section 5.5)."""
    most = facts(law_of_each(law)).most_missed
    ranked = facts(facts(answer).of or answer).ranked
    return math.ceil(most(SHARE_WITHIN)) if most is not None and ranked else None


def short(ranks: int | None) -> str:
    """As it stands behind an answer in a row."""
    return "" if ranks is None else counted(f"±\u00a0{ranks:,}", " ranks")


def in_words(ranks: int, answer: Any, adjacency: Adjacency) -> str:
    """What the ± of such an answer says, and what it does not."""
    weights = "" if adjacency is Adjacency.REPLACE_ONE_RECORD else ", a row that counts in part by that part"
    which = "each group's answer, taken alone," if facts(answer).groups else "the answer"
    return (
        f"In 95 of 100 such releases of any table {which} misses the rank asked for by at most {ranks:,} more than the best "
        f"public place would. The rank of a place is how many known values are not above it{weights}. Where values are tied, or "
        "lie closer together than the places, the best place misses it too."
    )


def before_a_press(scenario: Scenario, table: Table, *, in_unit: bool = True) -> str:
    """The same before a press, under the proved worst case, which noise that is sized to trials never exceeds; in the column's
    unit too where the table is public, unless that stands elsewhere. Empty where there is none."""
    try:
        noise = preview.calibrated_worst_case(scenario)
    except DpcoreError:  # no noise at this ε: the receipt says so
        return ""
    columns = tuple(table.column(name) for name in scenario.columns)
    answer = answered(scenario, columns)
    ranks = None if noise is None else ranks_of(noise.law, answer)
    if noise is None or ranks is None:
        return ""
    said = f"{short(ranks)}. {in_words(ranks, answer, scenario.adjacency)}"
    if not table.public:
        return f"{said} How far that is in the column's unit hangs on the confidential table, so it is not said."
    if not in_unit:
        return said
    try:
        near = preview.headline(scenario, columns, preview.answer(scenario, table), noise).short_reach(noise)
    except DpcoreError:
        return said
    return f"{said} In this public table 95 of 100 answers lie within about {near} of the one without noise."
