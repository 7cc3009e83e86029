"""Capped people in plain loops, by group too: a second way to every sum."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.people import CODE, PERSON
from dpcore.base.types import FloatArray

Row = tuple[int, float, int]
"""A person, a value, and a group."""


def field(people: Sequence[int]) -> NDArray[Any]:
    """People as a database has them, from codes in order."""
    made = np.zeros(len(people), dtype=PERSON)
    made[CODE] = people
    return made


def rows(rng: np.random.Generator, people: int, most: int, groups: int = 1) -> list[Row]:
    """Up to so many rows a person, values from −10 to 30."""
    return [
        (person, float(rng.uniform(-10, 30)), int(rng.integers(groups)))
        for person in range(people)
        for _ in range(rng.integers(1, most + 1))
    ]


def weights(table: list[Row], s: int, g: int | None) -> list[float]:
    """min(1, s/N), N over all groups; or N in the group, times min(1, g/G)."""
    over_all, inside = Counter(person for person, _, _ in table), Counter((person, group) for person, _, group in table)
    entered = Counter(person for person, _ in inside)
    if g is None:
        return [min(1.0, s / over_all[person]) for person, _, _ in table]
    return [min(1.0, s / inside[person, group]) * min(1.0, g / entered[person]) for person, _, group in table]


def sums(table: list[Row], kept: Sequence[float], bounds: tuple[float, float], groups: int) -> FloatArray:
    """Σ w·clip(v) and Σ w of each group, (groups, 2)."""
    found = np.zeros((groups, 2))
    for (_, value, group), weight in zip(table, kept, strict=True):
        found[group] += weight * min(max(value, bounds[0]), bounds[1]), weight
    return found


def choices(table: list[Row], s: int, g: int | None) -> Iterator[list[float]]:
    """The weights of all rows under each way in which a salt can choose g groups and s rows, all equally likely."""
    drawn_from: dict[int, dict[int, list[int]]] = {}
    for place, (person, _, group) in enumerate(table):
        drawn_from.setdefault(person, {}).setdefault(0 if g is None else group, []).append(place)
    for chosen in itertools.product(*(_of_person(list(parts.values()), s, g) for parts in drawn_from.values())):
        kept = set(itertools.chain(*chosen))
        yield [float(place in kept) for place in range(len(table))]


def _of_person(parts: list[list[int]], s: int, g: int | None) -> list[list[int]]:
    """The places that are kept, of which the same ones can come up several times: every draw of rows, for every set of groups."""
    rows = list(itertools.product(*(itertools.combinations(places, min(s, len(places))) for places in parts)))
    groups = list(itertools.combinations(range(len(parts)), len(parts) if g is None else min(g, len(parts))))
    return [list(itertools.chain(*(drawn[i] for i in some))) for drawn in rows for some in groups]
