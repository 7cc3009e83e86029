"""A question: the target of the records that meet its conditions, in each of its groups, and its worst case by brute force."""

from __future__ import annotations

import pickle
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from dpcore import (
    L1,
    L2,
    LINF,
    RANGE,
    Filter,
    GroupBy,
    LaplaceMechanism,
    OperatingPoint,
    PureDP,
    oracles,
    sample_sensitivity,
    targets,
)
from dpcore.base.arrays import Database
from dpcore.base.columns import Column
from dpcore.base.norms import Norm
from dpcore.errors import DatabaseMismatchError, InvalidValueError
from dpcore.result_types.kind import Grouped
from dpcore.sampling.methods import choose

STAYS = np.array(
    [(1, 20, "F", "a"), (2, 30, "F", "b"), (4, 40, "M", "a"), (np.nan, 50, "F", "a"), (8, 60, "F", ""), (16, np.nan, "F", "b")],
    dtype=[("cost", float), ("age", float), ("sex", "U2"), ("ward", "U3")],
)
COST, AGE = Column("cost", "Cost", "€", bounds=(0.0, 10.0)), Column("age", bounds=(0.0, 120.0))
SEX, WARD = Column("sex", "Sex", role="text"), Column("ward", role="text", categories=("a", "b"))
FEMALE, ADULT, BY_WARD = Filter("sex", "F"), Filter("age", interval=(18, 55)), GroupBy("ward", ("b", "none", "a"))
SUM = targets.Sum((0.0, 10.0))


@pytest.mark.parametrize(
    ("target", "where", "wanted"),
    [
        (SUM, (), 1 + 2 + 4 + 8 + 10),
        (SUM, (FEMALE,), 1 + 2 + 8 + 10),
        (SUM, (FEMALE, ADULT), 1 + 2),
        (SUM, (Filter("sex", "F", excluded=True),), 4),
        (SUM, (Filter("age", interval=(25, 45), excluded=True),), 1 + 8),
        (SUM, (Filter("cost", interval=(3, 9)),), 4 + 8),
        (targets.Count(interval=(0, 100)), (FEMALE,), 4),
        (targets.Count(), (), 5),
        (targets.Count(), (FEMALE,), 4),
        (targets.Count(), (ADULT,), 3),
    ],
    ids=repr,
)
def test_a_record_that_a_condition_does_not_hold_of_counts_nowhere_and_a_missing_value_meets_none(
    target: Any, where: tuple[Filter, ...], wanted: float
) -> None:
    assert targets.Query(target, ("cost",), where)(STAYS).tolist() == [wanted]


def test_groups_are_answered_one_after_another_and_an_empty_one_like_any_other() -> None:
    asked = targets.Query(SUM, ("cost",), (FEMALE,), BY_WARD)
    assert asked(STAYS).tolist() == [12, 0, 1]
    assert asked.groups == ("b", "none", "a")
    assert targets.Query(SUM, ("cost",), (FEMALE,)).groups == ()
    means = targets.Query(targets.Mean((0.0, 10.0)), ("cost",), by=BY_WARD)
    assert means(STAYS) == pytest.approx([-0.6 + 1, 2, 0, 0, -0.8 - 0.2, 2])


@pytest.mark.parametrize("inner", [targets.Sum((-1.0, 2.0)), targets.Mean((-1.0, 2.0))], ids=repr)
def test_all_groups_in_one_pass_are_to_the_bit_what_each_is_under_a_condition(inner: Any) -> None:
    """Sums that hang on their order, unless each is rounded once: 10⁻⁹ beside 1, and both signs."""
    rng, wards = np.random.default_rng(4), ("b", "c", "a", "empty")
    stays = np.zeros(4_000, dtype=[("cost", float), ("ward", "U6")])
    stays["cost"] = rng.normal(size=4_000) * 10.0 ** rng.integers(-9, 1, 4_000)
    stays["cost"][::7], stays["ward"] = np.nan, rng.choice(["a", "b", "c", "elsewhere", ""], 4_000)
    alone = [targets.Query(inner, ("cost",), (Filter("ward", ward),))(stays) for ward in wards]
    assert targets.Query(inner, ("cost",), by=GroupBy("ward", wards))(stays).tobytes() == np.concatenate(alone).tobytes()


