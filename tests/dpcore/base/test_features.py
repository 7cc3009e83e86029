"""Features as numbers from 0 to 1: categories become a number each but the first, and what is missing tells nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base import features
from dpcore.base.declared import TEXT, Column
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


def test_what_is_declared_says_how_many_numbers_there_are_and_what_they_are_called() -> None:
    columns = (AGE, WARD, SEX, GRADE)
    bounds, counts = features.of_columns(columns) or ((), ())
    assert bounds == ((0, 100), (0, 2), (0, 1), (0, 2))
    assert counts == (0, 3, 0, 3)
    assert features.dimensions(bounds, counts) == 6
    labels = tuple(column.name for column in columns)
    assert features.names(labels, columns, counts) == ("age", "ward = B", "ward = C", "sex", "grade = 2", "grade = 4")
    assert features.of_columns((Column("note", role=TEXT),)) is None


def test_a_record_has_a_one_where_its_category_is_and_what_is_missing_is_in_the_middle() -> None:
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
