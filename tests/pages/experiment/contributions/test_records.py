"""Bounds of one row a person: the noise is that of the target's own proof, and the error that of simulated releases."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, Adjacency, Bound, Condition, Gaussian, Groups, Laplace, PureDP, oracles, targets
from dpcore.answers.ratio import Ratio
from dpcore.base.declared import Column
from dpcore.base.norms import Norm
from dpcore.base.types import person_of
from dpcore.errors import TableError
from pages.experiment.scenario import Scenario
from pages.old.experiment.contributions import records
from pages.old.experiment.contributions.predict import predict

N = 400
BY = Groups("ward", ("a", "b", "c"))
PAIRS = [(0.0, 30.0), (-20.0, 60.0), (12.0, 25.0), (-90.0, -10.0)]
WAYS = {L1: (Laplace(), None), L2: (Gaussian(), 1e-6)}


def _scenario(target: Any, norm: Norm = L1, epsilon: float = 0.5) -> Scenario:
    mechanism, delta = WAYS[norm]
    fields = getattr(target, "fields", ("x",))
    return Scenario(
        table="diabetes",
        columns=fields,
        target=target,
        oracle=oracles.Uniform(0, 1),
        norm=norm,
        n=N,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=epsilon,
        delta=delta,
        mechanism=mechanism,
        seed=4,
        adjacency=Adjacency.REPLACE_ONE_USER if person_of(target) else Adjacency.REPLACE_ONE_RECORD,
    )


def _values(*, missing: bool = False) -> Any:
    found = np.random.default_rng(3).normal(14, 25, N)
    return np.where(missing & (np.arange(N) % 9 == 0), np.nan, found)


def _fields(values: Any) -> Any:
    made = np.zeros(len(values), dtype=[("x", float), ("ward", "U1")])
    made["x"], made["ward"] = values, np.random.default_rng(4).choice(["a", "b", "c", "d"], len(values))
    return made


def _asked(target: Any, by: Groups | None) -> Any:
    return target if by is None else targets.On(target, ("x",), (), by)


@pytest.mark.parametrize("norm", [L1, L2], ids=str)
@pytest.mark.parametrize("by", [None, BY])
@pytest.mark.parametrize("kind", [targets.Sum, targets.KnownMean, targets.Mean, targets.KnownCount])
def test_the_noise_is_that_of_the_targets_own_proof(kind: Any, by: Groups | None, norm: Any) -> None:
    if by is not None and kind is targets.Mean:  # which takes no missing values, and so no groups
        return
    for bounds in PAIRS:
        target = _asked(kind() if kind is targets.KnownCount else kind(bounds), by)
        database = _values() if by is None else _fields(_values())
        found = records.question(_scenario(target, norm), database, None)
        assert found is not None
        proved = target.global_sensitivity(norm, N)
        predicted = found.terms.sensitivity(found.asked, found.cap, found.bounds or (0.0, 1.0), found.rows.groups)
        assert predicted == pytest.approx(proved.value, rel=1e-6)


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("kind", [targets.Sum, targets.KnownMean, targets.Mean])
@pytest.mark.parametrize("bounds", PAIRS[:3])
def test_the_error_is_that_of_simulated_releases_and_its_parts_add_up(kind: Any, missing: bool, bounds: Any) -> None:
    """40,000 releases: their root mean square is known within 1.5 %, and noise that is 10 % wrong is refused where it counts."""
    target, database = kind(bounds), _values(missing=missing)
    scenario = _scenario(target, epsilon=0.02)
    found = records.question(scenario, database, None)
    assert found is not None
    (each,) = predict(found.rows, found.asked, found.terms, (found.cap,), (bounds,)).table[0]
    calibrated = Laplace().calibrate(target.global_sensitivity(L1, N), PureDP(0.02))
    drawn = calibrated.simulate(target(database), size=40_000, rng=np.random.default_rng(1))
    answer: Any = target.answer((Column("x", "measure", bounds=bounds),))
    released = answer.value(drawn) if isinstance(answer, Ratio) else drawn[:, 0]
    known = database[~np.isnan(database)]
    truth = known.sum() if kind is targets.Sum else known.mean()
    assert each.errors.truth == pytest.approx([truth])
    away = math.sqrt(((released - truth) ** 2).mean())
    assert each.errors.total == pytest.approx(away, rel=0.02)
    clipped = np.clip(known, *bounds)
    assert (each.errors.clipped_low > 0).all() == (known < bounds[0]).any()
    assert each.errors.clipped_low + each.errors.clipped_high == pytest.approx(
        clipped.sum() - truth if kind is targets.Sum else clipped.mean() - truth
    )
    lost = 0.0 if kind is not targets.Mean or not missing else (sum(bounds) / 2 - clipped.mean()) * (N - len(known)) / N
    assert each.errors.dropped == pytest.approx([lost], abs=1e-9)
    louder = math.hypot(away, math.sqrt(0.21) * float(released.std()))
    assert louder != pytest.approx(each.errors.total, rel=0.02) or released.std() < 0.3 * away


def test_conditions_groups_and_missing_values_leave_rows_out() -> None:
    database = _fields(np.array([1.0, np.nan, 5.0, 9.0]))
    database["ward"] = ["a", "a", "b", "d"]
    asked = targets.On(targets.Sum((0.0, 4.0)), ("x",), (), BY)
    rows = records.rows_of(asked, database)
    assert (rows.value.tolist(), rows.group.tolist(), rows.groups, rows.people) == ([1.0, 5.0], [0, 1], 3, 2)
    few = targets.On(targets.Sum((0.0, 4.0)), ("x",), (Condition("ward", "d"),))
    assert records.rows_of(few, database).value.tolist() == [9.0]
    with pytest.raises(TableError, match="No row"):
        records.rows_of(targets.On(targets.Sum((0.0, 4.0)), ("x",), (Condition("ward", "x"),)), database)


@pytest.mark.parametrize(
    "target",
    [
        targets.Mean(),
        targets.Mean(((0.0, 1.0), (0.0, 2.0))),
        targets.Variance((0.0, 1.0)),
        targets.Capped(targets.On(targets.Sum((0.0, 1.0)), ("x",)), "who"),
    ],
    ids=repr,
)
def test_what_is_no_sum_of_one_column_of_records_has_no_prediction(target: Any) -> None:
    assert not records.predicted(_scenario(target))
    assert records.question(_scenario(target), _values(), None) is None
