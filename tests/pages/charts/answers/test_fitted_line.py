"""The figures of private lines, by their traces."""

from __future__ import annotations

import numpy as np
import pytest

from dpcore import L1, Laplace, PureDP, oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees.operating_points import Bound
from pages.experiment.scenario import Scenario
from pages.old import charts
from pages.old.charts.answers.fitted_line import FAN
from pages.old.experiment import preview
from pages.old.experiment.headlines.base import Headline, NonPrivate
from pages.old.experiment.headlines.fitted_line import FittedLineHeadline

UNIT = (0.0, 1.0)


def _shown(dims: int, *, sums: bool) -> Headline:
    kind = targets.SufficientStatistics if sums else targets.Ridge
    target = kind((UNIT,) * dims, UNIT)
    rng = np.random.default_rng(6)
    x = rng.random((200, dims))
    database = np.column_stack([x, np.clip(0.2 + 0.5 * x[:, 0] + 0.05 * rng.standard_normal(200), 0, 1)])
    columns = tuple(Column(name, bounds=UNIT) for name in "abcdef"[: dims + 1])
    proved = target.global_sensitivity(L1, 200)
    assert proved is not None
    oracle = oracles.Product((oracles.Uniform(0, 1),) * (dims + 1))
    scenario = Scenario(
        table="t",
        columns=tuple(column.name for column in columns),
        target=target,
        oracle=oracle,
        norm=L1,
        n=200,
        bound=Bound.RANK,
        confidence=None,
        m=99,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=Laplace(),
        seed=3,
    )
    noise = preview.calibrated(scenario, preview.exploration(scenario, oracle))
    worst = Laplace().calibrate(proved, PureDP(1.0)) if sums else None
    exact = NonPrivate(value=target(database), simulated=False, database=database)
    return preview.headline(scenario, columns, exact, noise, worst=worst)


def test_one_feature_has_records_lines_a_band_and_a_fan_that_are_seeded() -> None:
    figure, said = charts.answer(_shown(1, sums=False))
    traces = {trace.name: trace for trace in figure.data}
    names = ["rows", "noise, 95 in 100", f"{FAN} more private", "no proved worst case"]
    assert list(traces) == [*names, "least squares", "without noise", "private"]
    assert len(traces[f"{FAN} more private"].x) == 3 * FAN
    again, _ = charts.answer(_shown(1, sums=False))
    assert (np.asarray(again.data[-1].y) == np.asarray(figure.data[-1].y)).all()
    assert "95 in 100" in said


def test_the_band_holds_nine_in_ten_private_lines_at_each_place() -> None:
    shown = _shown(1, sums=True)
    figure, _ = charts.answer(shown)
    traces = {trace.name: trace for trace in figure.data}
    above, below = (trace for trace in figure.data if trace.name == "noise, 95 in 100")
    x, high, low = (np.asarray(part) for part in (above.x, above.y, below.y))
    assert isinstance(shown, FittedLineHeadline)
    lines = shown.private(shown.noise.law, 4_000, 1)
    heights = lines[:, :1] * x + lines[:, 1:]
    inside = ((heights >= low) & (heights <= high)).mean(axis=0)
    assert inside == pytest.approx(0.95, abs=0.04)
    assert "worst case" in traces
    assert "without noise" not in traces  # it is that of least squares


@pytest.mark.parametrize("sums", [False, True], ids=["ridge", "sums"])
def test_several_features_are_coefficients_with_whiskers(sums: bool) -> None:
    figure, said = charts.answer(_shown(3, sums=sums))
    private = next(trace for trace in figure.data if trace.name == "private, ± noise")
    assert list(private.x) == ["a", "b", "c"]
    assert (np.asarray(private.error_y.array) > 0).all()
    assert "± the noise" in said


def test_a_released_line_is_read_and_not_drawn() -> None:
    shown = _shown(1, sums=False)
    assert charts.published(shown.exact.value, shown.answer) is None
