"""The accuracy of private answers of each kind, against independent computations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import LaplaceMechanism, PureDP, oracles, targets
from dpcore.base.arrays import FloatArray
from dpcore.base.columns import Column
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import Choice
from pages.experiment.accuracy import accuracy_of
from pages.experiment.noise import answered
from pages.experiment.scenario import Scenario
from tests.dpcore.grouped import ByGroup, records

BOUNDS = ((0.0, 100.0), (0.0, 10.0), (-1.0, 1.0))
THREE = tuple(Column(name, unit="kg", bounds=bounds) for name, bounds in zip("abc", BOUNDS, strict=True))
XY = (Column("x", bounds=(0.0, 10.0)), Column("y", "Cost", "€", bounds=(0.0, 100.0)))
COST = (Column("a", "Cost", "€", bounds=(0.0, 10.0)),)
CORRELATIONS, COVARIANCES = targets.CovarianceMatrix(BOUNDS), targets.CovarianceMatrix(BOUNDS, correlations=False)
COMPONENT = targets.PrincipalComponent(BOUNDS)
RIDGE, SUMS = targets.Ridge(((0.0, 10.0),), (0.0, 100.0)), targets.SufficientStatistics(((0.0, 10.0),), (0.0, 100.0))
INNER = {
    "count": targets.Count(interval=(0, 5)),
    "mean": targets.Mean((0.0, 10.0)).of_known_values(),
    "bins": targets.Histogram(edges=(0.0, 5.0, 10.0)),
}


def _accuracy(target: Any, columns: tuple[Column, ...], database: Any) -> Any:
    """The accuracy of a target on a database."""
    scenario = Scenario(
        table="t",
        columns=tuple(column.name for column in columns),
        target=target,
        oracle=oracles.Uniform(0, 10),
        n=len(database),
        bound=Bound.RANK,
        confidence=None,
        m=99,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=LaplaceMechanism(),
        seed=5,
    )
    return accuracy_of(scenario, answered(scenario, columns), columns, np.atleast_1d(target(database)), database)


def _law(target: Any, sensitivity: float, epsilon: float = 1.0) -> Any:
    return LaplaceMechanism().law(target, sensitivity, PureDP(epsilon))


def _three(n: int = 400) -> FloatArray:
    rng = np.random.default_rng(4)
    along, rest = rng.uniform(-1, 1, n), rng.uniform(-0.5, 0.5, (n, 3))
    return np.column_stack([50 + 40 * along, 5 + 2.5 * (along + rest[:, 1]), rest[:, 2]])


def _line(n: int = 300) -> FloatArray:
    rng = np.random.default_rng(4)
    x = rng.uniform(0, 10, n)
    return np.column_stack([x, 20 + 5 * x + rng.normal(0, 3, n)])


def _exact(accuracy: Any) -> FloatArray:
    """The exact number of each group, as a response without noise gives it."""
    return np.asarray(accuracy.answer.values(accuracy.exact), dtype=float)


def _grouped(kind: str, sizes: tuple[int, ...] = (400, 60, 30)) -> Any:
    names = tuple(f"Ward {i}" for i in range(1, len(sizes) + 1))
    return _accuracy(ByGroup(INNER[kind], names, 2.0), COST, records(sizes))


@pytest.mark.parametrize("kind", INNER)
def test_margin_of_groups_holds_95_percent(kind: str) -> None:
    """The share in 4,000 responses is 0.95 ± 0.014 (4 standard errors); 3/4 of the margin holds fewer."""
    accuracy = _grouped(kind)
    law = _law(accuracy.scenario.target, 1.0)
    drawn = law.simulate(accuracy.exact, size=4_000, rng=np.random.default_rng(77))
    away = np.abs(np.array([accuracy.answer.values(row) for row in drawn]) - _exact(accuracy))
    worst = int(np.argmax(np.quantile(away, 0.95, axis=0)))
    margin = accuracy.error(law)
    assert 0.936 <= np.mean(away[:, worst] <= margin + 1e-12) <= 0.966
    assert np.mean(away[:, worst] <= 0.75 * margin) < 0.936


@pytest.mark.parametrize("kind", ["count", "mean"])
@pytest.mark.parametrize("sizes", [(40, 0, 3), (2,) * 256], ids=["empty group", "many groups"])
def test_every_group_has_a_margin(kind: str, sizes: tuple[int, ...]) -> None:
    accuracy = _grouped(kind, sizes)
    assert len(_exact(accuracy)) == len(sizes)
    assert accuracy.error(_law(accuracy.scenario.target, 1.0)) > 0


def test_groups_of_choices_are_refused() -> None:
    accuracy = _grouped("count")
    other = accuracy_of(accuracy.scenario, Grouped(Choice(("a", "b")), ("x", "y", "z")), COST, accuracy.exact, accuracy.database)
    with pytest.raises(InvalidValueError, match="answer of each group") as caught:
        _ = other.error(_law(accuracy.scenario.target, 1.0))
    assert caught.value.got == "Choice"


@pytest.mark.parametrize("target", [CORRELATIONS, COVARIANCES], ids=["correlations", "covariances"])
def test_matrix_error_is_rms_of_entries(target: Any) -> None:
    accuracy, law = _accuracy(target, THREE, _three()), _law(target, 0.05)
    scaled = (_three() - [50, 5, 0]) / [50, 5, 1]
    exact = np.corrcoef(scaled.T) if target.correlations else np.cov(scaled.T, ddof=0)
    off = [(matrix - exact)[np.triu_indices(3, int(target.correlations))] for matrix in accuracy.matrices(law)]
    assert accuracy.error(law) == pytest.approx(np.sqrt(np.mean(np.square(off))), rel=1e-6)


def test_error_of_a_component_is_an_angle() -> None:
    accuracy, law = _accuracy(COMPONENT, THREE, _three()), _law(COMPONENT, 0.05)
    drawn = law.simulate(accuracy.exact, size=200, rng=np.random.default_rng(2017))[:, :-1]
    exact = accuracy.exact[:-1]
    angles = [np.arccos(one @ exact / np.linalg.norm(one)) for one in drawn]
    assert accuracy.error(law) == pytest.approx(np.degrees(np.mean(angles)), rel=1e-9)


def _off(line: FloatArray, table: FloatArray) -> float:
    return float(np.sqrt(np.mean((line[0] * table[:, 0] + line[1] - table[:, 1]) ** 2)))


@pytest.mark.parametrize("target", [RIDGE, SUMS], ids=["ridge", "sums"])
def test_line_error_is_rms_of_predictions(target: Any) -> None:
    accuracy, table, law = _accuracy(target, XY, _line()), _line(), _law(target, 0.05)
    assert accuracy.without_privacy == pytest.approx(_off(accuracy.line, table), rel=1e-9)
    assert accuracy.error(law) == pytest.approx(np.mean([_off(line, table) for line in accuracy.lines(law)]), rel=1e-9)
    assert 2.8 < accuracy.without_privacy < accuracy.error(law)


@pytest.mark.parametrize("times", [1.0, 0.9])
def test_noise_adds_its_variance_to_the_squared_error(times: float) -> None:
    """E(u·η)² = 2b²·(mean u² + 1) in half widths of the label: 2,000 lines, ± 6%; 10% less noise fails."""
    accuracy, table, law = _accuracy(RIDGE, XY, _line()), _line(), _law(RIDGE, 0.02, 0.2)
    lines = accuracy.lines(_law(RIDGE, 0.02 * times, 0.2), 4_000)
    added = float(np.mean([_off(line, table) ** 2 for line in lines]) - accuracy.without_privacy**2)
    u = table[:, 0] / 5 - 1
    expected = 50**2 * 2 * law.scale**2 * (np.mean(u**2) + 1)
    assert (abs(added / expected - 1) < 0.06) == (times == 1.0)


HARD = {
    "constant columns": np.full((30, 3), 0.3),
    "one row": np.array([[3.0, 5.0, 0.1]]),
    "all missing": np.full((5, 3), np.nan),
    "fewer rows than columns": _three(2),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("target", [CORRELATIONS, COVARIANCES, COMPONENT, RIDGE, SUMS], ids=lambda one: type(one).__name__)
def test_hard_tables_have_a_finite_error(target: Any, name: str) -> None:
    columns = THREE if target in (CORRELATIONS, COVARIANCES, COMPONENT) else XY
    accuracy = _accuracy(target, columns, HARD[name][:, : len(columns)])
    assert np.isfinite([accuracy.without_privacy, accuracy.error(_law(target, 0.05))]).all()
