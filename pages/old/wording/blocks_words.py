"""What is said of a question that is asked of blocks: whom that protects, and how far off its answer is."""

from __future__ import annotations

from dpcore.answers.numbers import SHARE
from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees import words
from dpcore.oracles.product import laws_of
from pages.experiment.blocks import blocks_of, foretold_of
from pages.experiment.computable import answered
from pages.experiment.scenario import Scenario
from pages.files.tables import Table


def dealt(scenario: Scenario) -> str:
    """How many blocks there are, and what is protected; empty of another question."""
    made = blocks_of(scenario)
    if made is None:
        return ""
    return (
        f"The {scenario.n:,} rows are dealt to {made.k:,} blocks by their places, before anybody looks. The question is asked of "
        "each, and a private median of the answers is published. Another row in one place changes one block, and no such change "
        "is left out."
    )


def near(scenario: Scenario, table: Table) -> str:
    """How far off the answer is, foretold on made-up tables alone; empty where that is not known."""
    found = foretold_of(scenario, table)
    if found is None:
        return ""
    answer = answered(scenario, table.taken(scenario.columns, scenario.target))
    after = "" if answer.unit == SHARE else answer.after
    within, apart = (counted(words.figure(one), after) for one in (found.within, found.apart))
    median = f"about {apart} from" if found.apart > 1e-9 * abs(found.within) else "on"
    told = (
        f"On made-up tables 95 of 100 answers lay within {within} of the blocks' median. That median lay {median} the whole "
        "table's own answer."
    )
    return f"{told} {_alone(scenario, table)}".strip()


def _alone(scenario: Scenario, table: Table) -> str:
    """What made-up tables cannot show, where they have each column drawn by itself."""
    about = facts(blocks_of(scenario).target).about_relations
    if not about or not laws_of(scenario.resolved_oracle(table), scenario.columns):
        return ""
    return "Their columns were drawn each by itself. Where columns hang together, the median may lie further off."
