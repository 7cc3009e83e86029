"""The cost of a wrong oracle: Proposition 8 of Rubinstein and Aldà (2017), and pairs drawn from another oracle."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from dpcore.audits.wrong_oracle import Missed, gamma_elsewhere, missed, records_that_decide
from dpcore.base.types import FloatArray, Oracle, takes_fields
from pages.experiment import cost
from pages.experiment.choices import kind_of, oracle_for
from pages.experiment.computable import computable
from pages.experiment.question import asked, asked_plainly, conditions, oracles_of, own_columns
from pages.experiment.scenario import Scenario, TableRecords
from pages.experiment.view import Question, View

LEAST_TAU, MOST_TAU, FIRST_TAU = 1e-6, 1.0, 0.01
TAUS = tuple(float(f"{one:.2g}") for one in np.geomspace(LEAST_TAU, MOST_TAU, 61))
FEWEST_PAIRS, MOST_PAIRS = 100, 4_000
_SECONDS, _MOST_SECONDS = 0.7, 5.0  # the page waits this long for pairs: usually, and for the smallest number of pairs
_ANOTHER, _OWN = 8, 9  # added to the seed: these pairs differ from those that the noise is calibrated to


def deciding_records(view: View) -> int | None:
    """Return the number of independent records that decide whether a pair is protected.

    Args:
        view: The view.

    Returns:
        The number, or None if the records of a table depend on each other.
    """
    scenario = view.scenario
    return records_that_decide(scenario.target, view.question.oracle, scenario.n, scenario.adjacency)


def gammas(gamma: float, records: int | None, taus: FloatArray) -> FloatArray:
    """Return the largest share of unprotected changes for each divergence τ of one record, or of one table.

    Args:
        gamma: The share that the guarantee states.
        records: Number of independent records that decide; None for a whole table.
        taus: Divergences in nats.
    """
    return np.array([gamma_elsewhere(gamma, (records or 1) * float(tau)) for tau in taus])


def other_oracles(question: Question) -> tuple[str, ...]:
    """Return the kinds of oracles that suit the columns, except the scenario's own."""
    own = _own_scenario(question)
    columns = question.table.taken(own_columns(own), own.target)
    kinds = oracles_of(question.table, columns, own.target)
    return tuple(kind for kind in kinds if kind != kind_of(own.oracle))


def another(question: Question, kind: str) -> Question:
    """Return the same question with another kind of oracle.

    Args:
        question: The question.
        kind: Class name of the oracle.

    Raises:
        InvalidValueError: If the oracle would be made from a confidential table.
    """
    scenario, table = question.scenario, question.table
    own = _own_scenario(question)
    oracle: Oracle | TableRecords = oracle_for(kind, table, table.taken(own_columns(own), own.target))
    if not takes_fields(scenario.target):
        return Question(scenario.with_(oracle=oracle), table)
    again: dict[str, Any] = asked(own.with_(oracle=oracle), table, *conditions(scenario), like=scenario)
    return Question(scenario.with_(oracle=again["oracle"]), table)


@computable
def unprotected_share(question: Question, sensitivity: float, *, own: bool = False) -> Missed:
    """Return the share of random pairs of an oracle that move the answer further than a sensitivity.

    Args:
        question: The question, with the oracle to try.
        sensitivity: Δ̂, usually from another oracle.
        own: Whether the noise is calibrated to pairs of this oracle. It selects the seed.

    Raises:
        TooSlowError: If 100 pairs take longer than 5 s.
    """
    scenario = question.scenario
    cost.refuse_slow(FEWEST_PAIRS, question.seconds_a_pair, _MOST_SECONDS)
    parts = scenario.target, question.oracle, scenario.norm, scenario.n, sensitivity
    how: dict[str, Any] = {"seed": (scenario.seed + (_OWN if own else _ANOTHER)) % 2**128, "adjacency": scenario.adjacency}
    start = time.perf_counter()
    few = missed(*parts, pairs=FEWEST_PAIRS, **how)
    # Estimated times can be several times too low, so the first pairs are timed.
    pairs = min(MOST_PAIRS, int(FEWEST_PAIRS * _SECONDS / (time.perf_counter() - start)))
    return few if pairs < 2 * FEWEST_PAIRS else missed(*parts, pairs=pairs, **how)


def _own_scenario(question: Question) -> Scenario:
    """Return the scenario without conditions, groups and users, and its oracle for plain columns."""
    scenario = question.scenario
    return scenario.with_(**asked_plainly(scenario, question.table)) if takes_fields(scenario.target) else scenario
