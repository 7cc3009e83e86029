"""A small table of people for the charts: heavy-tailed rows a person, in groups of unlike sizes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from dpcore import Adjacency, PureDP
from pages.old.experiment.contributions.asked import COUNT, SUM, Asked, Terms
from pages.old.experiment.contributions.cap import Cap, CountedRows, Keeping, counted_rows
from pages.old.experiment.contributions.noise import LaplaceNoise
from pages.old.experiment.contributions.predict import Predictions, predict
from tests.pages.experiment.contributions.naive import field

NUMBERS = [1] * 60 + [2] * 20 + [3] * 8 + [10] * 6 + [40, 90]
BY_WEIGHT = Terms(LaplaceNoise(PureDP(1.0)), Adjacency.ADD_OR_REMOVE_ONE_USER)
BY_SALT = Terms(BY_WEIGHT.noise, BY_WEIGHT.adjacency, Keeping.ROWS)
CAPS = (1, 2, 4, 8, 16, 32, 64)


def rows(numbers: Sequence[int] = NUMBERS, *, asked: Asked = SUM, groups: int = 1) -> CountedRows:
    """So many rows of each person, with values from −5 to 60."""
    rng = np.random.default_rng(7)
    size = sum(numbers)
    values = np.clip(rng.lognormal(2, 1, size) - 5, -5, 60)
    place = np.minimum(rng.geometric(0.4, size) - 1, groups - 1)
    whose = field(np.repeat(np.arange(len(numbers)), numbers).tolist())
    return counted_rows(whose, None if asked is COUNT else values, group=place, groups=groups)


def predicted(table: CountedRows, asked: Asked = SUM, terms: Terms = BY_WEIGHT, highs: Sequence[float] = (30.0,)) -> Predictions:
    """At each of the caps, with values from 0 to each upper bound."""
    bounds = None if asked is COUNT else [(0.0, high) for high in highs]
    return predict(table, asked, terms, [Cap(s) for s in CAPS], bounds)
