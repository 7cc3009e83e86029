"""Ways to make one answer private, beside one another: how far off each is along ε, what it promises, and to whom."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.answers.numbers import Numbers
from dpcore.answers.place import Place
from dpcore.audits.blocks_foretold import Foretold, foretold_at, usual_blocks
from dpcore.audits.smooth_sensitivity import SmoothNoise, moves_within, noise_scale, serves
from dpcore.base.counted import counted
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.errors import DpcoreError
from dpcore.guarantees.privacy import Adjacency, PureDP, RandomDP
from dpcore.guarantees.words import at_most
from dpcore.mechanisms.base import Calibrated
from dpcore.mechanisms.response_law import GEOMETRIC, LAPLACE, SHARE_WITHIN
from dpcore.sampling.blocks import generator
from pages.experiment import cost
from pages.experiment.computable import answered
from pages.experiment.in_blocks import MOST_NUMBERS, bounds_of, calibrated, trying_at
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from pages.experiment.steps import Steps, computable_in_steps, finished

TABLES, _SEED = 8, 2017  # tables on which all is computed
STEPS, _STEP, _BELOW = 12, 1.5, 6  # values of ε, from one to the next, and how many of them are below the scenario's
AT_ONCE, LONGEST = 1.5, 600.0  # seconds that a page waits for it unasked, and that it is made at all
_SECONDS_A_LAW = 6e-4  # to work out the chances of all places, for one number on one table at one ε
_SECONDS_A_ROW, _SECONDS_A_BLOCK = 2e-7, 1e-5  # to draw a row and to deal it to a block, and to hand a block over
SAMPLED, WORST, BLOCKS, SMOOTH = "sampled", "worst case", "blocks", "smooth"
_EVERY_ROW = "DP, every row"

# What a table must be, and a question, so that the ways can be compared.


def lacks(scenario: Scenario, columns: tuple[Column, ...]) -> str:
    """What is missing, and what to do, in plain sentences; empty where nothing is."""
    target: Any = scenario.target
    if not scenario.adjacency.of_records:
        return "Here whole people are protected, and this chart compares ways to protect rows. Pick a table of single rows."
    if scenario.adjacency is not Adjacency.REPLACE_ONE_RECORD:
        return "Blocks need a public number of rows, and here a row may be added or removed. Pick a question of a public table."
    answer = answered(scenario, columns)
    if isinstance(answer, Place):
        return "This answer is chosen among public places. That is DP itself and needs no oracle. Ask for a quantile to compare."
    if facts(target).scores is True:
        return "This answer is a choice, and this chart compares numbers. Ask for a mean or a median to compare."
    if facts(target).groups:
        return "This chart is about one answer of all rows, and not by group. Take the groups away to see it."
    if facts(target).steps is not None:
        return "This classifier is chosen in two steps, and blocks give one answer each. Pick the linear SVM to compare."
    if facts(target).from_a_part not in ("alike", "in proportion"):
        return "Blocks of rows cannot answer this question for the whole table. Ask for a mean, a sum or a median instead."
    if not _adds_laplace_noise(scenario):
        return "This chart compares ways that all promise the same, without δ. Choose Laplace noise on numbers under Options."
    numbers = bounds_of(scenario.target, scenario.n)
    if not 0 < len(numbers) <= MOST_NUMBERS:
        return (
            "Blocks need public bounds of the answer, and none are stated. Set them under Options, or ask for a sum or a share."
        )
    if isinstance(answer, Numbers) and len(numbers) > 1 and len(columns) > 1:
        return "The columns of this question have units of their own, and one chart has one. Pick a single column to see it."
    return "One row cannot be dealt to blocks. Pick a table of at least two rows." if scenario.n < 2 else ""


def _adds_laplace_noise(scenario: Scenario) -> bool:
    try:
        law = scenario.mechanism.law(scenario.target, 1.0, scenario.privacy)
    except DpcoreError:
        return False
    return facts(law).composes_as in (LAPLACE, GEOMETRIC)


def seconds(scenario: Scenario, oracle: Oracle) -> float:
    """About how long the comparison takes."""
    n, ks = scenario.n, {usual_blocks(scenario.n, epsilon) for epsilon in ladder(scenario.epsilon)}
    a_block = _SECONDS_A_BLOCK + cost.a_call(scenario.target, oracle, max(1, n // usual_blocks(n, scenario.epsilon)))
    calls = sum(ks) * a_block + len(ks) * (_SECONDS_A_ROW * n + cost.a_call(scenario.target, oracle, n))
    return float(TABLES * (calls + STEPS * _SECONDS_A_LAW * len(bounds_of(scenario.target, scenario.n))))


# How far off the ways are that need tables for it.


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Rivals:
    """At each of the ``epsilons``, of which the one at ``here`` is the scenario's. ``smooth``: of a quantile alone.
    ``simulated``: on tables that the oracle made up, else on the public table with its rows in random orders."""

    epsilons: FloatArray
    here: int
    blocks: tuple[Foretold, ...]
    smooth: tuple[SmoothNoise, ...]
    simulated: bool

    @property
    def k(self) -> int:
        """How many blocks there are at the scenario's ε."""
        return self.blocks[self.here].k

    @property
    def near(self) -> float:
        """Within which distance of their median 95 in 100 answers of blocks lie at the scenario's ε: of the widest number."""
        return float(np.max(self.blocks[self.here].within))

    @property
    def answered(self) -> bool:
        """Whether on each table some block has an answer at the scenario's ε: a block can have too few rows for one."""
        return bool(np.isfinite(self.blocks[self.here].apart).all())

    @property
    def apart(self) -> FloatArray:
        """How far the blocks' median lies from the table's own answer, without any noise."""
        return np.array([_over_numbers(one.apart) for one in self.blocks])


