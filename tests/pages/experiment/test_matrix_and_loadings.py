"""What is said of private correlations, covariances and components."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import Bound
from pages.experiment.scenario import Scenario
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import NonPrivate
from pages.old.experiment.headlines.loadings import LoadingsHeadline
from pages.old.experiment.headlines.matrix import MatrixHeadline

BOUNDS = ((0.0, 100.0), (0.0, 10.0), (-1.0, 1.0))
COLUMNS = tuple(
    Column(name, unit=unit, bounds=bounds)
    for name, unit, bounds in zip(("a", "b", "<b>c</b>"), ("kg", "kg", ""), BOUNDS, strict=True)
)
CORRELATIONS, COVARIANCES = targets.CovarianceMatrix(BOUNDS), targets.CovarianceMatrix(BOUNDS, correlations=False)
COMPONENT = targets.PrincipalComponent(BOUNDS)


def _table(n: int = 400) -> FloatArray:
    rng = np.random.default_rng(4)
    along = rng.uniform(-1, 1, n)
    rest = rng.uniform(-0.5, 0.5, (n, 3))
    return np.column_stack([50 + 40 * along, 5 + 2.5 * (along + rest[:, 1]), rest[:, 2]])


def _headline(target: Any, table: FloatArray | None = None, **changes: Any) -> Any:
    database = _table() if table is None else table
    oracle = oracles.Resample(_table())
    fields: dict[str, Any] = {
        "table": "t",
        "columns": tuple(column.name for column in COLUMNS),
        "target": target,
        "oracle": oracle,
        "norm": L1,
        "n": len(database),
        "bound": Bound.RANK,
        "confidence": None,
        "m": 99,
        "gamma": 0.05,
        "epsilon": 1.0,
        "delta": None,
        "mechanism": Laplace(),
        "seed": 5,
    }
    scenario = Scenario(**(fields | changes))
    noise = preview.calibrated(scenario, preview.exploration(scenario, oracle))
    worst, exact = preview.calibrated_worst_case(scenario), NonPrivate(value=target(database), simulated=False, database=database)
    return preview.headline(scenario, COLUMNS, exact, noise, worst=worst, fresh=oracle)


@pytest.mark.parametrize("target", [CORRELATIONS, COVARIANCES], ids=["correlations", "covariances"])
def test_the_error_of_a_matrix_is_the_root_mean_square_over_its_entries(target: Any) -> None:
    headline = _headline(target)
    assert isinstance(headline, MatrixHeadline)
    places = np.triu_indices(3, int(target.correlations))
    scaled = (_table() - [50, 5, 0]) / [50, 5, 1]
    exact = np.corrcoef(scaled.T) if target.correlations else np.cov(scaled.T, ddof=0)
    off = [(matrix - exact)[places] for matrix in headline.private(headline.noise.law, 200, 2017)]
    assert headline.error(headline.noise.law) == pytest.approx(np.sqrt(np.mean(np.square(off))), rel=1e-6)
    assert headline.least_error == 0


@pytest.mark.parametrize("target", [CORRELATIONS, COVARIANCES, COMPONENT], ids=["correlations", "covariances", "component"])
def test_it_is_further_off_with_less_epsilon_and_nearly_exact_with_much(target: Any) -> None:
    errors = [one.error(one.noise.law) for one in (_headline(target, epsilon=epsilon) for epsilon in (0.1, 1.0, 20.0))]
    assert errors == sorted(errors, reverse=True)
    assert errors[-1] < 0.2 * errors[0]


def test_the_error_of_a_component_is_an_angle() -> None:
    headline = _headline(COMPONENT)
    assert isinstance(headline, LoadingsHeadline)
    exact = headline.exact.value[:-1]
    drawn = headline.noise.law.simulate(headline.exact.value, size=200, rng=np.random.default_rng(2017))[:, :-1]
    angles = [np.arccos(one @ exact / np.linalg.norm(one)) for one in drawn]
    assert headline.error(headline.noise.law) == pytest.approx(np.degrees(np.mean(angles)), rel=1e-9)


HARD = {
    "constant columns": np.full((30, 3), 0.3),
    "one row": np.array([[3.0, 5.0, 0.1]]),
    "all missing": np.full((5, 3), np.nan),
    "fewer rows than columns": _table(2),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("target", [CORRELATIONS, COVARIANCES, COMPONENT], ids=["correlations", "covariances", "component"])
def test_whatever_the_table_there_is_an_answer_and_an_error(target: Any, name: str) -> None:
    headline = _headline(target, HARD[name], n=400)
    assert np.isfinite(headline.error(headline.noise.law))
