"""The answer in a sentence: which guarantee leads, what each number alone and all together mean, and on which records."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from pages.old.experiment import preview
from pages.state import catalog
from tests.pages.visit import answered, charts, link, opened, pick, scenario, settled, sound, text, visit

_NUMBER = r"([\d.,]+(?:e-?\d+)?)"
_UNIT = ((0.0, 1.0), (0.0, 1.0))


def _heading(app: Any) -> str:
    return answered(app)[0]


def _body(app: Any) -> str:
    return answered(app)[1]


def _read(app: Any, pattern: str) -> float:
    found = re.search(pattern.replace("NUMBER", _NUMBER), f"{_heading(app)}\n{_body(app)}")
    assert found, text(app)
    return float(found[1].replace(",", "").rstrip("."))


def _histogram() -> Any:
    return pick(pick(visit(), "table", "diabetes"), "target", "Histogram")


def _classes(**changes: Any) -> Any:
    values = {
        "table": "two_classes",
        "columns": ["x1", "x2", "label"],
        "m": 19,
        "target": {"kind": "LinearSVM", "x_bounds": _UNIT},
        "oracle": {"kind": "TwoClasses", "x_bounds": _UNIT},
    }
    app = settled(link(**(values | changes)))
    return app if "responses" in charts(app) else sound(app.run())


def test_the_record_that_is_not_protected_is_as_far_off_as_the_sensitivity_says() -> None:
    """The mean of 500 records moves by more than Δ̂ if one of them moves by more than 500 Δ̂."""
    app = visit()
    assert _read(app, "changes by more than NUMBER years") == pytest.approx(500 * _read(app, "Δ̂ = NUMBER"), rel=0.01)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"gamma": 0.01}, "of random changes, up to 1 in 100 on average: those with unusual"),
        ({"gamma": 0.03}, "of random changes, up to 3 % on average: those with unusual"),
        ({"bound": "TOLERANCE", "confidence": 0.9}, "of random changes, up to 1 in 20, with confidence 90 %: those with unusual"),
        ({"epsilon": 3.0}, "is right at most 96 times in 100 (a coin: 50)"),  # e³/(1 + e³) = 0.9526
    ],
)
def test_what_is_protected_and_what_is_not_follows_the_sliders(values: dict[str, Any], said: str) -> None:
    assert said in _body(link(**values))


def test_of_a_public_tables_own_records_no_oracle_is_called_wrong() -> None:
    assert "a wrong oracle" in _body(visit())
    assert "a wrong oracle" not in _body(pick(visit(), "oracle", "TableRecords"))


def test_where_it_costs_no_more_differential_privacy_proper_leads() -> None:
    app = _histogram()
    assert _heading(app).startswith("# Histogram of Age: 95 times in 100 each number, taken alone, lies within ± ")
    assert "**Pure DP, ε = 1**, is differential privacy itself." in _body(app)
    assert "**Protected**, whatever the table: whoever guesses" in _body(app)
    assert "Not protected" not in _body(app)
    assert "In 199 of them all numbers together moved by at most Δ̂ = " in _body(app)
    assert "the weaker random DP would add no less noise" in _body(app)
    worst: Any = preview.calibrated_worst_case(scenario(app))
    assert _read(app, "within ± NUMBER of the one") == pytest.approx(worst.law.half_width(0.95), rel=5e-3)


@pytest.mark.parametrize(("high", "leads"), [(1.0, True), (1.19, True), (1.25, False), (3.0, False)])
def test_the_stronger_guarantee_leads_up_to_a_fifth_more_noise(high: float, leads: bool) -> None:
    """Records that are 0 or 1 by the oracle, with bounds from 0 to ``high``: Δ̂ = 1/n, and the worst case high/n."""
    app = link(target={"kind": "Mean", "bounds": [0, high]}, oracle={"kind": "Bernoulli", "p": 0.5})
    assert _body(app).startswith(
        "**Pure DP, ε = 1**, is " if leads else "Differential privacy protects every change of a row; **random DP"
    )
    assert _read(app, "± NUMBER") == pytest.approx((high if leads else 1) / 500 * np.log(20), rel=5e-3)
    assert _read(app, "Δ̂ = NUMBER") == pytest.approx(1 / 500)
    assert (", is weaker." in text(app)) != leads
    assert ("The worst case over all tables is" in text(app)) != leads
    if leads and high > 1:
        assert _read(app, "the weaker random DP would be ± NUMBER") == pytest.approx(1 / 500 * np.log(20), rel=5e-3)


def test_a_gaussian_whose_worst_case_is_nearly_free_is_approximate_dp() -> None:
    app = opened(_histogram(), "options")
    sound(app.selectbox(key="opt_mechanism").set_value("Gaussian").run())
    assert _heading(app).startswith("# Histogram of Age: 95 times in 100 each number, taken alone, lies")
    assert "**Approximate DP, ε = 1, δ = 1e-06**, is differential privacy itself." in _body(app)


def test_all_numbers_together_lie_within_the_joint_width_that_is_printed() -> None:
    """100,000 simulated responses: 0.95 ± 0.005 within the joint width as printed, to three digits, and far fewer within the
    one that is of each number alone."""
    app = _histogram()
    worst: Any = preview.calibrated_worst_case(scenario(app))
    noise = np.abs(worst.simulate(np.zeros(8), size=100_000, rng=np.random.default_rng(1)))
    alone, joint = _read(app, "within ± NUMBER of the one"), _read(app, "All 8 together lie within ± NUMBER")
    assert np.mean(noise.max(axis=1) <= joint) == pytest.approx(0.95, abs=0.005)
    assert np.mean(noise.max(axis=1) <= 0.9 * joint) < 0.94
    assert np.mean(noise <= alone) == pytest.approx(0.95, abs=0.005)
    assert np.mean(noise.max(axis=1) <= alone) == pytest.approx(0.95**8, abs=0.01)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Without public bounds there is no finite worst case."),
        (
            {"table": "scientists", "columns": ["name"], "n": 10},
            "Without a limit on the letters of a row there is no finite worst case.",
        ),
        (
            {
                "table": "sine",
                "columns": ["x", "y"],
                "n": 250,
                "norm": "L1",
                "target": {"kind": "OnLattice", "curve": {"kind": "PriestleyChao"}, "degree": 9},
                "mechanism": {"kind": "Bernstein"},
            },
            "No worst case is proved here.",
        ),
    ],
    ids=["mean", "letters", "curve"],
)
def test_a_worst_case_is_called_infinite_only_where_that_is_known(values: dict[str, Any], said: str) -> None:
    app = link(**values)
    assert said in text(app)
    assert ("finite" in text(app)) == ("finite" in said)


@pytest.mark.slow
def test_a_classifiers_errors_are_of_the_records_it_was_fitted_to_and_of_fresh_ones() -> None:
    app = _classes()
    assert "a private boundary misclassifies about" in _heading(app)
    assert "of the fitted rows (without noise 0.1 %)" in _heading(app)
    shown = scenario(app)
    target: Any = shown.target
    oracle = shown.resolved_oracle(None)
    answer = preview.answer(shown, catalog()[shown.table])
    noise = preview.calibrated(shown, preview.exploration(shown, oracle))
    private = noise.simulate(answer.value, size=500, rng=np.random.default_rng(2))
    many = oracle.draw(1, 20_000, rng=np.random.default_rng(1))[0]
    assert _read(app, "On fresh made-up rows it is about NUMBER %") == pytest.approx(
        100 * target.misclassified(private, many).mean(), rel=0.35
    )
    columns = tuple(catalog()[shown.table].column(name) for name in shown.columns)
    said: Any = preview.headline(shown, columns, answer, noise, fresh=oracle)
    assert _read(app, "and NUMBER % without noise") == pytest.approx(100 * said.afresh.least_error, rel=0.01)


def test_trials_that_give_no_noise_are_shown_all_the_same() -> None:
    """No record of the oracle is in the interval, so no trial moves the answer, and a Δ̂ of 0 is refused."""
    app = link(target={"kind": "Proportion", "interval": [5, 6]}, oracle={"kind": "Uniform", "low": 0, "high": 1})
    assert _heading(app) == "# No private answer at this choice"
    assert charts(app).keys() >= {"cdf", "points"}
    assert "responses" not in charts(app)
