"""Which penalty a private choice of s, or of an upper bound, needs: the worst mean regret over tables, sizes and levels of ε."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from dpcore import RANGE, Adjacency, Exponential, PureDP, targets
from dpcore.base.people import PERSON
from pages.experiment.contributions.asked import COUNT, SUM, Terms
from pages.experiment.contributions.cap import Cap, counted_rows
from pages.experiment.contributions.noise import LaplaceNoise
from pages.experiment.contributions.private_choice import PrivateChoice, private_choice
from tests.benchmarks.capped_people import TABLES, Table
from tests.benchmarks.private_cap import VALUE, WHOSE, chosen

TITLE = "Which penalty a private choice needs"
NOTE = (
    "The worst mean regret, exactly by the law of permute-and-flip, adding or removing a person. *Rows*: counts and sums, "
    "2,000, 10,000 and 100,000 people, ε of choice and answer 0.1 and 0.9, 0.3 and 0.7, 0.02 and 0.18, 0.5 and 4.5, candidates "
    "up to 1,000. *Bounds*: sums of 300, 2,000 and 10,000 people, s = 3, 20 and 100, the columns' own bounds 100, 1,000 and "
    "10,000, ε 0.1 and 1."
)
HEADER = ("what", "wanted", *TABLES)
EPSILONS = ((0.1, 0.9), (0.3, 0.7), (0.02, 0.18), (0.5, 4.5))
OF_ROWS, OF_BOUNDS = (0.3, 1.0, 1.5, 2.0, 3.0), (0.0, 1.0, 2.0)  # times 1/ε of the choice, or s/ε


def rows() -> Iterator[tuple[str, ...]]:
    """(what, wanted, the worst regret of each kind of table)."""
    for times in OF_ROWS:
        yield (f"rows, penalty {times:g}/ε", "shown", *(f"{_of_rows(name, times):.1f}" for name in TABLES))
    for times in OF_BOUNDS:
        yield (f"bounds, penalty {times:g}·s/ε", "shown", *(f"{_of_bounds(name, times):.1f}" for name in TABLES))


def _of_rows(name: str, times: float) -> float:
    tables = [TABLES[name](people) for people in (2_000, 10_000, 100_000)]
    return max(
        chosen(table, asked, times / choosing, choosing=choosing, answering=answering).regret
        for table, asked, (choosing, answering) in itertools.product(tables, (COUNT, SUM), EPSILONS)
    )


def _of_bounds(name: str, times: float) -> float:
    tables = [TABLES[name](people) for people in (300, 2_000, 10_000)]
    return max(
        bounded(table, highest, s, times * s / 0.1).regret
        for table, highest, s in itertools.product(tables, (100.0, 1_000.0, 10_000.0), (3, 20, 100))
    )


def bounded(
    table: Table, highest: float, s: int, penalty: float, *, choosing: float = 0.1, answering: float = 1.0
) -> PrivateChoice:
    """The law of the choice of an upper bound for a sum on one table, and what follows from it."""
    database = np.zeros(len(table.person), dtype=[(VALUE, np.float64), (WHOSE, PERSON)])
    database[VALUE], database[WHOSE] = table.value, table.field
    question = targets.On(targets.Sum((0.0, highest)), (VALUE,))
    target = targets.BoundScores(question, WHOSE, highest, s, release_epsilon=answering, penalty=penalty)
    mechanism, proof = Exponential.suited(target), target.global_sensitivity(RANGE, 1, Adjacency.ADD_OR_REMOVE_ONE_USER)
    assert mechanism is not None
    assert proof is not None
    law = mechanism.calibrate(proof, PureDP(choosing)).law
    terms = Terms(LaplaceNoise(PureDP(answering)), Adjacency.ADD_OR_REMOVE_ONE_USER)
    counted = counted_rows(table.field, np.array(table.value))
    bounds = [(0.0, high) for high in target.candidates]
    return private_choice(law, target(database), target.candidates, counted, SUM, terms, [Cap(s)], bounds)
