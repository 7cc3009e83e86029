"""Random neighbours as a promise speaks of them, made by concatenation: in no way that the sampler makes its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from dpcore.base.people import CODE, contiguous
from dpcore.base.types import Database, Oracle, person_of
from dpcore.guarantees.privacy import Adjacency

Pair = tuple[Database, Database]


def random_pairs(oracle: Oracle, n: int, pairs: int, adjacency: Adjacency, rng: np.random.Generator) -> Iterator[Pair]:
    """So many D of n records, or people, and D′ in which a uniform one is replaced, or is missing (mathematics, section 1.8 and
    8.1)."""
    drawn, person = n + (adjacency is not Adjacency.ADD_OR_REMOVE_ONE_USER), person_of(oracle)
    if person is not None:
        for _ in range(pairs):
            yield _of_people(oracle.draw(1, drawn, rng=rng)[0], person, n, int(rng.integers(n)))
        return
    databases, places = oracle.draw(pairs, drawn, rng=rng), rng.integers(n, size=pairs)
    for database, place in zip(databases, places, strict=True):
        yield database[:n], np.concatenate((database[:place], database[n:], database[place + 1 : n]))


def _of_people(rows: Database, person: str, n: int, place: int) -> Pair:
    """The rows of the first n people, and those with the person at the place left out, and the last one's where there is one
    more."""
    codes = rows[person][CODE]
    other = np.concatenate((rows[codes < place], rows[codes == n], rows[(codes > place) & (codes < n)]))
    other[person][CODE] = contiguous(other[person][CODE])
    return rows[codes < n], other
