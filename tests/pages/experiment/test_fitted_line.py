"""What is said of a private line: how far its predictions are off."""

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
from pages.old.experiment.headlines.fitted_line import FittedLineHeadline

COLUMNS = (Column("x", bounds=(0.0, 10.0)), Column("y", "Cost", "€", bounds=(0.0, 100.0)))
RIDGE, SUMS = targets.Ridge(((0.0, 10.0),), (0.0, 100.0)), targets.SufficientStatistics(((0.0, 10.0),), (0.0, 100.0))
ORACLE = oracles.Product((oracles.Uniform(0, 10), oracles.Uniform(0, 100)))


def _table(n: int = 300) -> FloatArray:
    rng = np.random.default_rng(4)
    x = rng.uniform(0, 10, n)
    return np.column_stack([x, 20 + 5 * x + rng.normal(0, 3, n)])


def _headline(target: Any = RIDGE, table: FloatArray | None = None, **changes: Any) -> FittedLineHeadline:
    database = _table() if table is None else table
    fields: dict[str, Any] = {
        "table": "t",
        "columns": ("x", "y"),
        "target": target,
        "oracle": ORACLE,
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
    noise = preview.calibrated(scenario, preview.exploration(scenario, ORACLE))
    worst, exact = preview.calibrated_worst_case(scenario), NonPrivate(value=target(database), simulated=False, database=database)
    made = preview.headline(scenario, COLUMNS, exact, noise, worst=worst, fresh=ORACLE)
    assert isinstance(made, FittedLineHeadline)
    return made


def _off(line: FloatArray, table: FloatArray) -> float:
    return float(np.sqrt(np.mean((line[0] * table[:, 0] + line[1] - table[:, 1]) ** 2)))


@pytest.mark.parametrize("target", [RIDGE, SUMS], ids=["ridge", "sums"])
def test_errors_are_root_mean_squares_on_the_fitted_records_in_the_labels_unit(target: Any) -> None:
    headline, table = _headline(target), _table()
    assert headline.least_error == pytest.approx(_off(headline.own[0], table), rel=1e-9)
    lines = headline.private(headline.noise.law, 200, 2017)
    assert headline.error(headline.noise.law) == pytest.approx(np.mean([_off(line, table) for line in lines]), rel=1e-9)
    assert 2.8 < headline.least_error < headline.error(headline.noise.law)


def _excess(times: float) -> tuple[float, float]:
    """The mean square error that the noise of 20,000 lines adds, at so many times the scale: simulated, and in closed form."""
    headline, table = _headline(epsilon=0.2), _table()
    scale = headline.noise.law.scale
    drawn = RIDGE(table) + times * scale * np.random.default_rng(9).laplace(size=(20_000, 2))
    lines = headline.answer.own(drawn)
    heights = lines[:, :1] * table[:, 0] + lines[:, 1:] - (headline.own[:, :1] * table[:, 0] + headline.own[:, 1:])
    u = table[:, 0] / 5 - 1
    return float(np.mean(heights**2)), float(50**2 * 2 * scale**2 * (np.mean(u**2) + 1))


def test_noise_adds_to_the_squared_error_what_its_variance_says() -> None:
    """E(u·η)² = 2b²·(mean u² + 1) in half widths of the label: 20,000 lines, ± 4 %, which 10 % less noise fails."""
    found, expected = _excess(1.0)
    assert found == pytest.approx(expected, rel=0.04)
    assert _excess(0.9)[0] != pytest.approx(expected, rel=0.04)
    headline = _headline(epsilon=0.2)
    lines = headline.private(headline.noise.law, 20_000, 3)
    mean_square = np.mean([_off(line, _table()) ** 2 for line in lines[:2_000]])
    assert mean_square == pytest.approx(headline.least_error**2 + expected, rel=0.04)


HARD = {
    "a constant column": np.column_stack([np.full(30, 4.0), np.linspace(0, 100, 30)]),
    "a constant label": np.column_stack([np.linspace(0, 10, 30), np.full(30, 7.0)]),
    "one row": np.array([[3.0, 50.0]]),
    "all missing": np.full((5, 2), np.nan),
    "a perfect line": np.column_stack([np.linspace(0, 10, 30), np.linspace(0, 100, 30)]),
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("target", [RIDGE, SUMS], ids=["ridge", "sums"])
def test_whatever_the_table_there_is_a_line_and_an_error(target: Any, name: str) -> None:
    headline = _headline(target, HARD[name])
    assert np.isfinite([headline.least_error, headline.error(headline.noise.law)]).all()
    assert headline.least_error <= 51
