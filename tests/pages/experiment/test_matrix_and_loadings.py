"""What is said of private correlations, covariances and components, and what is drawn of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, Laplace, oracles, targets
from dpcore.base.declared import Column
from dpcore.base.types import FloatArray
from dpcore.guarantees.operating_points import Bound
from pages import charts
from pages.charts.answers.matrix import matrices
from pages.experiment import preview
from pages.experiment.headlines.base import NO_WORST, NonPrivate
from pages.experiment.headlines.loadings import LoadingsHeadline
from pages.experiment.headlines.matrix import MatrixHeadline
from pages.experiment.scenario import Scenario

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


def test_what_is_said() -> None:
    correlations, covariances, component = map(_headline, (CORRELATIONS, COVARIANCES, COMPONENT))
    assert correlations.reach(correlations.noise).startswith("a private correlation is off by about ± 0.")
    assert "columns scaled to go from −1 to 1" in covariances.reach(covariances.noise)
    assert correlations.moved() == "the means that the matrix is computed from together moved by at most"
    assert component.reach(component.noise).endswith(" % of the variance lies along it)")
    assert "worst case would drown it" in component.on_fresh_records(component.noise)
    assert component.worst is None
    assert {row["± worst case"] for row in component.rows()} == {NO_WORST}
    first, *_, last = covariances.rows()
    assert (first["of"], last["of"]) == ("a", "<b>c</b>")
    assert first["without noise"].endswith(" kg²")
    assert [row["of"] for row in correlations.rows()] == ["a and b", "a and <b>c</b>", "b and <b>c</b>"]


def test_a_map_of_private_entries_stands_beside_that_without_noise() -> None:
    for target in (CORRELATIONS, COVARIANCES):
        headline = _headline(target)
        figure, said = charts.answer(headline)
        private, exact, *more = figure.data
        assert (private.name, exact.name) == ("private", "without noise")
        shown = np.asarray(exact.z) * (1 if target.correlations else max(np.abs(headline.own).max(), np.abs(private.z).max()))
        assert shown == pytest.approx(headline.own) or not target.correlations
        assert max(np.abs(np.asarray(one.z)).max() for one in figure.data) == pytest.approx(1)
        assert "beside the one without noise, and 5 more private ones, small" in said
        assert [one.name for one in more] == ["5 more private"] * 5
        assert len({np.asarray(one.z).tobytes() for one in (private, *more)}) == 6
        assert "<b>" not in str(figure.to_plotly_json())  # a name is shown as it is
        again, _ = charts.answer(_headline(target))
        assert (np.asarray(again.data[0].z) == np.asarray(private.z)).all()


@pytest.mark.parametrize("epsilon", [0.5, 20.0])
def test_five_more_private_matrices_scatter_as_the_noise_does(epsilon: float) -> None:
    headline = _headline(CORRELATIONS, epsilon=epsilon)
    figure, _ = charts.answer(headline)
    off = np.array([np.asarray(one.z) for one in figure.data[2:]]) - headline.own
    within = np.abs(headline.answer.entries(off)) <= headline.spread(headline.noise)
    assert within.mean() > 0.6  # of 15, and 95 in 100 are expected
    assert np.abs(off).max() < (2 if epsilon == 0.5 else 0.2)
    layout = figure.to_plotly_json()["layout"]
    for number in range(3, 8):
        assert layout[f"yaxis{number}"]["domain"][1] < layout["yaxis"]["domain"][0]  # below the maps
        assert layout[f"xaxis{number}"]["domain"][1] <= layout["xaxis"]["domain"][1]  # of the private one
    assert "a and b: " in figure.data[2].customdata[0][1]


def test_cells_have_numbers_where_there_is_room() -> None:
    figure, _ = charts.answer(_headline(CORRELATIONS))
    assert figure.data[1].text[0][0] == "1"
    assert figure.data[1].text[0][1] == f"{np.corrcoef(_table().T)[0, 1]:.2f}".removeprefix("0")
    shades, texts = np.zeros((9, 9)), np.full((9, 9), "-.25")
    told = [[["a"] * 9] * 9] * 2
    two = matrices(tuple("abcdefghi"), [("private", shades, texts), ("without noise", shades, texts)], told)
    one = matrices(tuple("abcdefghi"), [("private", shades, texts)], told[:1])
    assert two.data[0].text is None
    assert one.data[0].text is not None


def test_a_released_matrix_is_drawn_with_its_noise_and_so_are_loadings() -> None:
    for target in (CORRELATIONS, COVARIANCES, COMPONENT):
        headline = _headline(target)
        response = headline.exact.value + 0.01
        near = headline.answer.within(headline.noise.law, response, 0.9)
        figure = charts.published(response, headline.answer, near)
        assert figure is not None
        told = str(figure.data[0].customdata)
        assert " ± " in told or "± " in figure.data[0].hovertemplate
        assert "<b>" not in told
        assert charts.published(response, headline.answer) is not None


def test_loadings_are_bars_with_whiskers() -> None:
    figure, said = charts.answer(_headline(COMPONENT))
    exact, private = figure.data[:2]
    names = list(figure.layout.xaxis.ticktext)
    assert (names[:2], names[-1]) == (["a", "b"], "share")
    assert list(exact.x) == list(figure.layout.xaxis.tickvals)
    assert {trace.type for trace in (exact, private)} == {"bar"}
    assert (np.asarray(private.error_y.array) > 0).all()
    assert "± the noise" in said


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
    assert len(headline.rows()) > 2
    figure, _ = charts.answer(headline)
    values = [np.asarray(trace.z if hasattr(trace, "z") else trace.y) for trace in figure.data[:2]]
    assert all(np.isfinite(part).all() for part in values)
