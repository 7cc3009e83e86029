"""The generators of many blocks one after another: numpy's ``SeedSequence``, computed for 64 blocks together.

Nine tenths of the time of making a generator go into its seed's hash, 6 of 7 µs, and a block of eight plain pairs needs two.
The states are those of ``numpy.random.SeedSequence`` to the bit.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any, final

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence
from numpy.typing import NDArray

TOGETHER = 64
_POOL, _WORD, _HALF = 4, 2**32 - 1, 16
# the constants of O'Neill's seed_seq, as in numpy/random/bit_generator.pyx
_INIT_A, _MULT_A, _INIT_B, _MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = 0xCA01F9DD, 0x4973F715


@final
class _Known(ISpawnableSeedSequence):
    """A ``SeedSequence`` whose state is there already; it is made only where an oracle spawns from it."""

    def __init__(self, state: NDArray[np.uint64], seed: int, key: tuple[int, ...]) -> None:
        self._state, self._seed, self._key = state, seed, key

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        return self._state if (n_words, dtype) == (4, np.uint64) else self._own.generate_state(n_words, dtype)

    def spawn(self, n_children: int) -> Any:
        return self._own.spawn(n_children)

    @cached_property
    def _own(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(self._seed, spawn_key=self._key)


def streamed(seed: int, block: int, *tail: int) -> np.random.Generator:
    """``default_rng(SeedSequence(seed, spawn_key=(block, *tail)))``, where the next blocks will be asked for too."""
    if block > _WORD - TOGETHER:  # of two words
        return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(block, *tail)))
    chunk, place = divmod(block, TOGETHER)
    known: Any = _Known(_states(seed, chunk, tail)[place], seed, (block, *tail))  # of PCG64's types there is one only
    return np.random.Generator(np.random.PCG64(known))


@lru_cache(maxsize=8)
def _states(seed: int, chunk: int, tail: tuple[int, ...]) -> NDArray[np.uint64]:
    """(64, 4): of each block what its ``generate_state(4, uint64)`` gives; each number of ``tail`` is of one word."""
    pool: list[Any] = [int(word) for word in np.random.SeedSequence(seed).pool]  # what the seed's own words make of it
    hashed = _POOL * (_POOL + max(0, -(-seed.bit_length() // 32) - _POOL))
    constant = _INIT_A * pow(_MULT_A, hashed, 2**32) & _WORD
    blocks = np.arange(chunk * TOGETHER, (chunk + 1) * TOGETHER, dtype=np.uint64)
    for word in (blocks, *tail):
        for i in range(_POOL):
            value, constant = _hashed(word, constant, _MULT_A)
            mixed = (_MIX_LEFT * pool[i] - _MIX_RIGHT * value) & _WORD
            pool[i] = mixed ^ mixed >> _HALF
    constant, words = _INIT_B, []
    for i in range(2 * _POOL):
        value, constant = _hashed(pool[i % _POOL], constant, _MULT_B)
        words.append(value)
    return np.stack([low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)], axis=1)


def _hashed(word: Any, constant: int, factor: int) -> tuple[Any, int]:
    """numpy's ``hashmix``: the word hashed, and the next constant."""
    following = constant * factor & _WORD
    value = (word ^ constant) * following & _WORD
    return value ^ value >> _HALF, following
