"""A block of seeded draws: its inputs, its random streams, and the distances between the target's answers on its pairs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, ClassVar, cast, final

import numpy as np
from numpy.random.bit_generator import ISpawnableSeedSequence
from numpy.typing import NDArray

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.norms import LINF, Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import NoAnswerError
from dpcore.guarantees.privacy import Adjacency

_NOT_FINITE = "returned a value that is not finite"
Answers = tuple[FloatArray, FloatArray]
"""The target's answers to two neighbours, (d,) each, or to many pairs, (b, d) each."""


@final
@dataclass(frozen=True, eq=False)
class Subject:
    """The inputs of a block of draws, except the block's number."""

    target: Target
    oracle: Oracle
    norm: Norm
    n: int
    seed: int
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD

    @property
    def removes(self) -> bool:
        """True if a neighbour lacks one record, or one user; false if another one replaces it."""
        return self.adjacency.removes

    @property
    def drawn(self) -> int:
        """Number of records, or users, in two neighbours together: n + 1, or n if one of them is removed."""
        return self.n if self.removes else self.n + 1


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Results of pairs of a block.

    Attributes:
        distances: G of each pair, (b,); +∞ for a pair that failed.
        sizes: |f(D)| of each pair, (b,), NaN for a pair that failed; empty if it was not computed.
        failures: Why pairs failed, by the pair's index.
    """

    distances: FloatArray
    sizes: FloatArray
    failures: dict[int, str] = field(default_factory=dict)


class Method(ABC):
    """A method to draw and measure a block. Name, block size and random streams are part of every published number."""

    name: ClassVar[str]
    divisible: ClassVar[bool] = False
    """True if the pairs of a block give the same bits when they are measured in several calls."""
    light: ClassVar[bool] = False
    """True if its time does not depend on n, so no executor is used."""
    exact: ClassVar[bool] = False
    """True if a distance above zero is never rounding, however small (mathematics, section 11)."""

    def together(self, size: int) -> int:
        """Return the number of pairs to measure together for the same bits: one, or the whole block of ``size``."""
        return 1 if self.divisible else size

    @abstractmethod
    def block_size(self, record_bytes: int, n: int, /) -> int:
        """Return the number of pairs of a block."""

    @abstractmethod
    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        """Draw and measure pairs start to stop of a block of ``size`` pairs."""


# Random streams.


def generator(seed: int, *key: int) -> np.random.Generator:
    """Return the generator of block ``key[0]``, or of another stream of the block."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


TOGETHER = 64  # blocks whose seeds are hashed at once
_POOL, _WORD, _HALF = 4, 2**32 - 1, 16
# The constants of O'Neill's seed_seq, as in numpy/random/bit_generator.pyx.
_INIT_A, _MULT_A, _INIT_B, _MULT_B = 0x43B0D7E5, 0x931E8875, 0x8B51F9DD, 0x58F38DED
_MIX_LEFT, _MIX_RIGHT = 0xCA01F9DD, 0x4973F715


@final
class _KnownSeed(ISpawnableSeedSequence):
    """A ``SeedSequence`` whose state is known. The sequence itself is made only if an oracle spawns from it."""

    def __init__(self, state: NDArray[np.uint64], seed: int, key: tuple[int, ...]) -> None:
        self._state, self._seed, self._key = state, seed, key

    def generate_state(self, n_words: int, dtype: Any = np.uint32) -> Any:
        return self._state if (n_words, dtype) == (4, np.uint64) else self._sequence.generate_state(n_words, dtype)

    def spawn(self, n_children: int) -> Any:
        return self._sequence.spawn(n_children)

    @cached_property
    def _sequence(self) -> np.random.SeedSequence:
        return np.random.SeedSequence(self._seed, spawn_key=self._key)


def streamed(seed: int, block: int, *tail: int) -> np.random.Generator:
    """Return ``generator(seed, block, *tail)``, faster if the next blocks are asked for too.

    Nine tenths of the time of making a generator, 6 of 7 µs, are spent on hashing its seed, and a block of eight plain pairs
    needs two generators. So the seeds of 64 blocks are hashed together, with the result of ``numpy.random.SeedSequence``.
    """
    if block > _WORD - TOGETHER:  # of two words
        return generator(seed, block, *tail)
    chunk, place = divmod(block, TOGETHER)
    known: Any = _KnownSeed(_states(seed, chunk, tail)[place], seed, (block, *tail))  # PCG64's stub knows SeedSequence only
    return np.random.Generator(np.random.PCG64(known))


