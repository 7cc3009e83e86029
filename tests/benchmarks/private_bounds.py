"""Which penalty a private choice of the bounds of records' values needs: the mean regret over tables, grids and levels of ε."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from dpcore import RANGE, Adjacency, Exponential, PureDP, targets
from dpcore.base.types import FloatArray
from pages.experiment.contributions import records
from pages.experiment.contributions.asked import SUM, Terms
from pages.experiment.contributions.cap import Cap
from pages.experiment.contributions.noise import LaplaceNoise
from pages.experiment.contributions.private_choice import private_choice

TITLE = "Which penalty a private choice of bounds needs"
NOTE = (
    "The mean regret of a sum, exactly by the law of permute-and-flip, replacing a record: the median and the worst over "
    "tables of 300, 1,000 and 10,000 records, ε of choice and answer 0.1 and 1, 0.5 and 0.5, 0.02 and 0.18, 0.1 and 0.1. "
    "*Grids* are 1, 2, 5 and so on, from 1 to 10⁹, from 1 to 10⁶ and from 0.01 to 10⁴. *Tables*: log-normal values (e⁵, σ = "
    "1), uniform ones up to 100, Pareto ones (1.2, from 10 on), and 5,000 once in a hundred among tens."
)
_GRIDS = ((1.0, 1e9), (1.0, 1e6), (0.01, 1e4))
HEADER = ("penalty", "wanted", *(f"up to 10^{np.log10(most):.0f}" for _, most in _GRIDS))
_EPSILONS = ((0.1, 1.0), (0.5, 0.5), (0.02, 0.18), (0.1, 0.1))
_PENALTIES = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)  # times 1/ε of the choice


def rows() -> Iterator[tuple[str, ...]]:
    """(penalty, wanted, the regrets on each grid)."""
    tables = [table for n in (300, 1_000, 10_000) for table in _tables(n)]
    for times in _PENALTIES:
        found = [
            [_regret(table, grid, epsilons, times) for table, epsilons in itertools.product(tables, _EPSILONS)] for grid in _GRIDS
        ]
        yield (f"{times:g}/ε", "shown", *(f"{np.median(each):.1f}, at most {max(each):,.0f}" for each in found))


def _tables(n: int) -> list[FloatArray]:
    rng = np.random.default_rng(1)
    normal, even, heavy = rng.lognormal(5, 1, n), rng.uniform(0, 100, n), (rng.pareto(1.2, n) + 1) * 10
    return [normal, even, heavy, np.where(rng.random(n) < 0.01, 5_000.0, 10.0)]


def _regret(values: FloatArray, grid: tuple[float, float], epsilons: tuple[float, float], times: float) -> float:
    (least, most), (choosing, answering) = grid, epsilons
    question = targets.On(targets.Sum((0.0, most)), ("x",))
    target = targets.RecordBoundScores(question, least, release_epsilon=answering, penalty=times / choosing)
    database = np.zeros(len(values), dtype=[("x", np.float64)])
    database["x"] = values
    proof = target.global_sensitivity(RANGE, len(values))
    assert proof is not None
    law = Exponential(None).calibrate(proof, PureDP(choosing)).law
    terms = Terms(LaplaceNoise(PureDP(answering)), Adjacency.REPLACE_ONE_USER)
    bounds = [target.bounds_at(bound) for bound in target.candidates]
    counted = records.rows_of(question, database)
    return private_choice(law, target(database), target.candidates, counted, SUM, terms, [Cap(1)], bounds).regret
