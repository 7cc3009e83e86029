"""Several questions as one target: their answers over their widths, on the same pair, with the worst case of all at once."""

from __future__ import annotations

import json
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Condition, Groups, Laplace, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
from dpcore.base.declared import Column
from dpcore.base.norms import Norm
from dpcore.base.types import Database
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.registry.catalog import from_json, to_json
from dpcore.registry.fit import fits
from dpcore.sampling.ways import choose

STAYS = np.array(
    [(1, 20, "F", "a"), (2, 30, "F", "b"), (4, 40, "M", "a"), (np.nan, 50, "F", "a"), (8, 60, "F", ""), (16, np.nan, "F", "b")],
    dtype=[("cost", float), ("age", float), ("sex", "U2"), ("ward", "U3")],
)
COLUMNS = (
    Column("cost", "Cost", "€", bounds=(0.0, 10.0)),
    Column("age", "Age", "years", bounds=(0.0, 120.0)),
    Column("sex", role="text"),
    Column("ward", role="text", categories=("a", "b")),
)
FEMALE, MALE, BY_WARD = Condition("sex", "F"), Condition("sex", "M"), Groups("ward", ("b", "a"))
SUM, MEAN = targets.Sum((0.0, 10.0)), targets.KnownMean((0.0, 120.0))
COST, AGE, WARDS = targets.On(SUM, ("cost",)), targets.On(MEAN, ("age",), (FEMALE,)), targets.On(SUM, ("cost",), by=BY_WARD)
BASKET = targets.Together((COST, AGE, WARDS), (2.0, 0.5, 4.0))


def test_each_answer_is_divided_by_its_width_and_given_back_in_its_own_unit() -> None:
    assert BASKET.fields == ("cost", "age", "sex", "ward")
    assert BASKET(STAYS) == pytest.approx([25 / 2, *(AGE(STAYS) / 0.5), 12 / 4, 5 / 4])
    own = BASKET.own(BASKET(STAYS))
    assert [part.tolist() for part in own] == [COST(STAYS).tolist(), AGE(STAYS).tolist(), WARDS(STAYS).tolist()]
    assert (BASKET.sizes, BASKET.numbers) == ((1, 2, 2), 5)
    answer = BASKET.answer(COLUMNS)
    assert answer.labels == ("Cost", "Mean of Age, known values", "b", "a")
    assert dict(answer.parts(BASKET(STAYS)))["Cost"] == "25 €"
    with pytest.raises(InvalidValueError, match="5 numbers"):
        BASKET.own(np.zeros(4))


def test_it_comes_back_from_json_and_fits_its_own_columns_alone() -> None:
    assert from_json(json.loads(json.dumps(to_json(BASKET))), "targets") == BASKET
    assert fits(BASKET, COLUMNS)
    assert not fits(BASKET, COLUMNS[:3])
    assert not fits(BASKET, (*COLUMNS[:3], Column("ward", bounds=(0.0, 1.0))))


@pytest.mark.parametrize(
    ("parts", "widths", "said"),
    [
        ((), (), "questions must be 1 to 20"),
        ((COST,) * 21, (1.0,) * 21, "questions must be 1 to 20"),
        ((COST, AGE), (1.0,), "one for each of the 2"),
        ((COST, AGE), (1.0, 0.0), r"question 2 \(Mean of known values of age\)"),
        ((COST, AGE), (1.0, float("nan")), "widths"),
        ((COST, BASKET), (1.0, 1.0), "question 2 must be a target, and no list"),
        ((COST, targets.Mean((0.0, 1.0))), (1.0, 1.0), "question 2 .Mean. must be like the first: all name their columns"),
        ((COST, targets.Capped(COST, "who")), (1.0, 1.0), "question 2 .Sum of cost. must be like the first about"),
        ((COST, targets.On(targets.QuantileScores(0.5, (0.0, 1.0), 4), ("cost",))), (1.0, 1.0), "no choice, no curve"),
        ((targets.Mean(), targets.MeanDirection(((0.0, 1.0),))), (1.0, 1.0), "question 2 .* no choice, no curve and no steps"),
    ],
)
def test_a_list_that_cannot_be_asked_together_names_its_question(parts: Any, widths: Any, said: str) -> None:
    with pytest.raises(InvalidValueError, match=said):
        targets.Together(parts, widths)