def test_texts_of_two_columns_and_numbers_of_a_group_are_asked_about_too() -> None:
    women = targets.Query(targets.Count("F"), ("sex",), (ADULT,), GroupBy("ward", ("a", "b")))
    assert women(STAYS).tolist() == [2, 1]
    by_age = targets.Query(targets.Count("F"), ("sex",), by=GroupBy("age", (20, 50, 70)))
    assert by_age(STAYS).tolist() == [1, 1, 0]
    assert by_age.groups == ("20", "50", "70")
    both = targets.Query(targets.Correlation(((0, 10), (0, 120))), ("cost", "age"), (Filter("cost", interval=(0, 5)),))
    assert both(STAYS) == pytest.approx(np.corrcoef([1, 2, 4], [20, 30, 40])[0, 1])


ASKED = [
    targets.Query(SUM, ("cost",), (FEMALE,)),
    targets.Query(SUM, ("cost",), (FEMALE,), BY_WARD),
    targets.Query(targets.Mean((0.0, 10.0)), ("cost",), (ADULT,), BY_WARD),
    targets.Query(targets.Proportion("F"), ("sex",), (), BY_WARD),
    targets.Query(targets.Histogram(edges=(0, 5, 10), counts=True), ("cost",), (), BY_WARD),
    targets.Query(targets.Correlation(((0, 10), (0, 120))), ("cost", "age"), (FEMALE,), BY_WARD),
]


@pytest.mark.parametrize("asked", ASKED, ids=repr)
def test_its_ways_are_its_targets_and_give_the_same(asked: Any) -> None:
    own = {"additive"} if (asked.known.contribution is not None) else {"batch"}
    assert set(asked.ways) == own
    assert choose(asked).name in own
    if "additive" in own:
        assert asked.contribution(STAYS, len(STAYS)).sum(axis=0) == pytest.approx(asked(STAYS))
    else:
        again = np.stack([STAYS, STAYS[::-1]])
        assert asked.batch(again) == pytest.approx(np.stack([asked(STAYS), asked(STAYS[::-1])]))
    assert pickle.loads(pickle.dumps(asked)) == asked


@pytest.mark.parametrize("asked", ASKED, ids=repr)
def test_it_is_sampled_from_records_with_names(asked: Any) -> None:
    laws = (
        oracles.WithMissing(oracles.Uniform(0, 10), 0.2),
        oracles.Uniform(0, 120),
        oracles.Categorical((0.5, 0.5), ("F", "M")),
        oracles.Categorical((0.5, 0.5), ("a", "b")),
    )
    sample = sample_sensitivity(
        asked,
        oracles.IndependentColumns(laws, ("cost", "age", "sex", "ward")),
        norm=L1,
        n=20,
        at=OperatingPoint.for_gamma(0.01),
        seed=1,
    )
    proof = asked.global_sensitivity(L1, 20)
    assert sample.failures == {}
    assert 0.3 * proof.value < sample.distances.max() <= proof.value


def _tables(rng: np.random.Generator, n: int, values: tuple[Any, ...]) -> Database:
    """Extended by a record: values and groups drawn from a few, missing ones and records of no group among them."""
    found = np.empty(n + 1, dtype=[("x", np.array(values).dtype), ("g", "U2"), ("c", float)])
    found["x"], found["g"] = rng.choice(np.array(values), n + 1), rng.choice(["a", "b", "c", "no", ""], n + 1)
    found["c"] = rng.choice([0.0, 1.0, np.nan], n + 1)
    return found


NUMBERS_OF = (-2.0, 0.0, 3.0, 7.0, np.nan)
LOST = {
    "Sum": (9, 7),
    "Count": (1, 1),
    "Mean": (2, 2),
    "Proportion": (2, 2),
    "counts": (2, 1),
    "shares": (2 / 3, 1 / 3),
    "rows": (1, 1),
}
INNER: dict[str, Any] = {
    "Sum": targets.Sum((-2.0, 7.0)),
    "Count": targets.Count(interval=(0, 7)),
    "Mean": targets.Mean((-2.0, 7.0)),
    "Proportion": targets.Proportion(interval=(0, 5)),
    "counts": targets.Histogram(edges=(-2, 1, 7), counts=True),
    "shares": targets.Histogram(edges=(-2, 1, 7)),
    "rows": targets.Count(),
}
TWO = {L1: 2.0, L2: 2**0.5, LINF: 1.0}


def _proved(name: str, norm: Norm, groups: int) -> float:
    """By hand: the larger of a change inside a group and of two that get lost."""
    inside, lost = LOST[name]
    if norm is not L1:
        scale = {"Mean": (2.0, 2**0.5, 1.0), "Proportion": (2.0, 2**0.5, 1.0)}.get(name)
        if scale is not None:
            lost = scale[1] if norm is L2 else scale[2]
        if name in ("counts", "shares"):
            inside = lost * (2**0.5 if norm is L2 else 1.0)
    return max(inside, lost * (TWO[norm] if groups > 1 else 1.0))


