"""How far what sample and aggregate releases will lie from the blocks' median, and that from the table's own answer: foretold on
made-up tables alone, and how many blocks that makes best."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.checks import positive, whole
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.base import Calibrated
from dpcore.sampling.blocks import generator, vector

_SHARE = 0.95
_GROWTH = 6.0
SAFE_BLOCKS = 80.0  # over ε: fewer blocks let a far place be chosen (mathematics, section 20.5)
_STEP = 1.4  # from one number of blocks that is tried to the next


@final
@dataclass(frozen=True, eq=False)
class Foretold:
    """Root mean squares, one for each number of the answer, (d,), each in the number's own unit.

    ``around``: of what is released about the median of the blocks' answers, from the law of the chosen place; ``within``: the
    distance in which .95 of it lies. ``apart``: of that median about the table's own answer, which no noise explains. ``error``:
    of what is released about the table's own answer. ``alike``: whether on each table all blocks gave one and the same answer, as
    of a correlation where each holds one row: that tells nothing of another table.
    """

    k: int
    around: FloatArray
    within: FloatArray
    apart: FloatArray
    error: FloatArray
    alike: bool = False


def foretold(calibrated: Calibrated[PureDP], oracle: Oracle, *, tables: int, seed: int) -> Foretold:
    """What releases would be on so many made-up tables: their laws are known, so that nothing is simulated but the tables. NaN
    where on one of them no block has an answer.

    ``calibrated`` is a choice for a target of sample and aggregate that is asked of records, for a stated n.
    """
    return foretold_at((calibrated,), oracle, tables=tables, seed=seed)[0]


def foretold_at(calibrated: Sequence[Calibrated[PureDP]], oracle: Oracle, *, tables: int, seed: int) -> tuple[Foretold, ...]:
    """The same at several ε, for one target in as many blocks: it is asked once."""
    blocks: Any = calibrated[0].sensitivity.target
    n, rng = calibrated[0].sensitivity.n, generator(seed)
    if facts(blocks).scores_of is None or n is None or not calibrated[0].sensitivity.adjacency.of_records:
        raise InvalidValueError(
            "calibrated", "a choice for a target of sample and aggregate, of a stated number of rows", calibrated[0]
        )
    places = _places(blocks)
    medians, own, scored, alike = [], [], [], True
    for _ in range(whole("tables", tables)):
        database = oracle.draw(1, n, rng=rng)[0]
        answers = blocks.answers(database)
        there = answers[~np.isnan(answers[:, 0])]
        medians.append(np.median(there, axis=0) if len(there) else answers[0])
        alike = alike and (len(there) == 0 or bool((np.ptp(there, axis=0) == 0).all()))
        own.append(vector(blocks.target(database)))
        scored.append(blocks.scores_of(answers).reshape(len(places), -1))
    middle, truth = np.array(medians)[:, :, None], np.array(own)[:, :, None]
    return tuple(_foretold(one, blocks.k, scored, places, middle, truth, alike=alike) for one in calibrated)


def _foretold(
    calibrated: Calibrated[PureDP],
    k: int,
    scored: list[FloatArray],
    places: FloatArray,
    middle: FloatArray,
    truth: FloatArray,
    *,
    alike: bool,
) -> Foretold:
    each: Any = facts(calibrated.law).each or calibrated.law
    chance = np.array([[each.probabilities(scores) for scores in table] for table in scored])
    return Foretold(
        k,
        _root(chance, places - middle),
        np.array([_within(chance[:, g], np.abs(places - middle)[:, g]) for g in range(len(places))]),
        np.sqrt(np.mean((middle - truth)[:, :, 0] ** 2, axis=0)),
        _root(chance, places - truth),
        alike,
    )


def usual_blocks(n: int, epsilon: float) -> int:
    """How many blocks for n records, from n and ε alone: 6·(n/ε²)^(1/3), at least 80/ε, at most n (mathematics, section 20.5)."""
    n, epsilon = whole("n", n, least=2), positive("epsilon", epsilon)
    return int(min(n, max(2.0, SAFE_BLOCKS / epsilon, _GROWTH * (n / epsilon**2) ** (1 / 3))))


def best_blocks(
    made: Callable[[int], Calibrated[PureDP]], n: int, oracle: Oracle, *, tables: int, seed: int, tried: Iterable[int] = ()
) -> tuple[Foretold, ...]:
    """What is foretold for several numbers of blocks, the best first; each is tried on the same made-up tables.

    ``made(k)`` is the choice with k blocks. Of several numbers the errors count in units of the least that each can have.
    ``tried``: the numbers of blocks, by default from 2 to n in steps of 1.4 and those that divide n evenly by 3, 5, 7.
    """
    ladder = tuple(tried) or tuple(sorted({*_ladder(n), *(n // odd for odd in (1, 3, 5, 7) if n // odd >= 2)}))
    found = [foretold(made(k), oracle, tables=tables, seed=seed) for k in ladder]
    unit = np.min([one.error for one in found], axis=0)
    return tuple(sorted(found, key=lambda one: float(np.sum(one.error / np.maximum(unit, np.finfo(float).tiny)))))


def _ladder(n: int) -> Iterable[int]:
    return (round(2 * _STEP**step) for step in range(int(math.log(n / 2, _STEP)) + 1))


def _places(blocks: Any) -> FloatArray:
    """Each number's places in its own unit, (d, places)."""
    return np.array([blocks.on_their_scales((place,) * blocks.numbers) for place in blocks.candidates]).T


def _root(chance: FloatArray, away: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.mean((chance * away**2).sum(axis=2), axis=0)))


def _within(chance: FloatArray, away: FloatArray) -> float:
    flat = away.ravel()
    order = np.argsort(flat)
    reached = np.cumsum(chance.ravel()[order]) / len(chance)
    return float(flat[order[min(int(np.searchsorted(reached, _SHARE)), len(flat) - 1)]])