@lru_cache(maxsize=8)
def _states(seed: int, chunk: int, tail: tuple[int, ...]) -> NDArray[np.uint64]:
    """Return ``generate_state(4, uint64)`` of each block of a chunk, (64, 4); each number of ``tail`` has one word."""
    pool: list[Any] = [int(word) for word in np.random.SeedSequence(seed).pool]  # after the words of the seed
    hashed = _POOL * (_POOL + max(0, -(-seed.bit_length() // 32) - _POOL))
    constant = _INIT_A * pow(_MULT_A, hashed, 2**32) & _WORD
    blocks = np.arange(chunk * TOGETHER, (chunk + 1) * TOGETHER, dtype=np.uint64)
    for word in (blocks, *tail):
        for i in range(_POOL):
            value, constant = _hashmix(word, constant, _MULT_A)
            mixed = (_MIX_LEFT * pool[i] - _MIX_RIGHT * value) & _WORD
            pool[i] = mixed ^ mixed >> _HALF
    constant, words = _INIT_B, []
    for i in range(2 * _POOL):
        value, constant = _hashmix(pool[i % _POOL], constant, _MULT_B)
        words.append(value)
    return np.stack([low | high << 32 for low, high in zip(words[::2], words[1::2], strict=True)], axis=1)


def _hashmix(word: Any, constant: int, factor: int) -> tuple[Any, int]:
    """Return the hashed word and the next constant, as numpy's ``hashmix``."""
    following = constant * factor & _WORD
    value = (word ^ constant) * following & _WORD
    return value ^ value >> _HALF, following


# The target's answers.


def vector(value: object) -> FloatArray:
    """Return a target's answer as a new finite vector (d,); NoAnswerError if it is not one."""
    if isinstance(value, float) and math.isfinite(value):  # the usual answer, also as numpy's float
        return np.array([value], dtype=np.float64)
    array = np.array(value, dtype=np.float64, ndmin=1)  # a copy: a target may return the same array each time
    if array.ndim > 1:
        raise NoAnswerError(f"returned an array of shape {array.shape}, expected (d,)")
    if not array.size:
        raise NoAnswerError("returned an empty vector")
    if not (math.isfinite(array.item()) if array.size == 1 else np.isfinite(array).all()):
        raise NoAnswerError(_NOT_FINITE)
    return array


def matrix(values: object, rows: int) -> FloatArray:
    """Return a target's answers to many databases, (rows, d); NoAnswerError if they have another shape."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or len(array) != rows or not array.shape[1]:
        raise NoAnswerError(f"returned an array of shape {array.shape}, expected ({rows}, d)")
    return array


def frozen(array: Database) -> Database:
    """Make an array read-only, as targets get their databases."""
    array = np.asarray(array)
    array.flags.writeable = False
    return array


def reason(error: Exception) -> str:
    """Return why a target failed, without the text of any error except ours: it can quote a record."""
    return str(error) if isinstance(error, NoAnswerError) else f"raised {type(error).__name__}"


def answered(target: Target, neighbours: Iterator[Database]) -> Answers | str:
    """Return the target's answers to two neighbours, or why it failed. The second is taken after the first answer."""
    try:
        first = vector(target(next(neighbours)))
        second = vector(target(next(neighbours)))
        if first.size != second.size:
            raise NoAnswerError(f"returned {first.size} numbers, and {second.size} on the neighbour")
    except MemoryError:
        raise  # the machine's failure, not the target's
    except Exception as error:
        return reason(error)
    return first, second


# Distances. A pair that fails has distance +∞ and is counted with its reason: nothing is dropped.


def measured(subject: Subject, rows: slice, evaluate: Callable[[slice], Answers], *, sized: bool) -> Block:
    """Measure pairs at once, or one at a time if that raises, so that one bad pair is one failure."""
    try:
        first, second = evaluate(rows)
        if first.shape != second.shape:
            raise NoAnswerError(f"returned shapes {first.shape} and {second.shape} for the two neighbours")
        distances = subject.norm(first - second)
    except MemoryError:
        raise  # the machine's failure, not the target's
    except Exception as error:
        if rows.stop - rows.start == 1:
            return Block(np.array([np.inf]), np.array([np.nan] * sized), {0: reason(error)})
        return joined([measured(subject, slice(i, i + 1), evaluate, sized=sized) for i in range(rows.start, rows.stop)])
    sizes = LINF(first) if sized else np.empty(0)
    broken = ~np.isfinite(distances)
    if not broken.any():
        return Block(distances, sizes)
    return Block(np.where(broken, np.inf, distances), sizes, dict.fromkeys(np.flatnonzero(broken).tolist(), _NOT_FINITE))


def compared(norm: Norm, answers: list[Answers | str]) -> Block:
    """Measure pairs of answers, or count the failures whose reasons are in their places."""
    failures = {i: pair for i, pair in enumerate(answers) if isinstance(pair, str)}
    known = [pair for pair in answers if not isinstance(pair, str)] if failures else cast(list[Answers], answers)
    lengths = {len(first) for first, _ in known}
    if not failures and len(lengths) == 1:
        return Block(*_distances(norm, known))
    distances, sizes = np.full(len(answers), np.inf), np.full(len(answers), np.nan)
    places = np.delete(np.arange(len(answers)), list(failures))
    for length in lengths:
        like = [i for i, (first, _) in enumerate(known) if len(first) == length]
        distances[places[like]], sizes[places[like]] = _distances(norm, [known[i] for i in like])
    return Block(distances, sizes, failures)


def _distances(norm: Norm, answers: list[Answers]) -> Answers:
    """Return the distance of each pair of answers, all of one length, and the size of its first answer."""
    first, second = (np.concatenate(side).reshape(len(answers), -1) for side in zip(*answers, strict=True))
    return np.fmin(norm(first - second), np.inf), LINF(first)  # ∞ − ∞ is NaN, and counts as ∞


def joined(parts: list[Block]) -> Block:
    """Return the pairs of at least one block, one after another."""
    if len(parts) == 1:
        return parts[0]
    starts = np.cumsum([0, *(len(part.distances) for part in parts)]).tolist()
    failures = {at + pair: why for at, part in zip(starts, parts, strict=False) for pair, why in part.failures.items()}
    return Block(np.concatenate([part.distances for part in parts]), np.concatenate([part.sizes for part in parts]), failures)
