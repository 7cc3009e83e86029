"""The plain way: two calls a pair, and what is made of the answers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, OperatingPoint, sample_sensitivity
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import Norm
from dpcore.base.types import Target
from dpcore.oracles import Uniform
from dpcore.sampling.blocks import Subject, compared, frozen
from dpcore.sampling.methods import PlainMethod

RNG = np.random.default_rng(9)


@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE], ids=repr)
@pytest.mark.parametrize("entries", [1, 2, 3, 7, 8, 9, 17, 130, 1_001])
def test_distances_of_a_block_have_the_bits_of_one_pair_alone(norm: Norm, entries: int) -> None:
    pairs = [(RNG.standard_cauchy(entries), RNG.standard_cauchy(entries)) for _ in range(8)]
    block = compared(norm, list(pairs))
    for (first, second), distance, size in zip(pairs, block.distances, block.sizes, strict=True):
        assert distance == norm(first - second)
        assert size == LINF(first)


def test_failures_and_answers_of_several_lengths_keep_their_places() -> None:
    answers = [(np.ones(2), np.zeros(2)), "why", (np.full(1, 5.0), np.full(1, 2.0)), "not", (np.full(2, 4.0), np.zeros(2))]
    block = compared(L1, answers)
    assert block.distances.tolist() == [2, np.inf, 3, np.inf, 8]
    assert np.isnan(block.sizes).tolist() == [False, True, False, True, False]
    assert block.failures == {1: "why", 3: "not"}
    assert compared(L1, ["why"]).distances.tolist() == [np.inf]


@pytest.mark.parametrize("norm", [L1, L2, LINF, RANGE], ids=repr)
def test_a_difference_beyond_the_floats_is_infinite(norm: Norm) -> None:
    far, both = np.array([1e308, -1e308]), np.array([1e308, 1e308])
    with np.errstate(all="ignore"):
        assert compared(norm, [(far, -far)]).distances.tolist() == [np.inf]
        assert compared(norm, [(both, -both)]).distances.tolist() == [np.inf]  # for RANGE infinite less infinite


class Buffered(Target):
    """Answers in the same array each time, as code that spares memory does."""

    def __init__(self) -> None:
        self.array = np.empty(1)

    def __call__(self, database: Database, /) -> FloatArray:
        self.array[0] = database.mean()
        return self.array


def test_a_target_that_answers_in_one_array_moves_as_far_as_one_that_does_not() -> None:
    point = OperatingPoint.for_gamma(0.05)
    drawn = [sample_sensitivity(f, Uniform(0, 1), norm=L1, n=6, at=point, seed=3).distances for f in (Buffered(), np.mean)]
    assert (drawn[0] > 0).all()
    assert (drawn[0] == drawn[1]).all()


@pytest.mark.parametrize(
    "answer",
    [float, lambda value: value, lambda value: np.array(value), lambda value: [value], lambda value: int(1e6 * value)],
    ids=["float", "numpy's float", "an array without axes", "a list", "a whole number"],
)
def test_an_answer_is_a_number_or_a_sequence_of_them(answer: Callable[[np.float64], object]) -> None:
    extended = frozen(RNG.random((3, 5)))

    def total(database: Database, /) -> object:
        return answer(database.sum())

    block = PlainMethod().on(Subject(total, Uniform(0, 1), L1, 4, 1), extended, np.array([3, 0, 1]))
    for database, position, distance in zip(extended, (3, 0, 1), block.distances, strict=True):
        neighbour = np.where(np.arange(4) == position, database[4], database[:4])
        assert distance == abs(float(np.squeeze(answer(database[:4].sum()))) - float(np.squeeze(answer(neighbour.sum()))))
