"""How much worse than the best s a privately chosen one is, on people whose rows are spread in different ways."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from dpcore import RANGE, Adjacency, Exponential, PureDP, targets
from dpcore.base.people import PERSON
from pages.experiment.contributions.asked import COUNT, SUM, Asked, Terms
from pages.experiment.contributions.cap import Cap, counted_rows
from pages.experiment.contributions.noise import LaplaceNoise
from pages.experiment.contributions.private_choice import PrivateChoice, private_choice
from tests.benchmarks.capped_people import TABLES, Table

TITLE = "What a private cap on people's rows costs"
NOTE = (
    "ε = 1 in all, a tenth of it for the choice of s by permute-and-flip, the rest for the answer; adding or removing a person; "
    "candidates up to 1,000. *Regret*: by how much the expected error is larger than at the best candidate with the same ε for "
    "the answer, on average over choices, exactly by the law of the choice, and in 19 of 20 choices at most. *Whole price*: by "
    "how much choosing and answering together are worse than the best s known from the start, with all of ε for the answer. A "
    "sum is of values from 0 to 100. The penalty is public: without noise, s is chosen over 1 only where it leaves fewer "
    "people with more rows, by the penalty times log(s)."
)
HEADER = ("what", "wanted", "best s", "likeliest s", "regret", "in 19 of 20", "whole price")
SIZES, PENALTIES = (10_000, 100_000), (30.0, 10.0, 3.0)
CHOOSING, ANSWERING = 0.1, 0.9
BOUNDS = (0.0, 100.0)
VALUE, WHOSE = "value", "person"


def rows() -> Iterator[tuple[str, ...]]:
    """(what, wanted, the best s, the likeliest, regrets, price)."""
    for people in SIZES:
        for name, make in TABLES.items():
            table = make(people)
            for asked, penalty in itertools.product((COUNT, SUM), PENALTIES):
                yield _row(f"{asked.name}, {people:,} people, {name}, penalty {penalty:g}", table, asked, penalty)


def _row(what: str, table: Table, asked: Asked, penalty: float) -> tuple[str, ...]:
    found, alone = chosen(table, asked, penalty), chosen(table, asked, penalty, answering=1.0)
    price = found.error / float(alone.errors.min()) - 1
    s = [f"{found.candidates[place]:,}" for place in (found.best, found.likeliest)]
    return (what, "shown", *s, *(f"{share:.0%}" for share in (found.regret, found.regret_within(0.95), price)))


def chosen(
    table: Table, asked: Asked, penalty: float, *, choosing: float = CHOOSING, answering: float = ANSWERING
) -> PrivateChoice:
    """The law of the choice on one table, and what follows from it."""
    database = np.zeros(len(table.person), dtype=[(VALUE, np.float64), (WHOSE, PERSON)])
    database[VALUE], database[WHOSE] = table.value, table.field
    question = targets.On(targets.Sum(BOUNDS), (VALUE,))
    target = targets.CapScores(question, WHOSE, release_epsilon=answering, penalty=penalty)
    mechanism, people = Exponential.suited(target), len(set(table.person))
    proof = target.global_sensitivity(RANGE, people, Adjacency.ADD_OR_REMOVE_ONE_USER)
    assert mechanism is not None
    assert proof is not None
    law = mechanism.calibrate(proof, PureDP(choosing)).law
    counted = counted_rows(table.field, None if asked is COUNT else np.array(table.value))
    terms = Terms(LaplaceNoise(PureDP(answering)), Adjacency.ADD_OR_REMOVE_ONE_USER)
    caps, bounds = [Cap(s) for s in target.candidates], None if asked is COUNT else [BOUNDS]
    return private_choice(law, target(database), target.candidates, counted, asked, terms, caps, bounds)
