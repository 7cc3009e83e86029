"""A block of seeded draws: what it depends on, how it is measured, a target's answers checked, and what differs in a pair."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast, final

import numpy as np

from dpcore.base.norms import LINF, Norm
from dpcore.base.types import Database, FloatArray, Oracle, Target
from dpcore.errors import NoAnswerError
from dpcore.guarantees.privacy import Adjacency


@final
@dataclass(frozen=True, eq=False)
class Subject:
    """What is sampled: everything that a block of draws depends on but its number."""

    target: Target
    oracle: Oracle
    norm: Norm
    n: int
    seed: int
    adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD

    @property
    def removes(self) -> bool:
        """Whether a neighbour lacks one record, or one person, where else another stands in its place."""
        return self.adjacency.removes

    @property
    def drawn(self) -> int:
        """How many records, or people, two neighbours hold together: n + 1, or n where one of them is removed."""
        return self.n if self.removes else self.n + 1


MOST_LOST = 3  # databases of a call that take more time or memory than they may, until the rest counts as failed


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Distances of the first pairs of a block, the size |f(D)| of each (empty where not known), and why pairs failed."""

    distances: FloatArray
    sizes: FloatArray
    failures: dict[int, str] = field(default_factory=dict)  # by pair


def generator(seed: int, *key: int) -> np.random.Generator:
    """The generator of block ``key[0]`` (or of a stream of its own inside it)."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def vector(value: object) -> FloatArray:
    """A target's answer as a finite vector (d,) of its own; NoAnswerError where it is none."""
    if isinstance(value, float) and math.isfinite(value):  # the usual answer, of numpy's float too
        return np.array([value], dtype=np.float64)
    array = np.array(value, dtype=np.float64, ndmin=1)  # a copy: a target may answer in the same array each time
    if array.ndim > 1:
        raise NoAnswerError(f"returned an array of shape {array.shape}, expected (d,)")
    if not array.size:
        raise NoAnswerError("returned an empty vector")
    if not (math.isfinite(array.item()) if array.size == 1 else np.isfinite(array).all()):
        raise NoAnswerError("returned a value that is not finite")
    return array


def matrix(values: object, rows: int) -> FloatArray:
    """A target's answers to many databases, one a row; NoAnswerError where they are none."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or len(array) != rows or not array.shape[1]:
        raise NoAnswerError(f"returned an array of shape {array.shape}, expected ({rows}, d)")
    return array


def frozen(array: Database) -> Database:
    """Read-only, as targets get their databases."""
    array = np.asarray(array)
    array.flags.writeable = False
    return array


def measured(subject: Subject, rows: slice, evaluate: Callable[[slice], tuple[FloatArray, FloatArray]], *, sized: bool) -> Block:
    """The distances of some pairs at once, or one at a time where that raises, so that one bad pair is one failure."""
    try:
        first, second = evaluate(rows)
        distances = _distances(subject.norm, first, second)
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
    failures = dict.fromkeys(np.flatnonzero(broken).tolist(), "returned a value that is not finite")
    return Block(np.where(broken, np.inf, distances), sizes, failures)


def compared(norm: Norm, answers: list[tuple[FloatArray, FloatArray] | str]) -> Block:
    """The distance of each pair of answers, and the size of its first; +∞ and NaN where there is the reason of a failure."""
    failures = {i: pair for i, pair in enumerate(answers) if isinstance(pair, str)}
    known = [pair for pair in answers if not isinstance(pair, str)] if failures else cast(list[Any], answers)
    lengths = {len(first) for first, _ in known}
    if not failures and len(lengths) == 1:
        return Block(*_apart(norm, known))
    distances, sizes = np.full(len(answers), np.inf), np.full(len(answers), np.nan)
    places = np.delete(np.arange(len(answers)), list(failures))
    for length in lengths:  # of a target of sense: one
        like = [i for i, (first, _) in enumerate(known) if len(first) == length]
        distances[places[like]], sizes[places[like]] = _apart(norm, [known[i] for i in like])
    return Block(distances, sizes, failures)


def tried_pairs(norm: Norm, answers: FloatArray, reasons: Mapping[int, str]) -> Block:
    """Of answers to two neighbours each, one after another (2b, d), or the reasons why some are none, by place."""
    failed = {place // 2: said for place, said in reasons.items()}
    pairs = enumerate(zip(answers[::2], answers[1::2], strict=True))
    return compared(norm, [failed.get(place) or pair for place, pair in pairs])


def answered(target: Target, neighbours: Iterator[Database]) -> tuple[FloatArray, FloatArray] | str:
    """The target's answers to two neighbours, or the reason of its failure. The second is asked for after the first answer."""
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


def _apart(norm: Norm, answers: list[tuple[FloatArray, FloatArray]]) -> tuple[FloatArray, FloatArray]:
    first, second = (np.concatenate(side).reshape(len(answers), -1) for side in zip(*answers, strict=True))
    distances = norm(first - second)
    return np.fmin(distances, np.inf), LINF(first)  # infinite less infinite is no number


def _distances(norm: Norm, first: FloatArray, second: FloatArray) -> FloatArray:
    if first.shape != second.shape:
        raise NoAnswerError(f"returned shapes {first.shape} and {second.shape} for the two neighbours")
    return norm(first - second)


def joined(parts: list[Block]) -> Block:
    """The pairs of some blocks, at least one, one after another."""
    if len(parts) == 1:  # which it nearly always is, once for every few pairs
        return parts[0]
    starts = np.cumsum([0, *(len(part.distances) for part in parts)]).tolist()
    failures = {at + pair: why for at, part in zip(starts, parts, strict=False) for pair, why in part.failures.items()}
    return Block(np.concatenate([part.distances for part in parts]), np.concatenate([part.sizes for part in parts]), failures)


def reason(error: Exception) -> str:
    """Why a target failed, without the text of an error of its own, of numpy or of a database: that can quote a record."""
    return str(error) if isinstance(error, NoAnswerError) else f"raised {type(error).__name__}"


@final
@dataclass(frozen=True, eq=False)
class Replaced:
    """A record of the first database, and the one that stands in its place; None where one was removed.

    Of people, all rows of the person. ``rest``: the records that both databases hold; None where the way draws none of them.
    """

    before: Database
    after: Database | None
    rest: Database | None = None


@final
@dataclass(frozen=True, slots=True)
class Ranked:
    """The same by their ranks, from 1, among all ``of`` sorted records of both: the direct way draws no more of them."""

    before: int
    after: int
    of: int


Change = Replaced | Ranked


class Way(ABC):
    """How one block is drawn and measured."""

    name: ClassVar[str]
    divisible: ClassVar[bool] = False
    """Whether the pairs of a block can be measured in several calls and give the same bits."""
    light: ClassVar[bool] = False
    """Whether its time does not grow with n: then no executor is asked for help."""
    exact: ClassVar[bool] = False
    """Whether a distance above zero is no rounding, however small: that of two records' own parts (mathematics, section 11)."""

    def together(self, size: int) -> int:
        """How many pairs must be measured together to give the same bits: one, or their whole block of ``size``."""
        return 1 if self.divisible else size

    @abstractmethod
    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        """How many pairs a block has: part of every published number."""

    @abstractmethod
    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        """Pairs start to stop of a block of ``size`` pairs."""

    @abstractmethod
    def change(self, subject: Subject, block: int, size: int, at: int, /) -> Change:
        """What differs between the two databases of one pair of a block: drawn again, to the bit, and nothing is measured."""