@pytest.mark.parametrize("groups", [0, 1, 3])
@pytest.mark.parametrize("name", INNER)
def test_no_neighbours_are_further_apart_than_proved_and_some_are_as_far(name: str, groups: int) -> None:
    """Every pair of values with every pair of groups for the replaced record, in one order, for a norm is the same of both; and
    60 random tables with missing values."""
    by = GroupBy("g", ("a", "b", "c")[:groups]) if groups else None
    asked = targets.Query(INNER[name], ("x",), (Filter("c", 1),), by)
    rng = np.random.default_rng(5)
    common = np.array([(1.0, "a", 1.0), (np.nan, "b", 1.0)], dtype=[("x", float), ("g", "U2"), ("c", float)])
    replaced = [(x, g, c) for x in NUMBERS_OF for g in ("a", "b", "no") for c in (0.0, 1.0)]
    pairs = [np.concatenate([common, np.array(list(pair), dtype=common.dtype)]) for pair in combinations(replaced, 2)]
    tables = (*pairs, *(_tables(rng, 3, NUMBERS_OF) for _ in range(60)))
    moved = [asked(extended[:3]) - asked(np.delete(extended, 2)) for extended in tables]
    for norm in (L1, L2, LINF):
        proof, worst = asked.global_sensitivity(norm, 3), max(float(norm(each)) for each in moved)
        assert proof is not None
        assert proof.target == asked
        assert proof.value == pytest.approx(_proved(name, norm, groups), rel=1e-12)
        assert proof.value * (1 - 1e-9) <= worst <= proof.value


@pytest.mark.parametrize("q", [0.3, 0.5, 0.9])
def test_a_quantiles_scores_move_by_two_and_less_where_a_condition_leaves_a_record_out(q: float) -> None:
    inner = targets.QuantileScores(q, (0.0, 1.0), points=5)
    asked = targets.Query(inner, ("x",), (Filter("c", 1),))
    rng, worst = np.random.default_rng(2), dict.fromkeys((L1, L2, LINF), 0.0)
    inside = lost = 0.0
    for _ in range(500):
        extended = _tables(rng, 40, (0.0, 0.25, 0.5, 0.75, 1.0, np.nan))
        extended["c"] = 1.0
        extended["c"][40] = counts = rng.integers(2)
        moved = asked(extended[:40]) - asked(np.delete(extended, 39))
        for norm in worst:
            worst[norm] = max(worst[norm], float(norm(moved)))
        far = float(RANGE(moved))
        inside, lost = (max(inside, far), lost) if counts else (inside, max(lost, far))
    assert inside == pytest.approx(2.0)
    assert lost == pytest.approx(2 * max(q, 1 - q))
    assert inner.lost(RANGE, 40) == pytest.approx(2 * max(q, 1 - q))
    assert inner.lost(LINF, 40) == pytest.approx(max(q, 1 - q))
    for norm, found in worst.items():
        proof = asked.global_sensitivity(norm, 40)
        assert proof is not None
        assert found <= proof.value
    assert worst[LINF] == pytest.approx(1.0)
    assert asked.candidates == inner.candidates
    alone = asked.global_sensitivity(RANGE, 40)
    assert alone is not None
    assert alone.value == pytest.approx(2.0)


def test_a_choice_is_not_made_by_group() -> None:
    for scores in (targets.QuantileScores(0.5, (0.0, 1.0)), targets.QuantileScores(0.25, (0.0, 1.0), points=5)):
        with pytest.raises(InvalidValueError, match="groups must be left out for a median or another choice"):
            targets.Query(scores, ("x",), by=BY_WARD)


def test_it_says_of_itself_what_its_target_says() -> None:
    plain, grouped = targets.Query(SUM, ("cost",), (FEMALE,)), targets.Query(SUM, ("cost",), (FEMALE,), BY_WARD)
    assert plain.fields == ("cost", "sex")
    assert grouped.fields == ("cost", "sex", "ward")
    assert plain.answer((COST, SEX)) == SUM.answer((COST,))
    assert grouped.answer((COST, SEX, WARD)) == Grouped(SUM.answer((COST,)), ("b", "none", "a"))
    assert plain.candidates == ()
    assert plain.answer_bounds is not None
    assert plain.answer_bounds(7) == (0.0, 70.0)
    assert grouped.answer_bounds is None
    bars = targets.Histogram(categories=("F", "M"))
    assert targets.Query(bars, ("sex",)).candidates == ("F", "M")
    assert targets.Query(bars, ("sex",), by=GroupBy("ward", ("a", "b"))).candidates == ("a: F", "a: M", "b: F", "b: M")
    assert targets.Query(targets.Count("F"), ("sex",)).whole_numbers is True

    median = targets.QuantileScores(0.5, (0.0, 10.0))
    assert median.seconds(1_000) < targets.Query(median, ("cost",)).seconds(1_000) < 1.5 * median.seconds(1_000)
    spread = targets.Variance((0.0, 10.0))  # which has no sums that all groups share
    assert targets.Query(spread, ("cost",), by=BY_WARD).seconds(1_000) == 3 * targets.Query(spread, ("cost",)).seconds(1_000)
    assert plain.seconds is None


