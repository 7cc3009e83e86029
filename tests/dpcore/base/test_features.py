"""Features as numbers from 0 to 1, and the records that a threshold misclassifies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base import features
from dpcore.base.columns import TEXT, Column
from dpcore.base.features import THRESHOLDS, errors_at_thresholds, misclassified, prepared, thresholds
from dpcore.errors import InvalidValueError

AGE = Column("age", bounds=(0.0, 100.0))
WARD = Column("ward", role=TEXT, categories=("A", "B", "C"))
SEX = Column("sex", role=TEXT, categories=("f", "m"))
GRADE = Column("grade", role="category", bounds=(1.0, 4.0), categories=(1.0, 2.0, 4.0))


def test_categories_are_taken_by_their_places() -> None:
    assert WARD.coded == Column(
        "ward", role="category", bounds=(0.0, 2.0), categories=(0.0, 1.0, 2.0), category_names=("A", "B", "C")
    )
    assert GRADE.coded.category_names == ("1", "2", "4")
    assert GRADE.coded.categories == (0.0, 1.0, 2.0)
    assert AGE.coded is AGE
    assert WARD.coded.coded is not WARD
    assert WARD.coded.coded == WARD.coded


def test_declared_columns_give_dimensions_and_names() -> None:
    columns = (AGE, WARD, SEX, GRADE)
    bounds, counts = features.of_columns(columns) or ((), ())
    assert bounds == ((0, 100), (0, 2), (0, 1), (0, 2))
    assert counts == (0, 3, 0, 3)
    assert features.dimensions(bounds, counts) == 6
    labels = tuple(column.name for column in columns)
    assert features.names(labels, columns, counts) == ("age", "ward = B", "ward = C", "sex", "grade = 2", "grade = 4")
    assert features.of_columns((Column("note", role=TEXT),)) is None


def test_scaled_codes_categories_and_centres_missing_values() -> None:
    bounds, counts = ((0.0, 100.0), (0.0, 2.0)), (0, 3)
    records = np.array([[25.0, 0.0], [200.0, 1.0], [np.nan, 2.0], [50.0, np.nan], [0.0, 7.0], [0.0, 0.5]])
    assert features.scaled(records, bounds, counts).tolist() == [
        [0.25, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.5, 0.0, 1.0],
        [0.5, 0.5, 0.5],
        [0.0, 0.5, 0.5],
        [0.0, 0.5, 0.5],
    ]
    many = np.broadcast_to(records, (2, 6, 2))
    assert (features.scaled(many, bounds, counts)[1] == features.scaled(records, bounds, counts)).all()


def test_columns_must_have_the_categories_that_were_counted() -> None:
    assert features.suit((0, 3), (AGE, WARD))
    assert features.suit((0, 3), (AGE, WARD.coded))
    assert not features.suit((3, 0), (AGE, WARD))
    assert not features.suit((0, 4), (AGE, WARD))
    assert features.suit((), (AGE, SEX))


@pytest.mark.parametrize(
    ("bounds", "counts"),
    [
        ((), ()),
        (((0, 1),), (3, 3)),
        (((0, 1),), (2,)),
        (((0, 1),), (3,)),
        (((0, 2),), (True,)),
        (((0, 2),), "3"),
        (((1, 0),), ()),
    ],
)
def test_counts_that_do_not_fit_their_bounds_are_refused(bounds: Any, counts: Any) -> None:
    with pytest.raises(InvalidValueError):
        features.checked(bounds, counts)


UNIT = ((0.0, 1.0), (0.0, 1.0))


def _records(seed: int, n: int, d: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coarse numbers, so that many records lie on a threshold; directions of many sizes, one of them 0."""
    rng = np.random.default_rng(seed)
    x, positive = np.round(rng.random((n, d)), 1), rng.random(n) < 0.4
    directions = np.round(rng.normal(size=(12, d)), 1) * 10.0 ** rng.integers(-300, 3, size=(12, 1))
    directions[0] = 0
    return x, positive, directions


@pytest.mark.parametrize(("seed", "n", "d"), [(0, 1, 1), (1, 9, 2), (2, 300, 1), (3, 40, 10), (4, 25, 64)])
def test_errors_at_thresholds_match_brute_force(seed: int, n: int, d: int) -> None:
    x, positive, directions = _records(seed, n, d)
    counted = errors_at_thresholds(directions, x, positive)
    for direction, cuts, found in zip(directions, thresholds(directions), counted, strict=True):
        places = np.zeros(n)
        for weight, column in zip(direction, x.T, strict=True):
            places += weight * column
        assert found.tolist() == [int(((places > cut) != positive).sum()) for cut in cuts]


def test_thresholds_span_all_possible_records() -> None:
    cuts = thresholds(np.array([[2.0, -3.0], [0.0, 0.0], [1.0, 1.0]]))
    assert cuts.shape == (3, THRESHOLDS)
    assert cuts[:, [0, -1]].tolist() == [[-3.0, 2.0], [0.0, 0.0], [0.0, 2.0]]
    assert cuts[2, 200] == 1.0


def test_misclassified_equals_errors_at_threshold() -> None:
    rng = np.random.default_rng(5)
    database = np.column_stack([rng.random((500, 2)), rng.integers(2, size=500)])
    directions = rng.normal(size=(3, 2))
    for i in (0, 17, 250, 400):
        answers = np.column_stack([directions, -thresholds(directions)[:, i]])
        counted = errors_at_thresholds(directions, *prepared(database, UNIT))[:, i]
        assert misclassified(answers, *prepared(database, UNIT)) == pytest.approx(counted / 500, abs=1e-12)


def test_prepared_clips_and_centres_features() -> None:
    database = np.array([[-1.0, 20.0, 1.0], [np.nan, 15.0, 0.0], [0.25, 10.0, np.nan], [0.5, 12.5, 0.51]])
    x, positive = prepared(database, ((0.0, 1.0), (10.0, 20.0)))
    assert x.tolist() == [[0.0, 1.0], [0.5, 0.5], [0.25, 0.0], [0.5, 0.25]]
    assert positive.tolist() == [True, False, False, True]


@pytest.mark.parametrize("database", [np.zeros((3, 2)), np.zeros(3), np.array([["a", "b", "1"]])])
def test_other_columns_are_refused(database: np.ndarray) -> None:
    with pytest.raises(InvalidValueError) as found:
        prepared(database, UNIT)
    assert found.value.expected == "of 2 features and a label"
