"""The order statistic method: draw the records that a target depends on by their places in the sorted database. O(m) for any n.

If records are independent with distribution function F, the sorted n+1 records are F⁻¹ of sorted uniforms, whose gaps are
exponential variables over their sum. So a few places of them are sums of a few gamma variables (mathematics, section 14.2).
"""

from __future__ import annotations

from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.distribution_facts import LEAST_SHARE, MOST_SHARE
from dpcore.base.types import Oracle, Target, inverse_of
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import Answers, Block, Method, Subject, frozen, generator, matrix, measured

BLOCK = 8_192  # pairs; part of every published number, as are the order and the streams of the draws

Ranks = np.ndarray[tuple[int, int], np.dtype[np.int64]]


@final
class OrderStatisticMethod(Method):
    """Draws only those of n+1 sorted records that either answer depends on, and the ranks of the two records that differ."""

    name: ClassVar[str] = "direct"
    light: ClassVar[bool] = True

    def block_size(self, record_bytes: int, n: int, /) -> int:
        return BLOCK

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        inverse, wide = inverse_of(subject.oracle), widened(places_of(subject.target, subject.n))
        assert inverse is not None  # ``choose`` checked it
        records = frozen(inverse(uniforms(wide, subject.n, stop, rng=generator(subject.seed, block))))
        return self.on(subject, records[start:], left_out(subject.n, stop, rng=generator(subject.seed, block, 0))[start:])

    def on(self, subject: Subject, records: FloatArray, removed: Ranks) -> Block:
        """Measure G = ‖f(D without one record) − f(D without another)‖.

        Without the record of rank r, the i-th place of the rest is the i-th of all for i < r, otherwise the (i+1)-th.

        Args:
            subject: What is sampled.
            records: Records of the sorted D at ``widened`` places, (b, w).
            removed: Ranks of the two records, from 0 to n, (b, 2).
        """
        target = subject.target
        places = np.array(places_of(subject.target, subject.n))
        at = np.searchsorted(widened(places.tolist()), places)

        def evaluate(rows: slice) -> Answers:
            lower, upper = records[rows][:, at], records[rows][:, at + 1]
            first, second = (
                matrix(target.from_places(frozen(np.where(rank[:, None] <= places, upper, lower)), subject.n), len(lower))
                for rank in removed[rows].T
            )
            return first, second

        return measured(subject, slice(0, len(records)), evaluate, sized=True)


def offered(target: Target, oracle: Oracle | None, n: int) -> bool:
    """Return whether the target depends on a few places, and the oracle knows the inverse distribution function of a record.

    At most 2⁵³ records are served. For n = 10⁹ the difference of two neighbouring records keeps about 7 digits, as in a database
    that is drawn whole.
    """
    ordered = callable(target.places) and callable(target.from_places)
    return ordered and n <= MOST_RECORDS and oracle is not None and inverse_of(oracle) is not None


def places_of(target: Target, n: int) -> tuple[int, ...]:
    """Return the target's places among n sorted records, from 0; InvalidValueError if they are not increasing places."""
    places = tuple(target.places(n))
    if not places or any(a >= b for a, b in zip((-1, *places), (*places, n), strict=True)):
        raise InvalidValueError("places", f"increasing whole numbers from 0 to {n - 1}", places)
    return places


def widened(places: tuple[int, ...] | list[int]) -> list[int]:
    """Return the places among n+1 sorted records that can become these among n: leaving one out moves each by at most one."""
    return sorted({*places, *(place + 1 for place in places)})


def uniforms(places: list[int], n: int, size: int, *, rng: np.random.Generator) -> FloatArray:
    """Draw n+1 sorted uniforms at some of their places, (size, places): cumulative sums of gamma gaps over their total.

    The gaps Γ(p_0 + 1), Γ(p_1 − p_0), …, Γ(n + 1 − p_w) are independent (mathematics, section 14). They are drawn pair by pair,
    so that fewer pairs are the first of more.
    """
    gaps = np.diff([-1, *places, n + 1])
    sums = rng.standard_gamma(gaps, size=(size, len(gaps))).cumsum(axis=1)
    return np.asarray(np.clip(sums[:, :-1] / sums[:, -1:], LEAST_SHARE, MOST_SHARE))


def left_out(n: int, size: int, *, rng: np.random.Generator) -> Ranks:
    """Draw two different ranks from 0 to n, each pair with equal probability, (size, 2)."""
    first, second = rng.integers([n + 1, n], size=(size, 2)).T
    return np.stack([first, second + (second >= first)], axis=1)
