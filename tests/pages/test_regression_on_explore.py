"""Regressions in the app: picked, shown beside least squares, released in the columns' own units, and never lost on bad input."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import CONSTANT
from dpcore.targets import Ridge, SufficientStatistics
from tests.pages.prose import refuse_code
from tests.pages.visit import charts, declare, go, link, pick, press, scenario, slide, text, upload, use, visit

KINDS = {"Ridge": Ridge, "SufficientStatistics": SufficientStatistics}


def _diabetes(kind: str, *features: str) -> Any:
    bounds = {"bmi": [10, 70], "blood_pressure": [40, 200]}
    target = {"kind": kind, "x_bounds": [bounds[name] for name in features], "y_bounds": [0, 400]}
    return link(table="diabetes", columns=[*features, "progression"], m=19, target=target)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_picked_and_takes_the_label_as_what_it_predicts(kind: str) -> None:
    app = pick(pick(slide(visit(), "m", 19), "table", "sine"), "target", kind)
    shown = scenario(app)
    assert isinstance(shown.target, KINDS[kind])
    assert shown.columns == ("x", "y")
    heading, body = text(app).split("\n")[:2]
    assert heading.startswith("# y predicted from x, by re"), heading
    assert "On fresh records of the oracle" in body
    assert "has no finite worst case" in body
    refuse_code(body.replace("**", ""))
    assert "least squares" in [trace["name"] for trace in charts(app)["responses"]["data"]]


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_released_in_the_columns_own_units(kind: str) -> None:
    app = press(go(_diabetes(kind, "bmi"), "release"), "release")
    said = text(app) + "".join(table.value.to_csv() for table in app.table)
    assert re.search(r"Body mass index,-?[\d.,e-]+ for \+1 kg/m²,", said), said
    assert re.search(r"Progression = -?[\d.,]+ [+−] [\d.,]+·Body mass index", said), said
    slope = float(re.search(r"·Body mass index", said) is not None)
    assert slope == 1


def test_a_released_line_of_sums_is_read_with_its_noise() -> None:
    app = press(go(_diabetes("SufficientStatistics", "bmi"), "release"), "release")
    (entry,) = app.session_state["book"].entries if "book" in app.session_state else _entries(app)
    assert entry.release is not None
    assert entry.about.answer.scale == entry.release.scale > 0


def _entries(app: Any) -> list[Any]:
    return next(value.entries for value in app.session_state.filtered_state.values() if hasattr(value, "entries"))


@pytest.mark.parametrize("kind", KINDS)
def test_several_features_are_coefficients(kind: str) -> None:
    app = _diabetes(kind, "bmi", "blood_pressure")
    assert text(app).startswith("# Progression predicted from Body mass index, Blood pressure, by re")
    marks = next(trace for trace in charts(app)["responses"]["data"] if trace["name"] == "private, ± noise")
    assert marks["x"] == ["Body mass index", "Blood pressure"]


HARD = {
    "a constant column": [("5", str(i)) for i in range(30)],
    "perfect collinearity": [(str(i), str(i)) for i in range(30)],
    "fewer records than columns": [("1", "2")],
}


@pytest.mark.parametrize("name", HARD)
@pytest.mark.parametrize("kind", KINDS)
def test_a_hard_table_has_a_line_all_the_same(kind: str, name: str) -> None:
    rows = "\n".join(["a,b", *(",".join(row) for row in HARD[name])])
    app = upload(slide(visit(), "m", 19), "hard.csv", rows.encode(), kind="Public")
    declare(app, "a", 0, 40, missing=CONSTANT, constant="0")
    app = pick(use(declare(app, "b", 0, 40, missing=CONSTANT, constant="0")), "target", kind)
    assert isinstance(scenario(app).target, KINDS[kind])
    assert "predicts" in text(app)
    assert np.isfinite(_numbers(charts(app)["responses"])).all()


def _numbers(figure: dict[str, Any]) -> list[float]:
    return [value for trace in figure["data"] for value in trace["y"] if isinstance(value, float) and not np.isnan(value)]


def test_an_oracle_of_other_columns_is_refused_in_a_sentence_and_the_rest_stays() -> None:
    target = {"kind": "Ridge", "x_bounds": [[10, 70]], "y_bounds": [0, 400]}
    app = link(table="diabetes", columns=["bmi", "progression"], m=19, target=target, oracle={"kind": "Exponential", "rate": 1.0})
    assert isinstance(scenario(app).target, Ridge)
    assert len(text(app)) > 0
    assert not app.exception
