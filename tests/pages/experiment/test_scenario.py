"""A scenario as data: there and back, and every bad field refused by name."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import BernsteinMechanism, GaussianMechanism, LaplaceMechanism, oracles, targets
from dpcore.curves import PriestleyChao
from dpcore.errors import DpcoreError, GammaOutOfReachError, InvalidValueError, UnknownKindError
from dpcore.guarantees.operating_points import Bound, reachable_m
from pages.experiment.scenario import Scenario, TableRecords, parse
from pages.files.tables import Column, Table

FIELDS: dict[str, Any] = {
    "table": "t",
    "columns": ("a",),
    "target": targets.Mean(),
    "oracle": oracles.Exponential(1.0),
    "n": 50,
    "bound": Bound.RANK,
    "confidence": None,
    "m": 199,
    "gamma": 0.05,
    "epsilon": 1.0,
    "delta": None,
    "mechanism": LaplaceMechanism(),
    "seed": 1,
}
_finite = st.floats(-1e6, 1e6)
_bounds = st.none() | st.tuples(_finite, _finite).filter(lambda pair: pair[0] < pair[1])
_targets = st.one_of(
    st.builds(targets.Mean, _bounds),
    st.builds(targets.Variance, _bounds, st.sampled_from([0, 1])),
    st.builds(targets.Quantile, st.floats(0, 1), _bounds),
    st.builds(targets.Histogram, edges=st.lists(_finite, min_size=2, max_size=9, unique=True).map(sorted)),
    st.builds(targets.Histogram, categories=st.lists(st.text(min_size=1), min_size=1, max_size=5, unique=True)),
    st.builds(targets.Proportion, category=st.text(min_size=1) | _finite),
)
_oracles = st.one_of(
    st.just(TableRecords()),
    st.builds(oracles.Exponential, st.floats(1e-3, 1e3), _bounds),
    st.builds(oracles.Bernoulli, st.floats(0.01, 0.99)),
    st.builds(
        lambda factor: oracles.IndependentColumns((factor, oracles.Uniform(0, 1))),
        st.builds(oracles.Normal, _finite, st.floats(1e-3, 1e3)),
    ),
)


@st.composite
def _scenarios(draw: st.DrawFn) -> Scenario:
    bound = draw(st.sampled_from([Bound.RANK, Bound.TOLERANCE]))
    confidence = draw(st.floats(0.5, 0.999)) if bound is Bound.TOLERANCE else None
    gamma = draw(st.floats(0.01, 0.5))
    gaussian = draw(st.booleans())
    return Scenario(
        draw(st.text()),
        tuple(draw(st.lists(st.text(), min_size=1, unique=True))),
        draw(_targets),
        draw(_oracles),
        draw(st.integers(1, 10**9)),
        bound,
        confidence,
        reachable_m(gamma, bound, confidence) + draw(st.integers(0, 1000)),
        gamma,
        draw(st.floats(0.01, 20)),
        draw(st.floats(1e-12, 0.5)) if gaussian else None,
        GaussianMechanism() if gaussian else LaplaceMechanism(),
        draw(st.integers(0, 2**64)),
    )


@settings(derandomize=True, max_examples=150, deadline=None, database=None)
@given(_scenarios())
def test_a_scenario_survives_json(scenario: Scenario) -> None:
    again = Scenario.from_json(json.loads(json.dumps(scenario.to_json())))
    assert again == scenario
    assert again.point == scenario.point


@pytest.mark.parametrize(
    ("name", "value", "named"),
    [
        ("columns", (), "columns"),
        ("columns", ("a", "a"), "columns"),
        ("columns", (1,), "columns"),
        ("table", 3, "table"),
        ("n", 0, "n"),
        ("n", 1.5, "n"),
        ("n", True, "n"),
        ("seed", -1, "seed"),
        ("seed", 0.5, "seed"),
        ("m", 0, "m"),
        ("m", 100_001, "m"),
        ("m", "199", "m"),
        ("gamma", 0.0009, "gamma"),
        ("gamma", 0.51, "gamma"),
        ("gamma", float("nan"), "gamma"),
        ("gamma", None, "gamma"),
        ("gamma", True, "gamma"),
        ("epsilon", 0, "epsilon"),
        ("epsilon", 100.1, "epsilon"),
        ("epsilon", float("inf"), "epsilon"),
        ("epsilon", "1", "epsilon"),
        ("delta", 0.1, "delta"),
        ("confidence", 0.9, "confidence"),
        ("seed", 2**128 + 1, "seed"),
        ("target", targets.Histogram(edges=tuple(map(float, range(258)))), "categories or letters"),
    ],
)
def test_a_bad_field_is_refused_by_its_name(name: str, value: object, named: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Scenario(**(FIELDS | {name: value}))
    assert caught.value.name == named


@pytest.mark.parametrize("confidence", [1e-100, 0.4999, 1 - 1e-10, 1.0, None, "0.9"])
@pytest.mark.parametrize("bound", [Bound.TOLERANCE, Bound.TIME_UNIFORM])
def test_confidence_out_of_range_is_refused(bound: Bound, confidence: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Scenario(**(FIELDS | {"bound": bound, "confidence": confidence}))
    assert caught.value.name.startswith("confidence")
    for ends in (0.5, 1 - 1e-9):
        assert Scenario(**(FIELDS | {"bound": bound, "confidence": ends, "m": 9_999})).confidence == ends


@pytest.mark.parametrize(("degree", "order"), [(256, 1), (2_000, 1), (999_999, 1), (2_000, 50), (2_000, 1_000)])
def test_large_lattice_is_refused(degree: int, order: int) -> None:
    curve = {"columns": ("a", "b"), "oracle": oracles.RegressionPrior(), "mechanism": BernsteinMechanism(order=order)}
    with pytest.raises(InvalidValueError) as caught:
        Scenario(**(FIELDS | curve | {"target": targets.OnLattice(PriestleyChao(), degree)}))
    assert (caught.value.name, caught.value.got) == ("degree", degree)
    Scenario(**(FIELDS | curve | {"target": targets.OnLattice(PriestleyChao(), 255)}))


@pytest.mark.parametrize(
    "value",
    [
        {"kind": "TwoClasses", "dims": 10**8},
        {"kind": "TwoClasses", "dims": 10**30},
        {"kind": "IndependentColumns", "columns": [{"kind": "Bernoulli", "p": 0.5}] * 2_001},
        {"kind": "IndependentColumns", "columns": [{"kind": "IndependentColumns", "columns": [{"kind": "Bernoulli", "p": 0.5}]}]},
        {"kind": "Resample", "records": [[1], [2, 3]]},
        {"kind": "Resample", "records": [1e308, 10**400]},
    ],
    ids=lambda value: str(value)[:50],
)
def test_oracle_of_too_many_columns_is_refused(value: dict[str, object]) -> None:
    with pytest.raises(InvalidValueError):
        parse("oracle", value)


def test_deeply_nested_members_are_refused_without_recursion() -> None:
    value: object = {"kind": "Bernoulli", "p": 0.5}
    for _ in range(300):
        value = {"kind": "IndependentColumns", "columns": [value]}
    with pytest.raises(InvalidValueError):
        parse("oracle", value)
    for _ in range(300):
        value = [value]
    with pytest.raises(InvalidValueError):
        parse("target", {"kind": "Mean", "bounds": value})


@pytest.mark.parametrize("delta", [None, 0.0, 1.0, -0.1, float("nan"), 10**400])
def test_approximate_dp_needs_delta_between_0_and_1(delta: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Scenario(**(FIELDS | {"mechanism": GaussianMechanism(), "delta": delta}))
    assert caught.value.name == "delta"


def test_uncertified_gamma_names_the_least_m() -> None:
    with pytest.raises(GammaOutOfReachError) as caught:
        Scenario(**(FIELDS | {"m": 18}))
    assert (caught.value.m, caught.value.least_m) == (18, 19)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"strange": 1}, UnknownKindError),
        ({"bound": "CLT"}, UnknownKindError),
        ({"bound": 1}, UnknownKindError),
        ({"target": {"kind": "Nope"}}, UnknownKindError),
        ({"oracle": 1}, InvalidValueError),
        ({"mechanism": None}, InvalidValueError),
    ],
)
def test_bad_json_is_refused(change: dict[str, object], error: type[DpcoreError]) -> None:
    with pytest.raises(error):
        Scenario.from_json(Scenario(**FIELDS).to_json() | change)


@pytest.mark.parametrize("name", list(FIELDS))
def test_a_missing_field_is_named(name: str) -> None:
    data = Scenario(**FIELDS).to_json()
    del data[name]
    with pytest.raises(InvalidValueError) as caught:
        Scenario.from_json(data)
    assert caught.value.name == name


def test_confidential_records_are_refused_as_oracle() -> None:
    scenario = Scenario(**(FIELDS | {"oracle": TableRecords(), "n": 3}))
    values = {"a": np.array([1.0, 2.0, 3.0])}
    public = Table("t", (Column("a", bounds=(0.0, 5.0)),), values, public=True)
    assert isinstance(scenario.resolved_oracle(public), oracles.Resample)
    for table in (None, public.declared(public=False)):
        with pytest.raises(InvalidValueError) as caught:
            scenario.resolved_oracle(table)
        assert caught.value.name == "oracle"
