"""Generators that are made together are those of numpy, to the bit."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from dpcore.sampling.blocks import TOGETHER, generator, streamed

SEEDS = [0, 1, 2**31, 2**32 - 1, 2**32, 2**64 - 1, 2**127 + 5, 2**128 - 1, 2**128, 2**200 + 7]
KEYS = [
    (0,),
    (1,),
    (63,),
    (64,),
    (12_345,),
    (0, 0),
    (77, 0),
    (5, 3),
    (2**32 - 66,),
    (2**32 - 65, 0),
    (2**32 - 1,),
    (2**32 + 3, 0),
]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_stream_is_that_of_its_seed_sequence(seed: int, key: tuple[int, ...]) -> None:
    expected = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))
    assert streamed(seed, *key).bit_generator.state == expected.bit_generator.state == generator(seed, *key).bit_generator.state


def test_each_is_made_anew() -> None:
    first = streamed(5, 3).random(4)
    assert (streamed(5, 3).random(4) == first).all()
    assert len({streamed(5, block).random() for block in range(3 * TOGETHER)}) == 3 * TOGETHER


def test_stream_spawns_copies_and_pickles() -> None:
    rng, expected = streamed(5, 3), generator(5, 3)
    for _ in range(2):  # the second children are others than the first
        assert [child.random() for child in rng.spawn(2)] == [child.random() for child in expected.spawn(2)]
    assert copy.deepcopy(rng).random() == pickle.loads(pickle.dumps(rng)).random() == expected.random()
