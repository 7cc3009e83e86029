"""What a scenario asks of people, as the prediction takes it: held against the scenario's own target and its proof."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import oracles, targets
from dpcore.base.condition import Condition
from dpcore.base.groups import Groups
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import Adjacency
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.laplace import Laplace
from pages.experiment.choices import first_mechanism
from pages.experiment.question import asked
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours
from pages.files.tables import Table
from pages.old.experiment import preview
from pages.old.experiment.contributions.asked import narrowed, predicted, question
from pages.old.experiment.contributions.predict import predict

_CLINICS = ("Harbour", "Mill Road", "Old Town")
_BY = Groups("clinic", _CLINICS)
_LONG = Condition("minutes", interval=(20.0, 240.0))


@pytest.fixture(scope="module")
def visits() -> Table:
    return ours()["visits"]


def _scenario(visits: Table, target: Any, column: str = "minutes", **more: Any) -> Scenario:
    mechanism = more.pop("mechanism", Laplace())
    start = Scenario(
        table="visits",
        columns=(column,),
        target=target,
        oracle=oracles.Uniform(0, 240),
        norm=mechanism.norm,
        n=2_000,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=None if mechanism.norm.name == "L1" else 1e-6,
        mechanism=mechanism,
        seed=1,
    )
    return start.with_(**asked(start, visits, more.pop("where", ()), more.pop("by", None)))


def _capped(scenario: Scenario, **changes: Any) -> Scenario:
    target: Any = scenario.target
    return scenario.with_(target=replace(target, **changes))


_ASKED = [
    targets.KnownCount(),
    targets.Count(interval=(0.0, 30.0)),
    targets.Sum((0.0, 100.0)),
    targets.KnownMean((10.0, 90.0)),
    targets.KnownShare(interval=(0.0, 30.0)),
]


@pytest.mark.parametrize("asked_for", [{}, {"where": (_LONG,)}, {"where": (_LONG,), "by": _BY}])
@pytest.mark.parametrize("target", _ASKED, ids=lambda target: type(target).__name__)
@pytest.mark.parametrize("adjacency", [Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER])
def test_its_answer_and_its_sensitivity_are_those_of_the_target(
    visits: Table, target: Any, asked_for: dict[str, Any], adjacency: Adjacency
) -> None:
    caps = {"rows": 4, "groups_each": 2} if "by" in asked_for else {"rows": 4}
    scenario = _capped(_scenario(visits, target, **asked_for), **caps).with_(adjacency=adjacency)
    database = visits.prepare(scenario.columns, scenario.target).database
    found = question(scenario, database, (0.0, 240.0))
    assert found is not None
    prediction = predict(found.rows, found.asked, found.terms, (found.cap,), found.bounds and (found.bounds,)).best
    proved = preview.worst_case(scenario)
    assert proved is not None
    assert prediction.sensitivity == pytest.approx(proved.value, rel=1e-7)  # rounded up by the proof
    raw, parts = scenario.target(database), max(1, len(asked_for.get("by", _BY).labels) if "by" in asked_for else 1)
    if len(raw) == parts:
        assert prediction.errors.answer == pytest.approx(raw, rel=1e-9)
    else:  # a sum in [−1, 1] a row, and a number
        sums, number = raw.reshape(parts, 2).T
        low, high = found.bounds or (0.0, 1.0)
        assert prediction.errors.answer == pytest.approx(low + (high - low) * (sums / number + 1) / 2, rel=1e-9)


def test_what_is_declared_widest_bounds_the_grid_and_what_is_chosen_is_in_it(visits: Table) -> None:
    scenario = _capped(_scenario(visits, targets.Sum((0.0, 77.0))), rows=13)
    found = question(scenario, visits.prepare(scenario.columns, scenario.target).database, (0.0, 240.0))
    assert found is not None
    assert (0.0, 77.0) in found.pairs
    assert found.pairs[-1] == (0.0, 240.0)
    assert found.cap in found.caps
    assert (found.caps[0].rows, found.caps[-1].rows) == (1, int(found.rows.rows_a_person.max()))


def test_narrowed_bounds_never_reach_beyond_the_declared_ones() -> None:
    for widest in ((0.0, 239.96), (-239.96, 0.0), (-1.2349, 1.2349)):
        for share in np.linspace(0.01, 1, 60):
            low, high = narrowed(widest, float(share))
            assert widest[0] <= low < high <= widest[1]


def test_gaussian_noise_is_predicted_and_what_is_chosen_is_not(visits: Table) -> None:
    noisy = _scenario(visits, targets.Sum((0.0, 100.0)), mechanism=Gaussian())
    found = question(noisy, visits.prepare(noisy.columns, noisy.target).database, None)
    assert found is not None
    calibrated = preview.calibrated_worst_case(noisy)
    assert calibrated is not None
    prediction = predict(found.rows, found.asked, found.terms, (found.cap,), (found.bounds or (0.0, 1.0),)).best
    assert prediction.scale == pytest.approx(calibrated.law.scale, rel=1e-7)
    of_records = replace(noisy, target=targets.Sum((0.0, 1.0)), columns=("minutes",), adjacency=Adjacency.REPLACE_ONE_RECORD)
    assert predicted(of_records) is None


def test_a_quantile_has_no_prediction(visits: Table) -> None:
    start = _scenario(visits, targets.Sum((0.0, 100.0)))
    target: Any = start.target
    median = targets.QuantileScores.suited((visits.column("minutes"),))
    picked = replace(target, question=replace(target.question, target=median))
    chosen = first_mechanism(picked)
    assert predicted(start.with_(target=picked, mechanism=chosen, norm=chosen.norm)) is None
