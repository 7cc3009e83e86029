"""What each question of a list moves by, measured once, is what the whole list moves by on the same pairs, at any widths."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from dpcore.targets.together import in_shares
from pages.experiment.listed.distances import Sampled, measured, proved

from dpcore import L1, L2, OperatingPoint, oracles, sample_sensitivity, targets
from dpcore.base.types import Database, FloatArray, Oracle, Target
from dpcore.errors import InfiniteSensitivityError, ZeroSensitivityError
from dpcore.guarantees.privacy import Adjacency
from tests.pages.experiment.listed.asked import AGE, BY_WARD, COST, LAW, MANY, WARDS, listed

VARIANCE = targets.On(targets.KnownVariance((0.0, 10.0)), ("cost",))
PEOPLE = oracles.People(
    oracles.Uniform(0, 4),
    (oracles.Uniform(0, 10), oracles.Uniform(0, 120), oracles.Categorical((0.3, 0.3, 0.4), WARDS)),
    ("cost", "age", "ward"),
    "who",
)
UNIFORM = oracles.Uniform(0, 10)
PERSONS = {"adjacency": Adjacency.ADD_OR_REMOVE_ONE_USER, "n": 30}


def the_last(database: Database) -> FloatArray:
    return np.array([database[-1] + database.mean()])


def seldom_fails(database: Database) -> FloatArray:
    if database.max() > 9.99:
        raise ArithmeticError
    return np.array([database.mean()])


def capped(question: Any, rows: int) -> Target:
    return targets.Capped(question, "who", rows)


LISTS: dict[str, tuple[tuple[Target, ...], Oracle, dict[str, Any], str]] = {
    "additive": ((COST, MANY, BY_WARD, AGE), LAW, {}, "additive"),
    "pair": ((targets.Variance((0.0, 10.0)), targets.Mean((0.0, 10.0))), UNIFORM, {"n": 50}, "pair"),
    "batch": ((VARIANCE, COST, BY_WARD), LAW, {"n": 50}, "batch"),
    "plain": ((the_last, targets.Mean((0.0, 10.0)), targets.Variance((0.0, 10.0))), UNIFORM, {"n": 20}, "plain"),
    "people": ((capped(COST, 2), capped(BY_WARD, 1), capped(AGE, 3)), PEOPLE, PERSONS, "additive"),
    "people, plain": ((capped(COST, 2), capped(AGE, 1)), PEOPLE, PERSONS | {"n": 1}, "plain"),
}


@pytest.mark.parametrize("delta", [None, 1e-6])
@pytest.mark.parametrize("name", LISTS)
def test_the_distances_of_each_question_are_those_of_all_in_one_run_with_the_same_seed(name: str, delta: float | None) -> None:
    parts, oracle, changes, way = LISTS[name]
    unit, widths = listed(parts, oracle, delta=delta, **changes), tuple(0.3 * (place + 1) for place in range(len(parts)))
    whole = sample_sensitivity(
        in_shares(parts, widths),
        oracle,
        norm=unit.norm,
        n=unit.n,
        at=OperatingPoint.for_both(199, 0.05),
        seed=unit.seed,
        adjacency=unit.adjacency,
    )
    assert whole.way == way
    found = Sampled(measured(unit, oracle, m=199), unit.norm, whole.point)
    assert found.together(widths) == pytest.approx(whole.distances, rel=1e-9)
    assert found.of(widths) == pytest.approx(whole.sensitivity().value, rel=1e-9)
    fewer = sample_sensitivity(
        in_shares(parts[1:], widths[1:]),
        oracle,
        norm=unit.norm,
        n=unit.n,
        at=whole.point,
        seed=unit.seed,
        adjacency=unit.adjacency,
    )
    if fewer.way == way:  # else the rest is measured on pairs of another way, of the same law
        assert found.without(0).of(widths[1:]) == pytest.approx(fewer.sensitivity().value, rel=1e-9)


def test_a_question_that_fails_is_named_with_how_often() -> None:
    parts = (targets.Mean((0.0, 10.0)), seldom_fails, the_last)
    unit = listed(parts, UNIFORM, n=200)
    distances = measured(unit, UNIFORM, m=199)
    failed = np.isinf(distances)
    assert not failed[:, [0, 2]].any()
    found = Sampled(distances, L1, OperatingPoint.for_both(199, 0.05))
    with pytest.raises(InfiniteSensitivityError) as refused:
        found.of((1.0, 1.0, 1.0))
    assert refused.value.reasons == found.reasons == {"question 2": int(failed[:, 1].sum())}
    assert refused.value.failed == found.failed == int(failed[:, 1].sum())
    assert found.without(1).of((1.0, 1.0)) > 0
    whole = sample_sensitivity(
        in_shares(parts, (1.0,) * 3), UNIFORM, norm=L1, n=200, at=OperatingPoint.for_sample_size(199), seed=unit.seed
    )
    assert set(np.flatnonzero(failed[:, 1]).tolist()) == set(whole.failures)


def test_questions_that_never_move_have_no_noise_to_be_sized() -> None:
    with pytest.raises(ZeroSensitivityError):
        Sampled(np.zeros((199, 2)), L2, OperatingPoint.for_both(199, 0.05)).of((1.0, 2.0))


def test_the_proved_size_is_that_of_the_questions_with_these_widths() -> None:
    parts, widths = (COST, MANY, AGE), (3.0, 0.5, 2.0)
    for norm in (L1, L2):
        size = proved(parts, norm, 40, Adjacency.REPLACE_ONE_RECORD)
        alone = [part.global_sensitivity(norm, 40).value / width for part, width in zip(parts, widths, strict=True)]
        assert size.of(widths) == pytest.approx(sum(alone) if norm is L1 else np.hypot(np.hypot(*alone[:2]), alone[2]), rel=1e-9)
        assert size.without(2).of(widths[:2]) == pytest.approx(sum(alone[:2]) if norm is L1 else np.hypot(*alone[:2]), rel=1e-9)


def test_what_each_question_has_proved_is_worked_out_once_for_all_widths(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was most of the time of a change in a list of twenty."""
    asked, own = [], targets.On.global_sensitivity

    def counted(question: Any, *given: Any) -> Any:
        asked.append(question)
        return own(question, *given)

    parts = (targets.On(targets.Sum((0.0, 2.0)), ("x",)), targets.On(targets.KnownCount(), ("x",)))
    monkeypatch.setattr(targets.On, "global_sensitivity", counted)
    size = proved(parts, L1, 40, Adjacency.REPLACE_ONE_RECORD)
    for width in (0.5, 1.0, 7.0):
        assert size.of((width, 1.0)) == pytest.approx(2 / width + 1, rel=1e-6)
        assert size.without(1).of((width,)) == pytest.approx(2 / width, rel=1e-6)
    assert asked == list(parts)