def test_a_release_of_other_columns_is_refused_before_anything_is_spent() -> None:
    proof = targets.Query(SUM, ("cost",), (FEMALE,)).global_sensitivity(L1, 6)
    assert proof is not None
    calibrated = LaplaceMechanism().calibrate(proof, PureDP(1e6))
    assert calibrated.release(STAYS).response == pytest.approx([21], abs=0.01)
    for database in (np.zeros(6), STAYS[["cost", "age"]]):
        with pytest.raises(DatabaseMismatchError) as caught:
            calibrated.release(database)
        assert caught.value.expected == ("cost", "sex")


def test_it_fits_its_columns_in_order_where_they_hold_what_is_asked() -> None:
    asked = targets.Query(SUM, ("cost",), (FEMALE, ADULT), BY_WARD)
    assert asked.fits((COST, SEX, AGE, WARD))
    assert not asked.fits((COST, AGE, SEX, WARD))
    assert not asked.fits((COST, SEX, AGE))
    assert not asked.fits((COST, Column("sex"), AGE, WARD))
    assert not asked.fits((Column("cost", role="text"), SEX, AGE, WARD))


@pytest.mark.parametrize(
    ("kind", "given", "name"),
    [
        (targets.Query, (targets.Mean(), ("a",)), "target"),
        (targets.Query, (targets.LinearSVM(((0, 1),)), ("a",)), "target"),
        (targets.Query, (targets.Query(SUM, ("a",)), ("a",)), "target"),
        (targets.Query, (1, ("a",)), "target"),
        (targets.Query, (SUM, ()), "columns"),
        (targets.Query, (SUM, "a"), "columns"),
        (targets.Query, (SUM, ("a", "a")), "columns"),
        (targets.Query, (SUM, ("",)), "columns"),
        (targets.Query, (SUM, (1,)), "columns"),
        (targets.Query, (SUM, ("a",), FEMALE), "where"),
        (targets.Query, (SUM, ("a",), (FEMALE,) * 33), "where"),
        (targets.Query, (targets.Histogram(edges=tuple(range(5_000))), ("a",), (), GroupBy("a", tuple(range(300)))), "groups"),
        (targets.Query, (SUM, ("a",), (BY_WARD,)), "where"),
        (targets.Query, (SUM, ("a",), (), FEMALE), "by"),
        (Filter, ("a",), "category, interval"),
        (Filter, ("a", 1, (0, 1)), "category, interval"),
        (Filter, ("", 1), "column"),
        (Filter, (1, 1), "column"),
        (Filter, ("a", ""), "category"),
        (Filter, ("a", np.nan), "category"),
        (Filter, ("a", True), "category"),
        (Filter, ("a", None, (1, 1)), "interval"),
        (Filter, ("a", 1, None, 1), "excluded"),
        (GroupBy, ("a", ()), "categories"),
        (GroupBy, ("a", ("x", "x")), "categories"),
        (GroupBy, ("a", ("x", "")), "categories"),
        (GroupBy, ("a", ("x", 1)), "categories"),
        (GroupBy, ("a", (0.0, -0.0)), "categories"),
        (GroupBy, ("", (1,)), "column"),
    ],
    ids=lambda part: part.__name__ if isinstance(part, type) else repr(part)[:60],
)
def test_what_is_no_question_is_refused(kind: Any, given: tuple[Any, ...], name: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        kind(*given)
    assert caught.value.name == name


def test_other_databases_are_refused_by_their_columns_alone() -> None:
    asked = targets.Query(SUM, ("cost",), (FEMALE,))
    for database in (np.zeros(3), STAYS[["cost", "age"]]):
        with pytest.raises(InvalidValueError, match="named columns cost, sex"):
            asked(database)
    with pytest.raises(InvalidValueError, match="texts"):
        targets.Query(SUM, ("cost",), (Filter("age", "F"),))(STAYS)
    with pytest.raises(InvalidValueError, match="numbers"):
        targets.Query(SUM, ("cost",), by=GroupBy("ward", (1, 2)))(STAYS)
