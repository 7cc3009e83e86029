"""The options of target, oracle and mechanism: good values are taken, bad ones are sentences that change nothing."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.oracles import Categorical, Exponential
from dpcore.targets import Histogram, LetterCounts, Mean, Proportion, Quantile, Variance
from tests.pages.prose import refuse_code
from tests.pages.visit import CHARTS, charts, notices, opened, pick, scenario, sound, visit


def _options(table: str = "diabetes", target: str = "Mean") -> Any:
    return opened(pick(pick(visit(), "table", table), "target", target), "options")


def _input(app: Any, key: str) -> Any:
    """Return the input of an option."""
    return next(one for one in (*app.number_input, *app.text_input, *app.selectbox) if one.key == key)


def test_bounds_are_taken_or_refused() -> None:
    app = opened(visit(), "options")
    sound(app.text_input(key="opt_bounds").set_value("0, 12").run())
    assert scenario(app).target == Mean((0.0, 12.0))
    opened(app, "options")
    sound(app.text_input(key="opt_bounds").set_value("").run())
    for text in ("12", "5, 1", "a, b", "0, inf", "nan, 1", "1, 2, 3", "0; 1", "0, 1e999", "-1e308, 1e308"):
        opened(app, "options")
        sound(app.text_input(key="opt_bounds").set_value(text).run())
        assert notices(app).count("Write two numbers") == 1, text
        refuse_code(notices(app))
        assert scenario(app).target == Mean(), text


def test_mean_takes_several_columns() -> None:
    app = _options()
    sound(app.button_group(key="opt_columns").set_value(["age", "bmi"]).run())
    assert scenario(app).columns == ("age", "bmi")
    assert scenario(app).target == Mean(((0.0, 120.0), (10.0, 70.0)))
    assert charts(app).keys() >= CHARTS
    opened(app, "options")
    sound(app.button_group(key="opt_columns").set_value([]).run())
    assert "At least one column" in notices(app)
    assert scenario(app).columns == ("age", "bmi")


@pytest.mark.parametrize(
    ("target", "column"), [("Quantile", "bmi"), ("Variance", "age"), ("Histogram", "sex"), ("Proportion", "ldl")]
)
def test_targets_of_one_column_take_any_column(target: str, column: str) -> None:
    app = _options(target=target)
    sound(app.selectbox(key="pick_column").set_value(column).run())
    assert scenario(app).columns == (column,)
    assert type(scenario(app).target).__name__ == target
    assert charts(app).keys() >= CHARTS


TAKEN: dict[str, tuple[str, str, object, Any]] = {
    "Quantile": ("diabetes", "opt_q", 0.9, Quantile(0.9, (0.0, 120.0))),
    "Proportion": ("diabetes", "opt_interval", "18, 60", Proportion(interval=(18.0, 60.0))),
    "Mean": ("loan_defaults", "opt_oracle_rate", 2.5, Exponential(2.5)),
    "Variance": ("diabetes", "opt_ddof", "n − 1", Variance((0.0, 120.0), 1)),
    "LetterCounts": ("scientists", "opt_ignore_case", "Count as small letters", LetterCounts(ignore_case=True)),
}
REFUSED = [
    ("Quantile", "opt_q", 1.5, "The quantile must be from 0 to 1, but 1.5 was given. Nothing was changed."),
    ("Quantile", "opt_q", None, "A number is needed"),
    ("Proportion", "opt_interval", "18, 10", "two numbers, the lower one first, but “18, 10” was given"),
    ("Mean", "opt_oracle_rate", -1.0, "The rate must be a number above 0, but -1 was given. Nothing was changed."),
]


@pytest.mark.parametrize("target", TAKEN)
def test_option_is_taken_or_refused(target: str) -> None:
    table, key, value, taken = TAKEN[target]
    app = _options(table, target)
    sound(_input(app, key).set_value(value).run())
    assert taken in (scenario(app).target, scenario(app).oracle)
    for bad_key, bad, said in [one for kind, *one in REFUSED if kind == target]:
        sound(_input(opened(app, "options"), bad_key).set_value(bad).run())
        assert said in notices(app)
        assert taken in (scenario(app).target, scenario(app).oracle)


@pytest.mark.parametrize("bins", [1, 100])
def test_bins_are_taken(bins: int) -> None:
    app = _options(target="Histogram")
    sound(app.number_input(key="opt_edges").set_value(bins).run())
    target = scenario(app).target
    assert isinstance(target, Histogram)
    assert len(target.edges or ()) == bins + 1
    assert charts(app).keys() >= CHARTS or bins == 1  # one bin holds every record: the answer never moves


def test_shares_that_do_not_sum_to_one() -> None:
    app = _options(target="Histogram")
    sound(app.selectbox(key="pick_column").set_value("sex").run())
    pick(app, "oracle", "Categorical")
    opened(app, "options")
    sound(app.text_input(key="opt_oracle_p").set_value("0.3, 0.7").run())
    assert scenario(app).oracle == Categorical((0.3, 0.7))
    assert not notices(app)
    for text in ("0.5, 0.6", "a, b", "", "1.5, -0.5", "nan, 1"):
        opened(app, "options")
        sound(app.text_input(key="opt_oracle_p").set_value(text).run())
        assert notices(app), text
        refuse_code(notices(app))
        assert scenario(app).oracle == Categorical((0.3, 0.7)), text


@pytest.mark.parametrize("delta", [0.0, 2.0])
def test_delta_out_of_range_is_refused(delta: float) -> None:
    app = opened(visit(), "options")
    sound(app.selectbox(key="opt_mechanism").set_value("GaussianMechanism").run())
    opened(app, "options")
    sound(app.number_input(key="opt_delta").set_value(delta).run())
    assert notices(app) == f"δ must be above 0 and below 1, but {delta:g} was given. Nothing was changed."
    assert scenario(app).delta == 1e-6
