"""How far an answer is moved by which rows and groups a salt keeps: the target itself under 500 salts."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dpcore import Adjacency, PureDP, targets
from dpcore.base.groups import Groups
from dpcore.base.people import per_user
from dpcore.base.types import Database, FloatArray
from pages.old.experiment.contributions.asked import MEAN, SUM, Asked, Terms, rows_of
from pages.old.experiment.contributions.cap import Cap, Keeping
from pages.old.experiment.contributions.noise import LaplaceNoise
from pages.old.experiment.contributions.predict import predict

SALTS, PEOPLE, WARDS, BOUNDS = 500, 300, "ABCD", (0.0, 10.0)
TERMS = Terms(LaplaceNoise(PureDP(1.0)), Adjacency.ADD_OR_REMOVE_ONE_USER, Keeping.ROWS)


def _database() -> Database:
    """From 1 to 14 rows a person, in wards of unlike numbers of rows and unlike values."""
    rng = np.random.default_rng(12)
    ids = np.repeat(np.arange(PEOPLE), rng.integers(1, 15, PEOPLE))
    rows = np.empty(len(ids), dtype=[("x", float), ("ward", "U1")])
    places = rng.choice(4, len(ids), p=[0.4, 0.3, 0.2, 0.1])
    rows["x"], rows["ward"] = rng.uniform(0, 6 + places), np.array(list(WARDS))[places]
    return per_user(rows, ids, person="who")


def _answers(target: targets.Capped, database: Database, asked: Asked) -> FloatArray:
    """Of one salt: each ward's sum, or its mean from the sum and number of shares between −1 and 1."""
    raw = target(database)
    if asked is SUM:
        return raw
    sums, number = raw.reshape(-1, 2).T
    return np.asarray(5 + 5 * sums / np.maximum(number, 1))


@pytest.mark.slow
@pytest.mark.statistical
@pytest.mark.parametrize(
    ("asked", "target", "s", "g"),
    [(SUM, targets.Sum(BOUNDS), 100, 2), (MEAN, targets.KnownMean(BOUNDS), 2, 1)],
    ids=["sum, groups alone", "mean"],
)
def test_the_variance_over_salts_is_that_of_the_target_under_500_of_them(
    asked: Asked, target: targets.Sum | targets.KnownMean, s: int, g: int
) -> None:
    """Within 3 standard errors, of the wards' mean of squared distances over their predicted variances; 20 % more or less of a
    variance is refused, and so is that of rows alone."""
    database, question = _database(), targets.On(target, ("x",), (), Groups("ward", tuple(WARDS)))
    capped = [targets.Capped(question, "who", s, groups_each=g, salt=salt) for salt in range(SALTS)]
    found = np.array([_answers(each, database, asked) for each in capped])
    errors = predict(rows_of(capped[0], database), asked, TERMS, [Cap(s, g)], [BOUNDS]).best.errors
    distances = ((found - found.mean(axis=0)) ** 2 / errors.salts).mean(axis=1) * SALTS / (SALTS - 1)
    near = 3 * distances.std() / math.sqrt(SALTS)
    assert distances.mean() == pytest.approx(1, abs=near)
    assert near < 0.2 - abs(distances.mean() - 1)
