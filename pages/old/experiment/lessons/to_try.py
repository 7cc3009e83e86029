"""The scenario that a page opens for somebody who tries the example of a lesson."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.base.bounds import Interval
from dpcore.mechanisms.exponential import Exponential
from dpcore.targets.known_count import KnownCount
from dpcore.targets.sample_and_aggregate import SampleAndAggregate
from pages.experiment import tables
from pages.experiment.choices import NAME, usual_oracle
from pages.experiment.choices import example as of_table
from pages.experiment.question import asked
from pages.experiment.scenario import Scenario
from pages.old.experiment.lessons.example import Example


def scenario(example: Example) -> Scenario:
    """The example's."""
    changed = {name: getattr(example, name) for name in ("target", "oracle", "n", "m", "gamma", "epsilon")}
    return of_table(tables.table(NAME)).with_(**changed)


def of_blocks(example: Example, k: int, limits: Interval) -> Scenario:
    """The example's target, asked of k blocks: differential privacy, with answers between the limits."""
    asked = SampleAndAggregate(example.target, k, limits)
    choice = Exponential.suited(asked)
    assert choice is not None, "it names its places"
    return scenario(example).with_(target=asked, mechanism=choice, norm=choice.norm)


def of_people(rows: int) -> Scenario:
    """How many clinic visits there were, where nobody counts for more than so many."""
    visits, target = tables.table("visits"), KnownCount()
    oracle = usual_oracle(visits, (visits.column("minutes"),))
    of_rows = of_table(tables.table(NAME)).with_(
        table=visits.name, columns=("minutes",), target=target, n=len(visits), epsilon=0.1, oracle=oracle
    )
    about = of_rows.with_(**asked(of_rows, visits))
    question: Any = about.target
    return about.with_(target=replace(question, rows=rows))
