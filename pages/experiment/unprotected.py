"""Changes that a sampled sensitivity does not protect: pairs of the sample beyond Δ̂, and the cost of a wrong oracle.

That cost is a bound (Proposition 8 of Rubinstein and Aldà 2017), or a share of pairs drawn from another oracle.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from dpcore import Column
from dpcore.audits.wrong_oracle import Missed, gamma_elsewhere, missed, records_that_decide
from dpcore.base.arrays import FloatArray
from pages.experiment import cost
from pages.experiment.attack import SLACK
from pages.experiment.choices import kind_of
from pages.experiment.noise import computable
from pages.experiment.question import asked_plainly, oracle_of_kind, oracles_of, own_columns
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.view import Question, View

LEAST_TAU, MOST_TAU, FIRST_TAU = 1e-6, 1.0, 0.01
TAUS = tuple(float(f"{one:.2g}") for one in np.geomspace(LEAST_TAU, MOST_TAU, 61))
FEWEST_PAIRS, MOST_PAIRS = 100, 4_000
_SECONDS, _MOST_SECONDS = 0.7, 5.0  # the page waits this long for pairs: usually, and for the smallest number of pairs
_ANOTHER, _OWN = 8, 9  # added to the seed: these pairs differ from those that the noise is calibrated to


def can_be_unprotected(view: View) -> bool:
    """Return whether some changes may be beyond Δ̂: the noise is sampled, and no proof covers all changes."""
    if view.scenario.noise is not Noise.SAMPLED or view.order_statistic is None:
        return False
    proved = view.question.worst_case
    return proved is None or proved.value > view.order_statistic * SLACK  # a proved sensitivity is rounded up


def beyond(view: View) -> FloatArray:
    """Return the distances of pairs beyond Δ̂ that have an answer, in ascending order."""
    assert view.sampled is not None
    distances = np.sort(view.sampled.distances)
    return distances[np.isfinite(distances) & (distances > view.sampled.order_statistic)]


def without_answer(view: View) -> int:
    """Return the number of pairs for which the target failed."""
    assert view.sampled is not None
    return int(np.isinf(view.sampled.distances).sum())


@computable
def three_pairs(view: View) -> list[tuple[float, float]]:
    """Return at most three pairs beyond Δ̂: the nearest, the median and the furthest.

    Each is the distance of its answers, and the accuracy of the best attacker on it, or a bound.
    """
    assert view.attacker is not None
    distances = beyond(view).tolist()
    places = sorted({0, (len(distances) - 1) // 2, len(distances) - 1}) if distances else []
    return [(distances[place], float(view.attacker.right(distances[place]))) for place in places]


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
    own, columns = _own_scenario(question)
    return tuple(kind for kind in oracles_of(question.table, columns, own.target) if kind != kind_of(own.oracle))


def another(question: Question, kind: str) -> Question:
    """Return the same question with another kind of oracle.

    Args:
        question: The question.
        kind: Class name of the oracle.

    Raises:
        InvalidValueError: If the oracle would be made from a confidential table.
    """
    scenario, (_, columns) = question.scenario, _own_scenario(question)
    oracle = oracle_of_kind(kind, question.table, columns, scenario.target, scenario.oracle)
    return Question(scenario.with_(oracle=oracle), question.table)


def _own_scenario(question: Question) -> tuple[Scenario, tuple[Column, ...]]:
    """Return the scenario without conditions, groups and users, and the columns that its target takes."""
    own, table = question.scenario, question.table
    if own.target.accepts_structured:
        own = own.with_(**asked_plainly(own, table))
    return own, table.taken(own_columns(own), own.target)


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