def test_it_is_measured_by_the_dearest_way_that_a_part_needs_and_never_by_the_direct_one() -> None:
    mean, variance, slow = targets.Mean((0.0, 1.0)), targets.Variance((0.0, 1.0)), lambda database: database[:1]
    quick = targets.Correlation(((0.0, 1.0), (0.0, 1.0)))
    ways = {
        parts: choose(targets.Together(parts, (1.0,) * len(parts)), oracles.Uniform(0, 1), 50).name
        for parts in ((mean,), (mean, mean), (mean, variance), (mean, quick), (variance, quick), (mean, slow))
    }
    assert list(ways.values()) == ["additive", "additive", "pair", "batch", "plain", "plain"]
    assert choose(targets.Quantile(0.5, (0.0, 1.0)), oracles.Uniform(0, 1), 50).name == "direct"
    assert choose(targets.Together((targets.Quantile(0.5, (0.0, 1.0)),), (1.0,)), oracles.Uniform(0, 1), 50).name == "pair"
    people = targets.Together((targets.Capped(COST, "who"), targets.Capped(AGE, "who", 2)), (1.0, 1.0))
    laws = (oracles.Uniform(0, 9), oracles.Uniform(0, 99), oracles.Categorical((1.0,), ("F",)))
    law = oracles.People(oracles.Uniform(0, 4), laws, ("cost", "age", "sex"), "who")
    assert choose(people, law, 50).name == "additive"


def test_all_parts_are_measured_on_the_same_pair() -> None:
    """One distance is the sum of both parts' on that pair, at their widths."""
    mean, variance = targets.Mean((0.0, 1.0)), targets.Variance((0.0, 1.0))
    both = targets.Together((mean, variance), (0.5, 2.0))
    how: dict[str, Any] = {"norm": L1, "n": 20, "at": OperatingPoint.for_sample_size(200), "seed": 5}
    law = oracles.Uniform(0, 1)
    alone = [
        sample_sensitivity(targets.Together((part, variance), (1.0, 1e300)), law, **how).distances for part in (mean, variance)
    ]
    assert sample_sensitivity(both, law, **how).distances == pytest.approx(alone[0] / 0.5 + alone[1] / 2.0, rel=1e-9)


def test_noise_of_a_part_is_its_width_times_the_scale_of_all() -> None:
    proved = BASKET.global_sensitivity(L1, len(STAYS))
    assert proved is not None
    calibrated = Laplace().calibrate(proved, PureDP(0.5))
    simulated = calibrated.simulate(BASKET(STAYS), size=100_000, rng=np.random.default_rng(3))
    own = [np.concatenate(parts) for parts in zip(*(BASKET.own(row) for row in simulated[:2_000]), strict=True)]
    assert np.abs(own[0] - 25).mean() == pytest.approx(2.0 * proved.value / 0.5, rel=0.08)
    assert len(calibrated.release(STAYS).response) == 5


@pytest.mark.parametrize(
    ("norm", "joined"), [(L1, 10 / 2 + 2 / 0.5 + 20 / 4), (LINF, 5.0), (L2, np.hypot(np.hypot(5, 4), np.sqrt(200) / 4))]
)
def test_the_worst_cases_of_parts_add_up_in_their_widths(norm: Norm, joined: float) -> None:
    proved = BASKET.global_sensitivity(norm, 6)
    assert proved is not None
    assert proved.value == pytest.approx(joined, rel=1e-9)
    assert proved.value > joined
    assert BASKET.global_sensitivity(RANGE, 6) is None
    assert (
        targets.Together((COST, targets.On(targets.Histogram(("a",)), ("ward",))), (1.0, 1.0)).global_sensitivity(L1, 6)
        is not None
    )


APART = {
    "two sexes": ((FEMALE,), (MALE,)),
    "two ages": ((Condition("age", interval=(0, 30)),), (Condition("age", interval=(31, 99)),)),
}


