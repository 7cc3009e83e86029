"""Pairs of answers that a sensitivity covers, searched where a mechanism could tell them apart.

A mechanism that rounds tells .45 and .55 apart and no other two answers so close; one that takes the largest score looks at
ties; one whose noise follows the answer's size looks at zero and at large numbers. So pairs are set on, beside and across
such places, along many directions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain, product

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.norms import Norm

Pair = tuple[FloatArray, FloatArray]
RANDOM = 60  # pairs, beside the listed ones
# where a and b stand around a centre, in steps: across it, from it, up to it, and a third of the way on either side
PLACES = ((-0.5, 0.5), (0.0, 1.0), (-1.0, 0.0), (-1 / 3, 1 / 3))


def pairs(norm: Norm, reach: float, dims: int, rng: np.random.Generator) -> list[Pair]:
    """Answers a, b of shape (dims,) with ‖a − b‖ <= reach in floats too; most of them as far apart as that allows.

    The listed centres with each of a few directions, the listed directions from each of a few centres, and 60 at random.
    A grid of width g <= 10·reach that starts at 0 has a random pair across one of its edges with probability over
    1 − (1 − reach/(2g))^50 >= .92, and the listed ones lie across those of width 1, 1/10, 1/1,024 and of ``reach`` itself.
    """
    centres, directions = list(_centres(reach, dims)), list(_directions(dims, rng))
    listed = chain(product(centres, directions[:2]), product(centres[:2], directions))
    drawn = ((_random_centre(reach, dims, rng), directions[rng.integers(len(directions))]) for _ in range(RANDOM))
    found = [
        _placed(norm, reach, centre, direction, PLACES[i % len(PLACES)] if i % 3 else PLACES[0], rng)
        for i, (centre, direction) in enumerate(chain(listed, drawn))
    ]
    return [pair for pair in found if pair is not None]


def whole(norm: Norm, reach: float, found: Iterable[Pair]) -> list[Pair]:
    """Those of the pairs that stay within reach with every number rounded."""
    rounded = [(np.round(a), np.round(b)) for a, b in found]
    return [(a, b) for a, b in rounded if float(norm(b - a)) <= reach]


def near(norm: Norm, reach: float, pair: Pair, rng: np.random.Generator, size: int = 20) -> Iterator[Pair]:
    """Pairs beside one, for a search that climbs: moved, turned or drawn out, and never further apart than ``reach``."""
    a, b = pair
    for _ in range(size):
        move = reach * rng.normal(0, 10.0 ** rng.uniform(-3, 1), a.size) * (rng.random(a.size) < 0.5)
        turned = (b - a) + reach * rng.normal(0, 0.3, a.size) * (rng.random(a.size) < 0.5)
        placed = _placed(norm, reach, (a + b) / 2 + move, turned, PLACES[0], rng)
        if placed is not None:
            yield placed


def _centres(reach: float, dims: int) -> Iterator[FloatArray]:
    places = np.arange(dims)
    for unit in (1.0, reach):
        yield np.full(dims, unit / 2)  # halves: a number that rounds up and one that rounds down
    yield np.zeros(dims)
    for unit in (1.0, 0.1, 2.0**-10, reach, 10 * reach):
        yield (places + 0.5) * unit
        yield -(places + 1.0) * unit
    yield np.ones(dims)  # a tie of all
    yield (places < max(1, dims - 1)).astype(float)  # a tie of all but one: the ends of a share
    yield 1 - (places == 0).astype(float)
    yield 1e3 * reach * (places - dims / 2)  # one far ahead of the rest
    yield np.full(dims, 1e6 * reach)
    yield np.full(dims, 2.0**20 - 0.5)
    yield np.nextafter(places + 0.5, -np.inf)
    yield np.full(dims, 5e-324)


def _directions(dims: int, rng: np.random.Generator) -> Iterator[FloatArray]:
    unit = np.eye(dims)
    yield unit[0]
    yield np.ones(dims)
    yield unit[-1]
    yield -unit[0]
    yield unit[0] - unit[-1] if dims > 1 else -unit[0]
    yield np.where(np.arange(dims) % 2, 1.0, -1.0)
    yield (np.arange(dims) > 0).astype(float) if dims > 1 else unit[0]
    for _ in range(3):
        yield rng.choice([-1.0, 1.0], dims)
        yield rng.choice([-1.0, 0.0, 1.0], dims)
        yield rng.standard_normal(dims)
        yield rng.standard_normal(dims) ** 5  # nearly along one axis


def _random_centre(reach: float, dims: int, rng: np.random.Generator) -> FloatArray:
    size = reach * 10.0 ** rng.integers(0, 3)
    kind = rng.integers(3)
    if kind == 0:
        return np.asarray(rng.uniform(-size, size, dims))
    if kind == 1:
        return np.asarray(rng.integers(-5, 6, dims) / 2)
    return np.asarray(np.round(rng.uniform(-size, size, dims) / reach) * reach)


def _placed(
    norm: Norm, reach: float, centre: FloatArray, direction: FloatArray, place: tuple[float, float], rng: np.random.Generator
) -> Pair | None:
    """The pair along the direction, ``reach`` apart in the norm; where a seminorm sees no shift, a shift is added."""
    length = float(norm(direction))
    step = direction * (reach / length) if length > 0 else direction * reach
    if not float(norm(np.ones_like(centre))):
        step = step + reach * rng.choice([0.0, 0.3, 50.0])
    for less in (1.0, 1 - 1e-12, 1 - 1e-9, 1 - 1e-6):  # what rounding drove apart is drawn together
        a, b = centre + place[0] * less * step, centre + place[1] * less * step
        if float(norm(b - a)) <= reach:
            return a, b
    return None
