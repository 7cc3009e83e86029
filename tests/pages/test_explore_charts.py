"""The charts of Explore, compared with closed forms and other libraries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy import stats

from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.mechanisms.response_law import Sampling
from pages.experiment.accuracy import ClassifierAccuracy, CurveAccuracy
from pages.experiment.choices import target_kinds
from pages.experiment.examples import EXAMPLES, example_named, first_scenario
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.experiment.view import Question, View, kinds_of_noise, view
from pages.experiment.words import filled, rounded_up
from pages.figures.charts import ANSWERS, ERROR, POINTS, SENSITIVITY, charts_of, sensitivity_chart, staircase
from pages.figures.moving import boundary, dots
from pages.figures.operating_points import FIX_BOTH, FIX_GAMMA, FIX_M, table_1
from pages.live.tables import tables_of


def _shown(scenario: Scenario) -> View:
    question = Question(scenario, ours()[scenario.table])
    return view(scenario, question, question.sample(max(scenario.m, 400)))


def _example(name: str, **changes: Any) -> View:
    return _shown(example_named(name, ours()).with_(**changes))


def _trace(chart: Any, name: str) -> dict[str, Any]:
    return next(trace for trace in chart.traces if trace.get("name") == name)


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 7.0])
def test_fifty_dots_are_quantiles_of_laplace_noise(epsilon: float) -> None:
    shown = _example("Mean", epsilon=epsilon)
    chart = charts_of(shown)[ANSWERS]
    exact = float(ours()["loan_defaults"].values["years_to_default"].mean())
    scale = float(np.sort(shown.sampled.distances)[189]) / epsilon if shown.sampled is not None else np.nan
    expected = stats.laplace.ppf((np.arange(50) + 0.5) / 50, loc=exact, scale=scale)
    np.testing.assert_allclose(chart.traces[0]["customdata"], expected, rtol=1e-12)
    assert not np.allclose(chart.traces[0]["customdata"], stats.laplace.ppf((np.arange(50) + 0.5) / 50, exact, 1.1 * scale))
    low, high = chart.layout["xaxis"]["range"]
    assert low < expected[0]
    assert expected[-1] < high


@pytest.mark.parametrize("name", EXAMPLES)
def test_charts_reach_a_typed_epsilon_of_100(name: str) -> None:
    shown = _example(name, epsilon=100.0)
    charts, tables = charts_of(shown), tables_of(shown)
    assert set(charts) == {ANSWERS, SENSITIVITY, ERROR, POINTS}
    xs = next(trace["x"] for trace in charts[ERROR].traces if trace.get("name") == "sampled")
    assert xs[0] == pytest.approx(0.01)
    assert xs[-1] == tables["curve"]["epsilons"][-1] == tables["stops"]["epsilon"][-1] == pytest.approx(100)
    assert charts[ERROR].layout["xaxis"]["range"][1] > 2
    assert np.isfinite(_trace(charts[ERROR], "this point")["y"]).all()
    assert "nan" not in " ".join(filled(shown).values())
    assert tables_of(_example(name, epsilon=20.0))["curve"]["epsilons"][-1] == pytest.approx(20)


def test_dots_of_a_count_are_geometric_quantiles() -> None:
    shown = _shown(first_scenario(ours()["diabetes"], "Count", ("age",)))
    assert shown.noise is not None
    chart = charts_of(shown)[ANSWERS]
    noise = chart.traces[0]["customdata"] - shown.question.exact[0]
    levels = (np.arange(50) + 0.5) / 50
    expected = stats.dlaplace.ppf(levels[25:], a=1 / shown.noise.law.scale)
    np.testing.assert_array_equal(noise[25:], expected)
    np.testing.assert_array_equal(noise[:25], -noise[25:][::-1])


def test_dots_are_stacked_in_columns() -> None:
    x, y = dots(10.0, np.array([-9.0, 0.0, 0.01, 9.0]), reach=1.0, bins=4)
    assert x == [9.25, 10.25, 10.25, 10.75]
    assert y == [0.5, 0.5, 1.5, 0.5]
    _, high = dots(0.0, np.zeros(50), reach=1.0)
    assert max(high) == pytest.approx(49.5 * 16 / 50)  # all dots stay on the chart


def test_error_of_a_mean_is_laplace_margin() -> None:
    shown = _example("Mean", epsilon=0.7)
    chart = charts_of(shown)[ERROR]
    sensitivity = shown.order_statistic
    assert sensitivity is not None
    expected = sensitivity / np.array(_trace(chart, "sampled")["x"]) * np.log(20)
    np.testing.assert_allclose(_trace(chart, "sampled")["y"], expected, rtol=1e-9)
    np.testing.assert_allclose(_trace(chart, "this point")["y"], [sensitivity / 0.7 * np.log(20)], rtol=1e-9)


def test_error_of_letters_is_chance_of_miss() -> None:
    shown = _example("Letters", epsilon=2.0)
    scores, sensitivity = shown.question.exact, shown.order_statistic
    assert sensitivity is not None
    weights = np.exp(scores * 2.0 / sensitivity)
    expected = 1 - weights[scores == scores.max()].sum() / weights.sum()
    assert shown.released.accuracy.error(shown.noise.law if shown.noise else None) == pytest.approx(expected, rel=1e-9)
    chart = charts_of(shown)[ANSWERS]
    np.testing.assert_allclose(chart.traces[0]["y"], weights / weights.sum(), rtol=1e-9)


def test_interpolated_errors_are_near_computed_errors() -> None:
    for name in ("Curve", "Letters"):
        accuracy = _example(name).released.accuracy
        for scale in (0.37, 1.1, 4.1):
            exact = accuracy.error(replace(accuracy.law, scale=scale))
            assert accuracy.at_scale(scale) == pytest.approx(exact, rel=0.02)


def test_error_of_a_curve_matches_simulated_releases() -> None:
    shown = _example("Curve")
    accuracy = shown.released.accuracy
    assert isinstance(accuracy, CurveAccuracy)
    assert shown.noise is not None
    law: Any = shown.noise.law
    drawn = law.curves(law.simulate(accuracy.exact, size=4_000, rng=np.random.default_rng(3)), accuracy.points)
    simulated = np.sqrt(np.mean((drawn - accuracy.curve) ** 2))
    assert accuracy.at(law) == pytest.approx(simulated, rel=0.1)  # the average of 60 curves has an error of about 4%
    assert accuracy.at_scale(1.3 * law.scale) != pytest.approx(simulated, rel=0.1)


def test_exact_classifier_matches_numpy() -> None:
    shown = _example("Classifier")
    accuracy = shown.released.accuracy
    assert isinstance(accuracy, ClassifierAccuracy)
    table = ours()["breast_cancer"].values
    weights = accuracy.answer.weights(accuracy.weights)
    guessed = weights[0] * table["mean_radius"] + weights[1] * table["mean_texture"] + weights[2] > 0
    assert accuracy.without_privacy == pytest.approx(np.mean(guessed != (table["benign"] > 0.5)), abs=1e-12)


def test_staircase_is_the_empirical_cdf() -> None:
    distances = np.sort(np.random.default_rng(1).exponential(size=5_000).round(2))
    x, y = staircase(distances, 20.0)
    assert len(x) <= 702
    np.testing.assert_allclose(y[1:-1], stats.ecdf(distances).cdf.evaluate(x[1:-1]))
    few, heights = staircase(np.array([1.0, 1.0, 2.0, np.inf]), 5.0)
    assert few.tolist() == [0, 1, 1, 2, 5]
    assert heights.tolist() == [0, 0.5, 0.5, 0.75, 0.75]


def test_sensitivity_chart_marks_order_statistic_and_tail() -> None:
    shown = _example("Mean")
    assert shown.sample is not None
    chart = charts_of(shown)[SENSITIVITY]
    delta = np.sort(shown.sample.distances[:199])[189]
    assert _trace(chart, "Δ̂")["x"] == [delta, delta]
    assert _trace(chart, "not protected")["x"][:2] == [delta, delta]
    true = _trace(chart, "true CDF")
    np.testing.assert_allclose(true["y"], 1 - np.exp(-500 * true["x"]), atol=1e-12)  # Laplace differences of Exponential(1)


def test_sensitivity_chart_of_failed_pairs_ends_below_one() -> None:
    chart = sensitivity_chart(np.array([1.0, np.inf, 2.0, np.inf]), 4, np.inf)
    assert _trace(chart, "empirical")["y"][-1] == 0.5
    assert _trace(chart, "Δ̂")["x"] == [2.1, 2.1]


def test_table_1_modes_match_library_points() -> None:
    by_mode = {mode: {row["bound"]: row for row in table_1(199, 0.05, mode)} for mode in (FIX_GAMMA, FIX_M, FIX_BOTH)}
    assert set(by_mode[FIX_GAMMA]) == {"rank", "DKW", "tolerance", "time-uniform"}
    rank = OperatingPoint.for_gamma(0.05)
    assert (by_mode[FIX_GAMMA]["rank"]["m"], by_mode[FIX_GAMMA]["rank"]["k"]) == (f"{rank.m}", f"{rank.k}")
    assert by_mode[FIX_M]["rank"]["γ"] == "0.005"
    assert by_mode[FIX_BOTH]["rank"]["k"] == "190"
    assert by_mode[FIX_BOTH]["DKW"]["m"] == f"needs {OperatingPoint.for_gamma(0.05, bound=Bound.DKW).m:,}"
    assert by_mode[FIX_BOTH]["DKW"]["choice"] == {
        "bound": "DKW",
        "m": OperatingPoint.for_gamma(0.05, bound=Bound.DKW).m,
        "gamma": 0.05,
    }
    assert [row["γ"] for row in table_1(1, 0.5, FIX_M) if row["bound"] == "DKW"] == ["none"]


def test_boundary_is_drawn_between_the_bounds() -> None:
    assert boundary(np.array([1.0, 1.0, -1.0]), ((0.0, 1.0), (0.0, 1.0))) == ([0.0, 1.0], [1.0, 0.0])
    assert boundary(np.array([2.0, 0.0, -1.0]), ((0.0, 1.0), (0.0, 1.0))) == ([0.5, 0.5], [0.0, 1.0])
    assert boundary(np.zeros(3), ((0.0, 1.0), (0.0, 1.0))) == ([], [])


def _all_kinds() -> list[tuple[str, str]]:
    """Return each kind of target with the first table that has it, and with the table of people."""
    first = {kind: name for name, table in reversed(ours().items()) for kind in target_kinds(table) if kind != "SqlQuery"}
    people = next(name for name, table in ours().items() if table.persons is not None)
    return [*((name, kind) for kind, name in first.items()), (people, "Count")]


@pytest.mark.parametrize(("name", "kind"), _all_kinds())
def test_every_target_has_four_valid_charts(name: str, kind: str) -> None:
    scenario = first_scenario(ours()[name], kind)
    question = Question(scenario, ours()[name])
    m = 199 if question.seconds_a_pair < 0.01 else 19
    shown = view(scenario.with_(m=m), question, question.sample(m))
    charts = charts_of(shown)
    assert POINTS in charts
    assert SENSITIVITY in charts
    if shown.problem is not None:
        assert kind == "Count"  # every user counts as one, so the sampled sensitivity is 0
        return
    assert set(charts) == {ANSWERS, SENSITIVITY, ERROR, POINTS}
    for chart in charts.values():
        go.Figure(chart.figure("Random DP"))  # plotly checks every property
        assert chart.alt
        assert chart.rows
    assert (Noise.WORST_CASE in kinds_of_noise(question)) == (question.worst_case is not None)
    if question.worst_case is not None:
        proved = view(shown.scenario.with_(noise=Noise.WORST_CASE), question, question.sample(m)).noise
        assert proved is not None
        assert (proved.guarantee.gamma, proved.sensitivity.value) == (None, question.worst_case.value)


def test_missing_worst_case_is_reported() -> None:
    shown = _example("Mean", noise=Noise.WORST_CASE)
    assert shown.noise is None
    assert "no worst case is proved" in str(shown.problem)
    assert set(charts_of(shown)) == {SENSITIVITY, POINTS}


def test_blocks_give_differential_privacy_without_the_oracle() -> None:
    scenario = first_scenario(ours()["diabetes"], "Mean", ("age",)).with_(noise=Noise.BLOCKS)
    shown = _shown(scenario)
    assert shown.noise is not None
    assert type(shown.noise.guarantee).__name__ == "PureDP"
    assert set(charts_of(shown)) == {ANSWERS, SENSITIVITY, ERROR, POINTS}


def test_limits_are_rounded_up_and_never_understated() -> None:
    assert [rounded_up(value) for value in (5.0, 4.3101, 4.3199, 1.2214, 7.389056, 0.1, 2.718281828)] == [
        "5", "4.32", "4.32", "1.23", "7.39", "0.1", "2.72",
    ]  # fmt: skip
    rng = np.random.default_rng(1)
    for value in np.exp(rng.uniform(-7, 7, 500)):
        assert value * (1 - 1e-12) <= float(rounded_up(value).replace(",", "")) <= 1.0101 * value
    shown = _example("Letters", epsilon=1.0)
    assert filled(shown)["guess"].startswith("Best guess about one row: at most 74%")  # e/(e + 1) = 0.731


def test_exact_answer_includes_the_limit_per_person() -> None:
    assert "at most 10 rows of each person" in filled(_example("People"))["headline"]
    assert "each person" not in filled(_example("Mean"))["headline"]


def test_inexact_noise_is_no_guarantee() -> None:
    shown = _example("Mean")
    assert shown.noise is not None
    law = replace(shown.noise.law)

    class Inexact(type(law)):  # type: ignore[misc]
        sampling = Sampling()

    inexact = replace(shown, noise=replace(shown.noise, law=Inexact(law.scale)))
    texts = filled(inexact)
    assert texts["line"] == "No guarantee"
    assert texts["promise"] == "No guarantee."
    assert not texts["guess"]
    assert "Random DP" not in str(charts_of(inexact)[ANSWERS].figure(texts["line"]))
    assert filled(shown)["line"] == "Random DP, ε = 1, γ = 0.05"


def test_confidential_table_is_replaced_by_simulated_one() -> None:
    table = replace(ours()["diabetes"], public=False)
    question = Question(first_scenario(table, "Mean", ("age",)), table)
    shown = view(question.scenario, question, question.sample(199))
    own = float(table.values["age"].mean())
    assert question.exact[0] != own
    chart = charts_of(shown)[ANSWERS]
    assert "exact (simulated)" in {trace.get("name") for trace in chart.traces}
    assert f"{own:.6g}" not in str(chart.figure())
    assert "simulated" in filled(shown)["headline"]


def test_pairs_without_an_answer_are_mentioned() -> None:
    shown = _example("Mean")
    assert shown.sample is not None
    failed = replace(shown, sample=replace(shown.sample, failures={3: "raised ValueError: no"}))
    assert "no answer" in filled(failed)["limits"]
    assert "no answer" not in filled(shown)["limits"]


def test_worst_case_noise_protects_changes_beyond_the_statistic() -> None:
    scenario = first_scenario(ours()["diabetes"], "Mean", ("age",))
    sampled, proved = (charts_of(_shown(scenario.with_(noise=noise)))[SENSITIVITY] for noise in (Noise.SAMPLED, Noise.WORST_CASE))
    assert _trace(sampled, "not protected")
    assert "pairs beyond it are not protected" in sampled.alt
    assert "not protected" not in {trace["name"] for trace in proved.traces}
    assert "not protected" not in proved.alt
    assert "over 99%" in filled(_example("Mean", epsilon=20.0))["guess"]