@pytest.mark.parametrize("where", APART.values(), ids=APART)
@pytest.mark.parametrize("norm", [L1, L2, LINF])
def test_questions_of_records_that_cannot_be_the_same_move_less_and_that_is_attained(norm: Norm, where: Any) -> None:
    """By brute force over records at the ends, with two questions in one class, one in the other and one in none."""
    size = targets.Sum((-10.0, 4.0))  # 14 inside a class, 10 for a record that leaves or enters it
    parts = (
        targets.On(size, ("cost",), where[0]),
        targets.On(targets.Count(interval=(-10, 0)), ("cost",), where[0]),
        targets.On(size, ("cost",), where[1]),
        targets.On(targets.Count(interval=(0, 30)), ("age",)),
    )
    basket = targets.Together(parts, (1.0, 0.1, 1.0, 0.2))
    records = [(cost, age, sex, "") for cost, age, sex in product((-10, 0, 4, np.nan), (20, 40, np.nan), ("F", "M", ""))]
    rows = np.array(records, dtype=STAYS.dtype)
    answers = np.stack([basket(rows[i : i + 1]) for i in range(len(rows))])
    far = max(float(norm(answers - answer).max()) for answer in answers)
    proved = basket.global_sensitivity(norm, 1)
    assert proved is not None
    summed = norm(np.array([14.0, 10.0, 14.0, 5.0]))
    assert far <= proved.value
    assert proved.value <= float(summed) * (1 + 1e-9)
    assert "cannot be the same" in proved.proof or norm is LINF
    if norm is L1:
        assert far == pytest.approx(proved.value, rel=1e-9)  # a lost −10 and its count: 20, a found −10: 10, and the last count


@pytest.mark.parametrize(
    "where",
    [
        [MALE, Condition("sex", "F", excluded=True), Condition("sex", "X")],
        [Condition("age", interval=ends) for ends in ((0, 30), (30, 99), (100, 120))],
        [Condition("age", interval=ends) for ends in ((30, 99), (0, 30), (100, 120))],
        [FEMALE, Condition("age", interval=(0, 30)), Condition("age", interval=(31, 99))],
    ],
)
def test_conditions_that_overlap_part_nothing(where: Any) -> None:
    """Three sums of 10: two records leave and enter no more than two of them only where no record can be in two."""
    parts = tuple(targets.On(SUM, ("cost",), (one,)) for one in where)
    proved = targets.Together(parts, (1.0,) * 3).global_sensitivity(L1, 5)
    assert proved is not None
    assert proved.value == pytest.approx(30, rel=1e-9)


def test_the_rounding_of_the_division_is_counted() -> None:
    """A large count over a small width: neighbours differ by more than the exact quotient of their distance."""
    count = targets.On(targets.Count(interval=(0.0, 1.0)), ("cost",))
    n, width = 2**20, 0.3
    worst = 0.0
    for whole in range(n - 3000, n):
        worst = max(worst, float(np.float64(whole + 1) / width - np.float64(whole) / width))
    proved = targets.Together((count,), (width,)).global_sensitivity(L1, n)
    assert proved is not None
    assert 1 / width < worst <= proved.value


def test_a_part_that_does_not_say_how_large_its_answer_is_has_no_worst_case_in_a_list() -> None:
    """The rounding of the division by its width hangs on that size (mathematics, section 19.2)."""

    @dataclass(frozen=True)
    class Half:
        """Half of a count, and nothing said of its size."""

        def __call__(self, database: Any, /) -> Any:
            return np.array([0.5 * np.count_nonzero(database > 0)])

        def global_sensitivity(self, norm: Norm, n: int) -> GlobalSensitivity[Norm]:
            return GlobalSensitivity(self, 0.5, norm, Adjacency.REPLACE_ONE_RECORD, "By definition.", n)

    @dataclass(frozen=True)
    class Sized(Half):
        def largest(self, n: int) -> tuple[float, ...]:
            return (0.5 * n,)

    untold, told = (targets.Together((kind(), Sized()), (1.0, 1.0)) for kind in (Half, Sized))
    assert untold.largest is None
    assert untold.global_sensitivity(L1, 5) is None
    assert told.largest is not None
    assert all(2.5 <= size < 2.6 for size in told.largest(5))
    found = told.global_sensitivity(L1, 5)
    assert found is not None
    assert 1.0 <= found.value < 1.001


def test_a_question_that_fails_is_named_and_its_message_is_not_told() -> None:
    def fails(database: Database) -> Any:
        raise ValueError(f"the row {database[0]}")

    endless = targets.Together((targets.Mean(), lambda database: np.array([np.inf])), (1.0, 1.0))
    both = targets.Together((targets.Mean(), fails), (1.0, 1.0))
    for target, kind in ((both, "ValueError"), (endless, "not finite")):
        with pytest.raises(InvalidValueError, match=rf"question 2 .*{kind}") as refused:
            target(np.array([4711.0]))
        assert "4711" not in str(refused.value)
        assert refused.value.__context__ is None
    sample = sample_sensitivity(both, oracles.Uniform(0, 1), norm=L1, n=5, at=OperatingPoint.for_gamma(0.2), seed=1)
    assert set(sample.failures) == set(range(sample.point.m))
    assert all("question 2" in reason for reason in sample.failures.values())
