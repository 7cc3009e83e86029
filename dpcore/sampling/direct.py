"""The direct way: the records that a target depends on are drawn by their places in the sorted database. O(m), whatever n.

Where records are independent with distribution function F, the sorted n+1 are F⁻¹ of sorted uniforms, whose gaps are
exponential variables over their sum: so a few places of them are sums of a few gamma variables (mathematics, section 14.2).
"""

from __future__ import annotations

from typing import ClassVar, cast, final

import numpy as np

from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.facts import facts
from dpcore.base.known_laws import LEAST_SHARE, MOST_SHARE
from dpcore.base.types import FloatArray, Oracle, OrderedTarget, Target, inverse_of
from dpcore.errors import InvalidValueError
from dpcore.sampling.blocks import Block, Ranked, Subject, Way, frozen, generator, matrix, measured

DIRECT_BLOCK = 8_192  # pairs; part of every published number, as are the order and the streams of what is drawn

Ranks = np.ndarray[tuple[int, int], np.dtype[np.int64]]


@final
class DirectWay(Way):
    """Of n+1 sorted records only those are drawn that either answer depends on, and the ranks of the two left out."""

    name: ClassVar[str] = "direct"
    light: ClassVar[bool] = True

    def block_size(self, bytes_a_record: int, n: int, /) -> int:
        return DIRECT_BLOCK

    def measure(self, subject: Subject, block: int, size: int, start: int, stop: int, /) -> Block:
        inverse, wide = inverse_of(subject.oracle), widened(places_of(subject.target, subject.n))
        assert inverse is not None  # ``choose`` looked
        records = frozen(inverse(uniforms(wide, subject.n, stop, rng=generator(subject.seed, block))))
        return self.on(subject, records[start:], left_out(subject.n, stop, rng=generator(subject.seed, block, 0))[start:])

    def change(self, subject: Subject, block: int, size: int, at: int, /) -> Ranked:
        """The ranks of the two: the first database has the second one's, the other database the first one's."""
        first, second = left_out(subject.n, at + 1, rng=generator(subject.seed, block, 0))[at].tolist()
        return Ranked(second + 1, first + 1, subject.n + 1)

    def on(self, subject: Subject, records: FloatArray, removed: Ranks) -> Block:
        """G = ‖f(D without one) − f(D without another)‖ from the sorted D's records at ``widened`` places (b, w).

        ``removed`` (b, 2) are the ranks of the two, from 0 to n. Where a record of rank r is left out, the i-th place of the
        rest is the i-th of all for i < r, else the one after it.
        """
        target = cast(OrderedTarget, subject.target)
        places = np.array(places_of(subject.target, subject.n))
        at = np.searchsorted(widened(places.tolist()), places)

        def evaluate(rows: slice) -> tuple[FloatArray, FloatArray]:
            lower, upper = records[rows][:, at], records[rows][:, at + 1]
            first, second = (
                matrix(target.from_places(frozen(np.where(rank[:, None] <= places, upper, lower)), subject.n), len(lower))
                for rank in removed[rows].T
            )
            return first, second

        return measured(subject, slice(0, len(records)), evaluate, sized=True)


def offered(target: Target, oracle: Oracle | None, n: int) -> bool:
    """Whether the target depends on a few places, and the oracle knows the inverse distribution function of one record.

    Not beyond 2⁵³ records. Near that the floats between two neighbouring records are few: of n = 10⁹ a difference of two
    keeps about 7 digits, as it does between the floats of a database that is drawn whole.
    """
    ordered = callable(facts(target).places) and callable(facts(target).from_places)
    return ordered and n <= MOST_RECORDS and oracle is not None and inverse_of(oracle) is not None


def places_of(target: Target, n: int) -> tuple[int, ...]:
    """The target's places among n sorted records, from 0; InvalidValueError where they are none."""
    places = tuple(cast(OrderedTarget, target).places(n))
    if not places or any(a >= b for a, b in zip((-1, *places), (*places, n), strict=True)):
        raise InvalidValueError("places", f"increasing whole numbers from 0 to {n - 1}", places)
    return places


def widened(places: tuple[int, ...] | list[int]) -> list[int]:
    """The places among n+1 sorted records that those among n can come from: leaving one out moves each by one at most."""
    return sorted({*places, *(place + 1 for place in places)})


def uniforms(places: list[int], n: int, size: int, *, rng: np.random.Generator) -> FloatArray:
    """n+1 sorted uniforms at some of their places, (size, places): the cumulative sums of gamma gaps over their total.

    Γ(p_0 + 1), Γ(p_1 − p_0), …, Γ(n + 1 − p_w) are independent. They are drawn pair by pair, so that fewer pairs are the
    first of more.
    """
    gaps = np.diff([-1, *places, n + 1])
    sums = rng.standard_gamma(gaps, size=(size, len(gaps))).cumsum(axis=1)
    return np.asarray(np.clip(sums[:, :-1] / sums[:, -1:], LEAST_SHARE, MOST_SHARE))


def left_out(n: int, size: int, *, rng: np.random.Generator) -> Ranks:
    """Two different ranks from 0 to n, all pairs with equal chance: (size, 2)."""
    first, second = rng.integers([n + 1, n], size=(size, 2)).T
    return np.stack([first, second + (second >= first)], axis=1)
