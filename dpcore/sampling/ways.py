"""The ways to measure how far a target moves between neighbours: additive, pair, batch, plain.

A way turns one seeded block of draws into distances. A pair on which the target raises, or returns something that is
not a finite vector of one shape, has distance +∞ and is counted with its reason: nothing is dropped.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, cast, final

import numpy as np

from dpcore.base.norms import LINF, Norm
from dpcore.base.types import AdditiveTarget, BatchTarget, Database, FloatArray, Oracle, PairTarget, Target

ADDITIVE_BLOCK = 8_192  # pairs; these constants are part of every published number
PAIR_BLOCK_BYTES = 2**19
PLAIN_BLOCK = 8
PLAIN_BLOCK_BYTES = 2**27  # fewer than 8 databases where they are larger together, so that a worker fits its memory
PAIR_CALL_BYTES = 2**18  # of extended databases in one call: larger copies are page faults, a third of the time
_OWN_RESOLUTION = 1e-7  # relative, for targets that state none (mathematics, section 11)


Positions = np.ndarray[tuple[int], np.dtype[np.int64]]


@final
@dataclass(frozen=True, eq=False)
class Job:
    """What is sampled: everything that a block of draws depends on but its number."""

    target: Target
    oracle: Oracle
    norm: Norm
    n: int
    seed: int


@final
@dataclass(frozen=True, eq=False)
class Block:
    """Distances of the first pairs of a block, the size |f(D)| of each (empty where not known), and why pairs failed."""

    distances: FloatArray
    sizes: FloatArray
    failures: dict[int, str] = field(default_factory=dict)  # by pair


class Way(Protocol):
    """How one block is drawn and measured."""

    name: ClassVar[str]
    divisible: ClassVar[bool]
    """Whether the pairs of a block can be measured in several calls and give the same bits."""

    def block_size(self, bytes_a_record: int, n: int, /) -> int: ...

    def measure(self, job: Job, block: int, size: int, start: int, stop: int, /) -> Block:
        """Pairs start to stop of a block of ``size`` pairs."""
        ...

    def relative_resolution(self, target: Target, /) -> float:
        """Δ̂ at or below this times the median |f| counts as zero."""
        ...


def generator(seed: int, *key: int) -> np.random.Generator:
    """The generator of block ``key[0]`` (or of a stream of its own inside it)."""
    return np.random.default_rng(np.random.SeedSequence(seed, spawn_key=key))


def vector(value: object) -> FloatArray:
    """A target's answer as a finite vector (d,); ValueError where it is none."""
    array = np.asarray(value, dtype=np.float64)
    if array.ndim > 1:
        raise ValueError(f"returned an array of shape {array.shape}, expected (d,)")
    array = array.reshape(-1)
    if not array.size:
        raise ValueError("returned an empty vector")
    if not np.isfinite(array).all():
        raise ValueError("returned a value that is not finite")
    return array


@final
class AdditiveWay:
    """Only the two swapped records are drawn and evaluated: the other n−1 cancel. O(m), whatever n."""

    name: ClassVar[str] = "additive"
    divisible: ClassVar[bool] = False

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return ADDITIVE_BLOCK

    def relative_resolution(self, target: Target, /) -> float:
        return 0.0

    def measure(self, job: Job, block: int, size: int, start: int, stop: int, /) -> Block:
        swapped = frozen(job.oracle.draw(size, 2, rng=generator(job.seed, block)))[start:stop]
        return self.on(job, swapped)

    def on(self, job: Job, swapped: Database) -> Block:
        """G = ‖c(x, n) − c(x', n)‖ for each pair of records (b, 2, ...)."""
        target = cast(AdditiveTarget, job.target)  # ``choose`` checked it: a runtime protocol costs 20 µs a look

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            pairs = swapped[rows]
            values = target.contribution(pairs.reshape(-1, *pairs.shape[2:]), job.n)
            values = matrix(values, 2 * len(pairs)).reshape(len(pairs), 2, -1)
            return values[:, 0], values[:, 1]

        return _measured(job, slice(0, len(swapped)), evaluate, sized=False)


