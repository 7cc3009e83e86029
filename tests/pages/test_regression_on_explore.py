"""Regressions in the app: picked, shown beside least squares, released in the columns' own units, and never lost on bad input."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import CONSTANT
from dpcore.targets import Ridge, SufficientStatistics
from pages.state import ledger
from tests.pages.prose import refuse_code
from tests.pages.visit import (
    answered,
    charts,
    declare,
    go,
    link,
    notices,
    opened,
    pick,
    press,
    scenario,
    slide,
    sound,
    text,
    upload,
    use,
    visit,
)

KINDS = {"Ridge": Ridge, "SufficientStatistics": SufficientStatistics}


def _diabetes(kind: str, *features: str, **settings: object) -> Any:
    bounds = {"bmi": [10, 70], "blood_pressure": [40, 200]}
    target = {"kind": kind, "x_bounds": [bounds[name] for name in features], "y_bounds": [0, 400]} | settings
    return link(table="diabetes", columns=[*features, "progression"], m=19, target=target)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_it_is_picked_and_takes_the_label_as_what_it_predicts(kind: str) -> None:
    app = pick(pick(slide(visit(), "m", 19), "table", "sine"), "target", kind)
    shown = scenario(app)
    assert isinstance(shown.target, KINDS[kind])
    assert shown.columns == ("x", "y")
    heading, body = answered(app)
    assert heading.startswith("# y predicted from x, by r"), heading
    assert "On fresh rows of the oracle" in body
    assert "has no finite worst case" in body
    refuse_code(body.replace("**", ""))
    assert "least squares" in [trace["name"] for trace in charts(app)["responses"]["data"]]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_released_in_the_columns_own_units(kind: str) -> None:
    app = press(go(_diabetes(kind, "bmi"), "release"), "release")
    said = text(app) + "".join(table.value.to_csv() for table in app.table)
    assert re.search(r"Body mass index,-?[\d.,e-]+ for \+1 kg/m²,", said), said
    assert re.search(r"Progression = -?[\d.,]+ [+−] [\d.,]+·Body mass index", said), said


def test_a_released_line_of_sums_is_read_with_its_noise() -> None:
    app = press(go(_diabetes("SufficientStatistics", "bmi"), "release"), "release")
    (entry,) = ledger._book(app.session_state["tab"]).entries
    assert entry.release is not None
    assert entry.about.answer.scale == entry.release.scale > 0
    rows = "".join(table.value.to_csv() for table in app.table)
    assert entry.about.answer.brief(entry.release.response) in rows  # in the ledger's row too


def test_bounds_are_named_after_their_own_columns() -> None:
    said = text(press(go(_diabetes("Ridge", "bmi", "blood_pressure"), "release"), "release"))
    assert "Blood pressure between 40 and 200, Progression between 0 and 400" in said


@pytest.mark.parametrize("kind", KINDS)
def test_several_features_are_coefficients(kind: str) -> None:
    app = _diabetes(kind, "bmi", "blood_pressure")
    assert text(app).startswith("# Progression predicted from Body mass index, Blood pressure, by r")
    assert "The oracle draws each column by itself" in text(app)
    assert "On fresh rows of the oracle" not in text(app)
    marks = next(trace for trace in charts(app)["responses"]["data"] if trace["name"] == "private, ± noise")
    assert marks["x"] == ["Body mass index", "Blood pressure"]


def _hard(kind: str, records: list[str]) -> Any:
    """An upload of three columns, the last of which is predicted, on Explore."""
    app = upload(slide(visit(), "m", 19), "hard.csv", "\n".join(["a,b,c", *records]).encode(), kind="Public")
    for column in "abc":
        app = declare(app, column, 0, 40, missing=CONSTANT, constant="0")
    app = pick(use(app), "target", kind)
    sound(opened(app, "options").button_group(key="opt_features").set_value(["a", "b"]).run())
    return sound(opened(app, "options").selectbox(key="opt_label").set_value("c").run())


HARD = {
    "a constant column": [f"5,{i},{i % 7}" for i in range(30)],
    "perfect collinearity": [f"{i},{i},{i}" for i in range(30)],
    "fewer rows than columns": ["1,2,3", "2,5,1"],
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("Ridge", "a constant column"),
        ("SufficientStatistics", "perfect collinearity"),
        ("Ridge", "fewer rows than columns"),
        ("SufficientStatistics", "fewer rows than columns"),
    ],
)
def test_a_hard_table_has_a_line_all_the_same(kind: str, name: str) -> None:
    app = _hard(kind, HARD[name])
    assert isinstance(scenario(app).target, KINDS[kind])
    assert scenario(app).columns[-1] == "c"
    assert "root mean square" in text(app)
    assert np.isfinite(_numbers(charts(app)["responses"])).all()


def _numbers(figure: dict[str, Any]) -> list[float]:
    return [value for trace in figure["data"] for value in trace["y"] if isinstance(value, float) and not np.isnan(value)]


BMI = {"kind": "Ridge", "x_bounds": [[10, 70]], "y_bounds": [0, 400]}
BAD = {
    "an oracle of other columns": ({"oracle": {"kind": "Exponential", "rate": 1.0}}, "oracle does not fit the columns"),
    "bounds of other columns": ({"target": BMI | {"x_bounds": [[10, 70], [0, 1]]}}, "target does not fit the columns"),
    "no label": ({"columns": ["bmi"]}, "target does not fit the columns"),
    "a column that is not there": ({"columns": ["bmi", "name"]}, "the columns must be different ones of"),
    "no penalty": ({"target": BMI | {"penalty": 0}}, "the penalty must be a number above 0"),
    "no features": ({"target": BMI | {"x_bounds": []}}, "must be one interval a feature"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_link_that_does_not_fit_is_answered_with_a_sentence_and_something_is_shown(case: str) -> None:
    changes, said = BAD[case]
    app = link(**({"table": "diabetes", "columns": ["bmi", "progression"], "m": 19, "target": BMI} | changes))
    assert said in notices(app)
    assert "responses" in charts(app)


def test_a_column_of_text_is_no_feature_and_no_label() -> None:
    app = upload(slide(visit(), "m", 19), "words.csv", b"word,a\n" + b"x,1\ny,2\n" * 9, kind="Public")
    app = use(declare(declare(app, "a", 0, 40), "word", categories="x, y"))
    assert not set(KINDS) & set(app.selectbox(key="pick_target").options)


def test_the_shares_of_the_noise_are_an_option() -> None:
    app = opened(_diabetes("SufficientStatistics", "bmi", "blood_pressure", widths=[1, 0.25]), "options")
    assert app.selectbox(key="opt_widths").options == ["less on those with the label", "the same on all", "1, 0.25"]
    before = text(app)
    sound(app.selectbox(key="opt_widths").set_value("(1.0, 1.0)").run())
    assert (scenario(app).target.widths, text(app) == before) == ((1.0, 1.0), False)
    said = notices(_diabetes("SufficientStatistics", "bmi", widths=[1]))
    assert "must be 2 numbers from 0.001 to 1,000" in said
    refuse_code(said)
