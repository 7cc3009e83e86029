"""A histogram of each column as one target: its counts, and a worst case that is attained and never passed."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, targets
from dpcore.base.declared import TEXT, Column
from dpcore.base.norms import Norm
from dpcore.errors import InvalidValueError
from dpcore.targets.column_counts import of_columns

COST = Column("cost", bounds=(0.0, 100.0))
SEX = Column("sex", role=TEXT, categories=("F", "M", "other"))
YES = Column("yes", bounds=(0.0, 1.0), categories=(0.0, 1.0), category_names=("no", "yes"))
TARGET = of_columns((COST, SEX, YES), 4)
DATABASE = np.array([[0.0, 0.0, 1.0], [25.0, 2.0, 0.0], [100.0, 1.0, 1.0], [900.0, np.nan, 1.0], [np.nan, 2.0, np.nan]])


def _record(rng: np.random.Generator) -> Any:
    return [
        rng.choice([-5.0, 0.0, 24.9, 25.0, 99.0, 100.0, 1e300, np.nan]),
        rng.choice([0.0, 1.0, 2.0, np.nan]),
        rng.choice([0.0, 1.0, np.nan]),
    ]


def test_it_counts_bins_and_categories_and_a_missing_value_nowhere() -> None:
    assert TARGET.bins == (4, 3, 2)
    assert [part.tolist() for part in TARGET.split(TARGET(DATABASE))] == [[1, 1, 0, 2], [1, 1, 2], [1, 3]]
    assert TARGET(DATABASE).tolist() == TARGET.contribution(DATABASE, 5).sum(axis=0).tolist()
    one = of_columns((COST,), 4)
    assert one(DATABASE[:, 0]).tolist() == [1, 1, 0, 2]
    assert one.answer((COST,)).labels == ("cost: 0–25", "cost: 25–50", "cost: 50–75", "cost: 75–100")


def test_codes_fall_into_their_own_bins_however_many_there_are() -> None:
    for codes in range(2, 200):
        column = Column("c", role=TEXT, categories=tuple(map(str, range(codes))))
        assert of_columns((column,), 1)(np.arange(float(codes))).tolist() == [1.0] * codes


def test_its_labels_and_words_are_those_of_bins_and_categories() -> None:
    names = TARGET.answer((COST, SEX, YES)).labels
    assert names[4:] == ("sex: F", "sex: M", "sex: other", "yes: no", "yes: yes")
    assert TARGET.said_of((COST, SEX, YES)) == (
        "the histogram of each column: cost in 4 bins between 0 and 100; sex in 3 categories; yes in 2 categories"
    )


@pytest.mark.parametrize(("norm", "exact"), [(L1, 6.0), (L2, math.sqrt(6)), (LINF, 1.0), (RANGE, 2.0)])
def test_its_worst_case_is_attained_and_never_passed(norm: Norm, exact: float) -> None:
    proof = TARGET.global_sensitivity(norm, 5)
    lost = TARGET.lost(norm, 5)
    assert proof is not None
    assert lost is not None
    other = DATABASE.copy()
    other[0] = [99.0, 1.0, 0.0]
    assert norm(TARGET(DATABASE) - TARGET(other)) == pytest.approx(exact, rel=1e-12)
    assert exact <= proof.value <= exact * (1 + 1e-12)
    rng = np.random.default_rng(3)
    largest = 0.0
    for _ in range(400):
        one = np.array([_record(rng) for _ in range(5)])
        other, place = one.copy(), rng.integers(5)
        other[place] = _record(rng)
        assert norm(TARGET(one) - TARGET(other)) <= proof.value
        other[place] = np.nan
        largest = max(largest, float(norm(TARGET(one) - TARGET(other))))
    assert largest == pytest.approx(lost, rel=1e-12)


def test_one_target_of_all_columns_has_the_noise_of_one_a_column_at_an_equal_share() -> None:
    """2d/ε on each count, where each column alone has 2/(ε/d): one press, and no more noise."""
    together, alone = (of_columns(columns, 4).global_sensitivity(L1, 9) for columns in ((COST, SEX, YES), (COST,)))
    assert together is not None
    assert alone is not None
    assert together.value / 1.5 == pytest.approx(alone.value / (1.5 / 3), rel=1e-12)


@pytest.mark.parametrize(
    ("bounds", "bins"), [((0, 1), (0,)), ((0, 1), (2, 2)), ((0, 1), 2), ((0, 1), (257,)), (None, (2,)), ((1, 0), (2,))]
)
def test_what_is_no_histogram_is_refused(bounds: Any, bins: Any) -> None:
    with pytest.raises(InvalidValueError):
        targets.ColumnCounts(bounds, bins)


@pytest.mark.parametrize("column", [Column("a"), Column("t", role=TEXT), Column("one", role=TEXT, categories=("x",))])
def test_a_column_without_public_bounds_or_categories_is_refused(column: Column) -> None:
    with pytest.raises(InvalidValueError, match=column.name):
        of_columns((column,), 4)


def test_it_fits_the_columns_as_they_were_declared_and_no_others() -> None:
    assert TARGET.fits((COST, SEX, YES))
    assert not TARGET.fits((Column("cost", bounds=(0.0, 101.0)), SEX, YES))
    assert not TARGET.fits((COST, Column("sex", role=TEXT, categories=("F", "M")), YES))
    assert not TARGET.fits((COST, SEX))