def ladder(epsilon: float) -> tuple[float, ...]:
    """A dozen values around an ε, which is one of them: each 1.5 times the one before, within what the app offers."""
    most = math.floor(math.log(MOST_EPSILON / epsilon) / math.log(_STEP) + 1e-9)
    least = math.ceil(math.log(LEAST_EPSILON / epsilon) / math.log(_STEP) - 1e-9)
    first = max(least, min(-_BELOW, most - STEPS + 1))
    return tuple(epsilon * _STEP**step if step else epsilon for step in range(first, first + STEPS))


@computable_in_steps
def comparing(scenario: Scenario, oracle: Oracle, public: Database | None) -> Steps[Rivals]:
    """On tables of the oracle, or on a public table of the scenario's n. Nothing of a confidential table is looked at."""
    n, epsilons = scenario.n, ladder(scenario.epsilon)
    source: Any = oracle if public is None else _InAnyOrder(public)
    tried = yield from trying_at(scenario.target, n, epsilons, oracle)
    blocks = {one: best[0] for one, (_, best) in zip(epsilons, tried, strict=True) if best and public is None}
    ks = {one: k or usual_blocks(n, one) for one, (k, _) in zip(epsilons, tried, strict=True) if one not in blocks}
    several_ks = sorted(set(ks.values()))
    for done, k in enumerate(several_ks):
        yield done / len(several_ks)
        several = [one for one in ks if ks[one] == k]
        at = [calibrated(scenario.target, n, k, one) for one in several]
        blocks |= zip(several, foretold_at(at, source, tables=TABLES, seed=_SEED), strict=True)
    return Rivals(
        epsilons=np.array(epsilons),
        here=epsilons.index(scenario.epsilon),
        blocks=tuple(blocks[one] for one in epsilons),
        smooth=_smooth(scenario, source, epsilons) if serves(scenario.target) else (),
        simulated=public is None,
    )


def rivals(scenario: Scenario, oracle: Oracle, public: Database | None) -> Rivals:
    """The same at once."""
    return finished(comparing(scenario, oracle, public))


