"""Settings and databases that a target cannot take are refused, by the name of the argument."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import Filter, GroupBy, targets
from dpcore.errors import InvalidValueError
from dpcore.targets import ClippedTotals, ContributionBounded, Query

UNIT = (0.0, 1.0)
SUM, MEDIAN, WARDS = targets.Sum((-4.0, 10.0)), targets.QuantileScores(0.5, UNIT), GroupBy("ward", ("A", "B", "C"))
ASKED, BY_WARD = Query(SUM, ("x",)), Query(SUM, ("x",), by=WARDS)
MANY = targets.Histogram(edges=tuple(range(5_000)))
TOTAL = "bounds of a person's total"

SETTINGS: list[tuple[Any, tuple[Any, ...], str]] = [
    *((kind, given, "category, interval") for kind in (targets.Count, targets.Proportion) for given in ((1.0, (0, 1)),)),
    (targets.Proportion, (), "category, interval"),
    (targets.Count, (None, (1, 0)), "interval"),
    (targets.Count, (np.nan,), "category"),
    (targets.Histogram, (), "categories, edges"),
    (targets.Histogram, (("a",), (0, 1)), "categories, edges"),
    (targets.Histogram, (None, (0, 1, 1)), "edges"),
    (targets.Histogram, (None, (0, 1), 1), "counts"),
    (targets.Mean, ((3.0, 3.0),), "bounds"),
    (targets.Sum, (None,), "bounds"),
    (targets.Variance, (UNIT, 2), "ddof"),
    (targets.Variance, (UNIT, True), "ddof"),
    (targets.Quantile, (1.1,), "q"),
    *((targets.QuantileScores, given, "q") for given in ((0.0, UNIT), (1.0, UNIT))),
    *((targets.QuantileScores, given, "bounds") for given in ((0.5, (1, 0)), (0.5, None))),
    *((targets.QuantileScores, (0.5, UNIT, points), "points") for points in (1, 100_002)),
    *(
        (targets.LetterCounts, (letters, True), "alphabet")
        for letters in ("", "a", "aa", "aA", "a\0", None, ("a", "b"), "é" * 1_001)
    ),
    *((targets.LetterCounts, ("ab", False, longest), "longest") for longest in (0, 1.5, True, "3", 10**400)),
    (targets.LetterCounts, ("ab", 1), "ignore_case"),
    *((targets.Correlation, (bounds,), "bounds") for bounds in (None, UNIT, (UNIT,), (UNIT,) * 3, ((1, 0), UNIT))),
    *((targets.CovarianceMatrix, ((UNIT,) * columns,), "bounds") for columns in (1, 21)),
    (targets.CovarianceMatrix, ((UNIT,) * 2, 1), "correlations"),
    *((targets.PrincipalComponent, ((UNIT,) * columns,), "bounds") for columns in (1, 51)),
    *((targets.Ridge, ((UNIT,), UNIT, penalty), "penalty") for penalty in (0.0, -1.0, 1e-7, 1e4, np.nan)),
    (targets.Ridge, ((), UNIT), "x_bounds"),
    (targets.Ridge, ((UNIT,), None), "y_bounds"),
    (targets.SufficientStatistics, ((UNIT,) * 21, UNIT), "x_bounds"),
    *((targets.MeanDirection, (bounds,), "x_bounds") for bounds in ((), ((1.0, 0.0),))),
    *((targets.ThresholdScores, ((UNIT,) * 2, direction), "direction") for direction in ((1.0,), (1.0, np.nan), "ab")),
    *((kind, ((UNIT,), 0.0), "C") for kind in (targets.HuberDirection, targets.LogisticDirection, targets.LinearSVM)),
    (targets.LinearSVM, ((UNIT,), 1.0, -1.0), "tolerance"),
    (targets.LinearSVM, ((UNIT,), 1.0, 1e-8, 1), "centred"),
    *((Query, (target, ("a",)), "target") for target in (targets.LinearSVM((UNIT,)), ASKED, 1, targets.MeanDirection((UNIT,)))),
    *((Query, (target, ("a",)), "target") for target in (targets.Mean(), targets.Mean((UNIT,) * 2), targets.Variance(UNIT, 1))),
    *((Query, (SUM, columns), "columns") for columns in ((), "a", ("a", "a"), ("",), (1,))),
    *((Query, (SUM, ("a",), where), "where") for where in (Filter("a", 1), (Filter("a", 1),) * 33, (WARDS,))),
    (Query, (SUM, ("a",), (), Filter("a", 1)), "by"),
    (Query, (MEDIAN, ("x",), (), WARDS), "groups"),
    (Query, (MANY, ("a",), (), GroupBy("a", tuple(range(300)))), "groups"),
    *((Filter, given, "category, interval") for given in (("a",), ("a", 1, (0, 1)))),
    *((Filter, given, "column") for given in (("", 1), (1, 1))),
    *((Filter, ("a", category), "category") for category in ("", np.nan, True)),
    (Filter, ("a", None, (1, 1)), "interval"),
    (Filter, ("a", 1, None, 1), "excluded"),
    *((GroupBy, ("a", found), "categories") for found in ((), ("x", "x"), ("x", ""), ("x", 1), (0.0, -0.0))),
    (GroupBy, ("", (1,)), "column"),
    *((ContributionBounded, (asked, "who"), "question") for asked in (SUM, Query(targets.Variance(UNIT), ("x",)))),
    *((ContributionBounded, (ASKED, "who", rows), "rows a person") for rows in (0, 1.5)),
    *((ContributionBounded, (asked, person), "person") for asked, person in ((ASKED, "x"), (BY_WARD, "ward"))),
    *((ContributionBounded, (BY_WARD, "who", 1, each), "groups a person") for each in (0, 4)),
    (ContributionBounded, (ASKED, "who", 1, 2), "groups a person"),
    *((ClippedTotals, (Query(inner, ("x",)), "who", UNIT), "question") for inner in (targets.Mean(UNIT), MEDIAN)),
    *((ClippedTotals, (ASKED, "who", totals), TOTAL) for totals in ((1.0, 2.0), (-2.0, -1.0), (0.0, 0.0), (0.0, np.inf))),
    *((ClippedTotals, (ASKED, "who", totals), "bounds") for totals in ((0.0, 1e288), (0.0, 1e-300))),
    (ClippedTotals, (Query(targets.Sum((0.0, 1e288)), ("x",)), "who", UNIT), "bounds"),
]


@pytest.mark.parametrize(("kind", "given", "name"), SETTINGS, ids=lambda part: getattr(part, "__name__", repr(part))[:60])
def test_wrong_setting_is_refused_by_name(kind: Any, given: tuple[Any, ...], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        kind(*given)
    assert caught.value.name == name


@pytest.mark.parametrize("widths", [(1.0,), (1.0, 1.0, 1.0), (0.0, 1.0), (1.0, 2e3), (1.0, np.nan), "ab", 1.0])
def test_wrong_shares_of_noise_are_refused(widths: Any) -> None:
    with pytest.raises(InvalidValueError, match="widths"):
        targets.SufficientStatistics((UNIT,), UNIT, widths=widths)


FIELDS = np.zeros(3, dtype=[("x", float), ("ward", "U1")])


@pytest.mark.parametrize(
    ("target", "database"),
    [
        (targets.Count(), np.zeros((3, 2))),
        (targets.Count(), np.array([None, "a"], dtype=object)),
        (targets.Count("a"), np.zeros(3)),
        (targets.Histogram(edges=(0, 1)), np.array(["a"])),
        (targets.Mean(UNIT), np.zeros((3, 2))),
        (targets.Mean(UNIT), np.zeros((3, 2, 2))),
        (targets.Mean(UNIT).of_known_values(), np.array(["a", "b"])),
        (targets.Variance(UNIT, 1), np.zeros(1)),
        *((targets.LetterCounts("ab"), one) for one in (np.array([b"ab"]), np.zeros(2), np.array([["a", "b"]]), np.array("abc"))),
        (targets.Correlation((UNIT, UNIT)), np.zeros((3, 3))),
        *((targets.Ridge((UNIT,) * 2, UNIT), one) for one in (np.zeros((3, 2)), np.zeros(3), np.array([["a", "b", "c"]]))),
        (targets.LinearSVM((UNIT,)), np.zeros((3, 3))),
        (targets.HuberDirection((UNIT,) * 2), np.zeros((3, 4))),
        (ASKED, np.zeros(3)),
        (Query(SUM, ("y",)), FIELDS),
        (Query(SUM, ("x",), (Filter("x", "F"),)), FIELDS),
        (Query(SUM, ("x",), by=GroupBy("ward", (1, 2))), FIELDS),
    ],
    ids=lambda part: repr(part)[:50],
)
def test_database_of_other_columns_is_refused(target: Any, database: Any) -> None:
    with pytest.raises(InvalidValueError):
        target(database)
