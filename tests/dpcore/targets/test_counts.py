"""Counts, shares and histograms: a missing value is in no category, and categories are told apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, LINF, Filter, GroupBy, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.columns import KNOWN, Column
from dpcore.errors import InvalidValueError
from dpcore.oracles.columns import laws_of, of_fields
from dpcore.registry import suited, takers
from dpcore.result_types.numbers import Numbers
from dpcore.sampling.sampler import true_cdf

STAYS = Column("days", "Days", "d", bounds=(0.0, 30.0))
SEX = Column("sex", "Sex", role="text", categories=("F", "M"))
RECORDS = np.array([0.0, 4.0, 15.0, 16.0, np.nan, 50.0, -2.0])
TEXTS = np.array(["F", "M", "", "F", "x", "F"])
OF_TEXT = (targets.Count, targets.Histogram, targets.Proportion)
AGES = np.array([60.0, np.nan, 10.0, np.nan])


@pytest.mark.parametrize(
    ("target", "database", "answer"),
    [
        (targets.Count(interval=(0, 15)), RECORDS, [3]),
        (targets.Count(category=16), RECORDS, [1]),
        (targets.Count(), RECORDS, [6]),
        (targets.Count(), TEXTS, [5]),
        (targets.Count(), RECORDS[:0], [0]),
        (targets.Count("F"), TEXTS, [3]),
        (targets.Proportion("F"), TEXTS, [0.5]),
        (targets.Proportion("F").of_known_values(), TEXTS, [3 - 2, 5]),
        (targets.Proportion(interval=(50, 70)), AGES, [0.25]),
        (targets.Proportion(interval=(50, 70)).of_known_values(), AGES, [0, 2]),
        (targets.Histogram(categories=("F", "M")), TEXTS, [0.5, 1 / 6]),
        (targets.Histogram(categories=("F", "M"), counts=True), TEXTS, [3, 1]),
        (targets.Histogram(edges=(0, 50, 120)), AGES, [0.25, 0.25]),
        (targets.Histogram(edges=(0, 15, 50), counts=True), RECORDS, [2, 3]),
    ],
    ids=repr,
)
def test_missing_value_is_in_no_category(target: Any, database: Any, answer: list[float]) -> None:
    assert target(database).tolist() == answer
    assert target.contribution(database, len(database)).sum(axis=0) == pytest.approx(answer)


def test_count_says_of_which_records() -> None:
    target = targets.Count()
    assert target.rows_that_count(RECORDS).tolist() == [True] * 4 + [False] + [True] * 2
    assert target.answer((STAYS,)) == Numbers(("Rows",), "rows", amount=True)
    assert targets.Count(category=1.0).answer((STAYS,)) == Numbers(("Days",), "rows", amount=True)
    assert target.asked_of((STAYS,)) == "Number of rows"
    assert target.asked_of((replace(STAYS, missing=KNOWN),)) == "Number of rows whose Days is known"
    assert targets.Count.suited((STAYS,)) == targets.Count(interval=(0.0, 15.0))
    assert targets.Count.suited((Column("sex", categories=(0.0, 1.0)),)) == targets.Count(category=1.0)


@pytest.mark.parametrize("kind", OF_TEXT)
def test_only_texts_with_categories_suit(kind: Any) -> None:
    assert kind in takers(OF_TEXT, (SEX,))
    assert suited(kind, (Column("note", role="text"),)) is None
    assert len(suited(kind, (SEX,))(TEXTS)) == (2 if kind is targets.Histogram else 1)


def test_law_of_texts_gives_true_distances() -> None:
    oracle = oracles.Categorical((0.2, 0.8), ("F", "M"))
    for target in (targets.Count("F"), targets.Proportion("F"), targets.Histogram(categories=("F", "M"))):
        cdf = true_cdf(target, oracle, L1, 10)
        assert cdf is not None
        sample = sample_sensitivity(target, oracle, norm=L1, n=10, at=OperatingPoint.for_sample_size(20_000), seed=1)
        assert cdf(np.array([0.0, sample.distances.max()])) == pytest.approx([(sample.distances == 0).mean(), 1.0], abs=0.02)


def test_oracle_with_missing_values_loses_them() -> None:
    laws = oracles.Uniform(0, 1), oracles.Categorical((0.5, 0.5), ("F", "M"))
    numbers, texts = (oracles.WithMissing(law, 0.25).draw(100, 200, rng=np.random.default_rng(1)) for law in laws)
    assert [np.isnan(numbers).mean(), (texts == "").mean()] == pytest.approx([0.25, 0.25], abs=0.02)
    asked, at = targets.Mean((0.0, 1.0)).of_known_values(), OperatingPoint.for_sample_size(2_000)
    sample = sample_sensitivity(asked, oracles.WithMissing(laws[0], 0.25), norm=LINF, n=10, at=at, seed=1)
    assert (sample.distances >= 1).mean() > 0.35  # 3 of 8 pairs lose or find a value, and then their number moves by 1


def test_named_columns_are_drawn_and_found_by_name() -> None:
    laws = {"age": oracles.Uniform(0, 9), "sex": oracles.Categorical((0.5, 0.5), ("F", "Mx"))}
    drawn = of_fields(laws).draw(3, 4, rng=np.random.default_rng(1))
    assert [(name, drawn.dtype[name].str) for name in drawn.dtype.names or ()] == [("age", "<f8"), ("sex", "<U2")]
    assert laws_of(of_fields(laws), ()) == laws
    assert laws_of(laws["age"], ("a",)) == {"a": laws["age"]}
    assert laws_of(oracles.RegressionPrior(), ("a", "b")) == {}


PAIR = oracles.Uniform(0, 9), oracles.Categorical((0.5, 0.5), ("F", "M"))
ONE_IN_AN_ARRAY = "without the character 0"  # arrays drop it from the end: a record would be in two categories


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: targets.Histogram(categories=("F", "F\0")), ONE_IN_AN_ARRAY),
        (lambda: targets.Count("\0"), ONE_IN_AN_ARRAY),
        (lambda: targets.Proportion("F\0"), ONE_IN_AN_ARRAY),
        (lambda: Filter("sex", "\0"), ONE_IN_AN_ARRAY),
        (lambda: GroupBy("sex", ("F", "F\0")), ONE_IN_AN_ARRAY),
        (lambda: oracles.Categorical((0.5, 0.5), ("F", "F\0")), ONE_IN_AN_ARRAY),
        (lambda: Column("sex", role="text", categories=("F", "\0")), ONE_IN_AN_ARRAY),
        (lambda: oracles.Categorical((0.2, 0.8), ("F",)), "different texts"),
        (lambda: oracles.WithMissing(PAIR[0], 0.0), "share"),
        (lambda: oracles.WithMissing(PAIR[0], np.nan), "share"),
        (lambda: oracles.WithMissing(oracles.TwoClasses(2), 0.1).draw(1, 1, rng=np.random.default_rng(1)), "single column"),
        (lambda: oracles.IndependentColumns(PAIR, ("a", "a")), "names"),
        (lambda: oracles.IndependentColumns(PAIR, ("a",)), "names"),
        (lambda: oracles.IndependentColumns(PAIR).draw(1, 1, rng=np.random.default_rng(1)), "columns with names"),
    ],
)
def test_ambiguous_categories_and_columns_are_refused(made: Any, said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        made()