def _smooth(scenario: Scenario, source: Oracle, epsilons: tuple[float, ...]) -> tuple[SmoothNoise, ...]:
    """Of the same tables as the blocks."""
    rng = generator(_SEED)
    tables = [source.draw(1, scenario.n, rng=rng)[0] for _ in range(TABLES)]
    moves = [moves_within(scenario.target, table, least_epsilon=epsilons[0]) for table in tables]
    return tuple(SmoothNoise(tuple(noise_scale(one, epsilon) for one in moves)) for epsilon in epsilons)


@final
@dataclass(frozen=True, eq=False)
class _InAnyOrder:
    """A public table, its rows in a random order each time, so that each draw deals them to other blocks."""

    records: Database

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """(databases, records, …)"""
        return np.stack([self.records[rng.permutation(len(self.records))[:records]] for _ in range(databases)])


# All ways, each with its promise.


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Way:
    """``errors``: root mean squares at each ε, over all numbers of an answer; ``error``: at the scenario's. ``near``: within
    which distance 95 in 100 of the noise lies there, of blocks around their median. ``calls``: how often the target is asked."""

    name: str
    says: str
    promise: str
    errors: FloatArray
    error: float
    near: float
    calls: str


def ways(found: Rivals, noise: Calibrated[Any], worst: Calibrated[Any] | None) -> tuple[Way, ...]:
    """Sampled noise first, then those that leave nobody out: the nearest first at this ε."""
    guarantee: RandomDP = noise.guarantee
    sensitivity: Any = noise.sensitivity
    proper = [_by_blocks(found)]
    if worst is not None:
        proper.append(_by_noise(WORST, "noise sized to the proved worst case", _EVERY_ROW, worst, found, "1"))
    if found.smooth:
        proper.append(_by_smooth(found))
    average = ", on average" * (guarantee.confidence is None)
    promise = f"random DP, all but {at_most(guarantee.gamma)} of random changes{average}"
    calls = f"1, after {counted(sensitivity.point.m, ' trials')}"
    sampled = _by_noise(SAMPLED, "noise sized to trials", promise, noise, found, calls)
    return (sampled, *sorted(proper, key=lambda way: way.error))


def _by_blocks(found: Rivals) -> Way:
    here = found.blocks[found.here]
    errors = np.array([_over_numbers(one.error) for one in found.blocks])
    says = f"sample and aggregate, {counted(here.k, ' blocks')}"
    return _way(found, BLOCKS, says, _EVERY_ROW, errors, found.near, f"{here.k:,}")


def _by_smooth(found: Rivals) -> Way:
    errors = np.array([one.root_mean_square for one in found.smooth])
    near = found.smooth[found.here].half_width(SHARE_WITHIN)
    return _way(found, SMOOTH, "noise sized to the smooth sensitivity", _EVERY_ROW, errors, near, "1")


def _by_noise(name: str, says: str, promise: str, made: Calibrated[Any], found: Rivals, calls: str) -> Way:
    """Of noise that is added to each number, whatever the table."""
    sensitivity, mechanism = made.sensitivity, made.mechanism
    laws: list[Any] = [mechanism.law(sensitivity.target, sensitivity.value, PureDP(float(one))) for one in found.epsilons]
    errors = np.array([_root_mean_square(law) for law in laws])
    return _way(found, name, says, promise, errors, laws[found.here].half_width(SHARE_WITHIN), calls)


def _way(found: Rivals, name: str, says: str, promise: str, errors: FloatArray, near: float, calls: str) -> Way:
    error = float(errors[found.here])
    return Way(name=name, says=says, promise=promise, errors=errors, error=error, near=near, calls=calls)


def _root_mean_square(law: Any) -> float:
    """Of Laplace noise √2·scale, and of whole noise √(2a)/(1 − a), a = exp(−1/scale) (mathematics, section 1.10)."""
    if facts(law).composes_as == LAPLACE:
        return math.sqrt(2) * float(law.scale)
    return math.sqrt(2 * math.exp(-1 / law.scale)) / -math.expm1(-1 / law.scale)


def _over_numbers(errors: FloatArray) -> float:
    return float(np.sqrt(np.mean(errors**2)))