@final
class PairWay:
    """Both neighbours from the n+1 records that they share, in one call for a whole block."""

    name: ClassVar[str] = "pair"
    divisible: ClassVar[bool] = False

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return _as_large_as(PAIR_BLOCK_BYTES, bytes_a_record, n)

    def relative_resolution(self, target: Target, /) -> float:
        return _stated_resolution(target)

    def measure(self, job: Job, block: int, size: int, start: int, stop: int, /) -> Block:
        extended = frozen(job.oracle.draw(size, job.n + 1, rng=generator(job.seed, block)))[start:stop]
        return self.on(job, extended)

    def on(self, job: Job, extended: Database) -> Block:
        """G = ‖f(D without the last) − f(D without the last but one)‖ for each extended database (b, n+1, ...)."""
        target = cast(PairTarget, job.target)

        step = max(1, PAIR_CALL_BYTES // extended[0].nbytes)

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            some = extended[rows]
            parts = [some[i : i + step] for i in range(0, len(some), step)]
            pairs = [(*target.pair(part), len(part)) for part in parts]
            first = np.concatenate([matrix(values, rows) for values, _, rows in pairs])
            return first, np.concatenate([matrix(values, rows) for _, values, rows in pairs])

        return _measured(job, slice(0, len(extended)), evaluate, sized=True)


@final
class BatchWay:
    """Many databases in one call; the replaced position is uniform, for a target could depend on order."""

    name: ClassVar[str] = "batch"
    divisible: ClassVar[bool] = False

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return _as_large_as(PAIR_BLOCK_BYTES, bytes_a_record, n)

    def relative_resolution(self, target: Target, /) -> float:
        return _stated_resolution(target)

    def measure(self, job: Job, block: int, size: int, start: int, stop: int, /) -> Block:
        return self.on(job, *_extended(job, block, size, start, stop))

    def on(self, job: Job, extended: Database, positions: Positions) -> Block:
        """As the plain way, with one call for all D and one for all D'."""
        target = cast(BatchTarget, job.target)

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            some, at = extended[rows], positions[rows]
            neighbours = some[:, : job.n].copy()
            neighbours[np.arange(len(some)), at] = some[:, job.n]
            first = matrix(target.batch(some[:, : job.n]), len(some))
            return first, matrix(target.batch(frozen(neighbours)), len(some))

        return _measured(job, slice(0, len(extended)), evaluate, sized=True)


@final
class PlainWay:
    """Two calls of the target a pair; the replaced position is uniform, for a target could depend on order."""

    name: ClassVar[str] = "plain"
    divisible: ClassVar[bool] = True

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return min(PLAIN_BLOCK, _as_large_as(PLAIN_BLOCK_BYTES, bytes_a_record, n))

    def relative_resolution(self, target: Target, /) -> float:
        return _stated_resolution(target)

    def measure(self, job: Job, block: int, size: int, start: int, stop: int, /) -> Block:
        return self.on(job, *_extended(job, block, size, start, stop))

    def on(self, job: Job, extended: Database, positions: Positions) -> Block:
        """G = ‖f(D_1..n) − f(D with the record at the position replaced by D_n+1)‖ (Algorithm 1)."""
        distances, sizes = np.empty(len(extended)), np.empty(len(extended))
        failures: dict[int, str] = {}
        for i, (database, position) in enumerate(zip(extended, positions, strict=True)):
            neighbour = database[: job.n].copy()
            neighbour[position] = database[job.n]
            try:
                value = vector(job.target(database[: job.n]))
                other = vector(job.target(frozen(neighbour)))
                if value.shape != other.shape:
                    raise ValueError(f"returned {value.size} numbers, and {other.size} on the neighbour")
            except MemoryError:
                raise  # the machine's failure, not the target's
            except Exception as error:
                distances[i], sizes[i] = np.inf, np.nan
                failures[i] = _reason(error)
            else:
                distances[i], sizes[i] = _distance(job.norm, value, other), LINF(value)
        return Block(distances, sizes, failures)


def choose(target: Target) -> Way:
    """The cheapest way that the target offers; ``ways`` names those that hold, where the target states it."""
    offered = getattr(target, "ways", (AdditiveWay.name, PairWay.name, BatchWay.name))
    if AdditiveWay.name in offered and isinstance(target, AdditiveTarget):
        return AdditiveWay()
    if PairWay.name in offered and isinstance(target, PairTarget):
        return PairWay()
    if BatchWay.name in offered and isinstance(target, BatchTarget):
        return BatchWay()
    return PlainWay()


def _as_large_as(most: int, bytes_a_record: int, n: int) -> int:
    """How many extended databases fit into so many bytes; at least one."""
    return max(1, most // (bytes_a_record * (n + 1)))


def _measured(job: Job, rows: slice, evaluate: Callable[[slice], tuple[FloatArray, FloatArray]], *, sized: bool) -> Block:
    """The distances of some pairs at once, or one at a time where that raises, so that one bad pair is one failure."""
    try:
        first, second = evaluate(rows)
        distances = _distances(job.norm, first, second)
    except MemoryError:
        raise  # the machine's failure, not the target's
    except Exception as error:
        if rows.stop - rows.start == 1:
            return Block(np.array([np.inf]), np.array([np.nan] * sized), {0: _reason(error)})
        parts = [_measured(job, slice(i, i + 1), evaluate, sized=sized) for i in range(rows.start, rows.stop)]
        failures = {i: part.failures[0] for i, part in enumerate(parts) if part.failures}
        return Block(_joined([p.distances for p in parts]), _joined([p.sizes for p in parts]), failures)
    broken = ~np.isfinite(distances)
    if broken.any():
        distances = np.where(broken, np.inf, distances)
    failures = dict.fromkeys(np.flatnonzero(broken).tolist(), "ValueError: returned a value that is not finite")
    return Block(distances, LINF(first) if sized else np.empty(0), failures)


def _extended(job: Job, block: int, size: int, start: int, stop: int) -> tuple[Database, Positions]:
    """Extended databases of a block, and the position that is replaced in each, from a stream of its own."""
    extended = frozen(job.oracle.draw(size, job.n + 1, rng=generator(job.seed, block)))[start:stop]
    return extended, generator(job.seed, block, 0).integers(job.n, size=size)[start:stop]


def _distances(norm: Norm, first: FloatArray, second: FloatArray) -> FloatArray:
    if first.shape != second.shape:
        raise ValueError(f"returned shapes {first.shape} and {second.shape} for the two neighbours")
    return norm(first - second)


def _distance(norm: Norm, first: FloatArray, second: FloatArray) -> float:
    distance = float(norm(first - second))
    return distance if np.isfinite(distance) else np.inf


def matrix(values: object, rows: int) -> FloatArray:
    """A target's answers to many databases, one a row; ValueError where they are none."""
    array = np.asarray(values, dtype=np.float64)
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or len(array) != rows or not array.shape[1]:
        raise ValueError(f"returned an array of shape {array.shape}, expected ({rows}, d)")
    return array


def _stated_resolution(target: Target) -> float:
    return float(getattr(target, "relative_resolution", _OWN_RESOLUTION))


def frozen(array: Database) -> Database:
    """Read-only, as targets get their databases."""
    array = np.asarray(array)
    array.flags.writeable = False
    return array


def _joined(parts: list[FloatArray]) -> FloatArray:
    return np.concatenate(parts) if parts else np.empty(0)


def _reason(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]
