"""What is said of a question that is asked of blocks: whom that protects, and how far off its answer is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.answers.numbers import SHARE
from dpcore.audits.blocks_foretold import Foretold
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray
from dpcore.guarantees import words
from dpcore.oracles.product import laws_of
from pages.experiment.computable import answered
from pages.experiment.in_blocks import blocks_of, bounds_of, chosen_alike, foretold_of
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

_NOTHING = 0.25  # of a public range: answers that far to either side of the median


def dealt(scenario: Scenario) -> str:
    """How many blocks there are, and what is protected; empty of another question."""
    made = blocks_of(scenario)
    if made is None:
        return ""
    asked = {
        "median": "The question is asked of each, and a private median of the answers is published.",
        "vote": "Each votes for what would be chosen of it, and a choice with many votes is published.",
    }[facts(made).aggregate]
    return (
        f"The {scenario.n:,} rows are dealt to {made.k:,} blocks by their places, before anybody looks. {asked} Another row in "
        "one place changes one block, and no such change is left out."
    )


def near(scenario: Scenario, table: Table) -> str:
    """How far off the answer is, foretold on made-up tables alone; empty where that is not known."""
    found = foretold_of(scenario, table)
    if found is None:
        alike = chosen_alike(scenario, table)
        return "" if alike is None else f"On made-up tables {100 * alike:.0f} of 100 choices were those of the whole table."
    return f"{_near(scenario, found, table)} {_alone(scenario, table)}".strip()


def _alone(scenario: Scenario, table: Table) -> str:
    """What made-up tables cannot show, where they have each column drawn by itself."""
    about = facts(blocks_of(scenario).target).about_relations
    if not about or not laws_of(scenario.resolved_oracle(table), scenario.columns):
        return ""
    return "Their columns were drawn each by itself. Where columns hang together, the median may lie further off."


def _near(scenario: Scenario, found: Foretold, table: Table) -> str:
    answer = answered(scenario, table.taken(scenario.columns, scenario.target))
    if len(found.within) > 1:
        return _near_each(scenario, found, answer)
    after = "" if answer.unit == SHARE else answer.after
    within, apart = (counted(words.figure(float(one[0])), after) for one in (found.within, found.apart))
    median = f"about {apart} from" if found.apart[0] > 1e-9 * abs(found.within[0]) else "on"
    return (
        f"On made-up tables 95 of 100 answers lay within {within} of the blocks' median. That median lay {median} the whole "
        "table's own answer."
    )


def _near_each(scenario: Scenario, found: Foretold, answer: KindOfAnswer) -> str:
    """Of several numbers: from the nearest to the furthest, in their unit, or in shares of their bounds where units differ; of
    what is computed from them, as a line is, they are the released ones."""
    low, high = np.array(bounds_of(blocks_of(scenario).target, scenario.n)).T
    within, apart = found.within / (high - low), found.apart / (high - low)
    computed = facts(answer).values is None
    if answer.unit or computed:
        after = "" if answer.unit == SHARE else answer.after
        near, off = (_range(each, lambda value: counted(words.figure(value), after)) for each in (found.within, found.apart))
    else:
        near, off = (f"{_range(each, lambda value: f'{value:.2g}')} of its public range" for each in (within, apart))
    number = f"{'released ' * computed}number"
    told = (
        f"On made-up tables each {number}, taken alone, lay within {near} of the blocks' median 95 of 100 times. That median lay "
        f"{off} from the whole table's own answer."
    )
    return f"{told} So some numbers tell next to nothing." if float(within.max()) >= _NOTHING else told


def _range(values: FloatArray, said: Callable[[float], str]) -> str:
    """The least and the largest; one of the two where they are said alike."""
    least, most = said(float(values.min())), said(float(values.max()))
    return most if least == most else f"{least} to {most}"
