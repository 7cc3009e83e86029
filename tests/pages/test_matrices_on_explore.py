"""Correlations, covariances and a component in the app: picked, released, and never of one column."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import CONSTANT
from dpcore.targets import CovarianceMatrix, PrincipalComponent
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

pytestmark = pytest.mark.slow

KINDS = {"CovarianceMatrix": CovarianceMatrix, "PrincipalComponent": PrincipalComponent}
BOUNDS = {"bmi": [10, 70], "blood_pressure": [40, 200], "ldl": [0, 400]}


def _diabetes(kind: str, *columns: str, **more: Any) -> Any:
    target = {"kind": kind, "bounds": [BOUNDS[name] for name in columns]} | more
    return link(table="diabetes", columns=list(columns), m=19, target=target)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_picked_and_takes_four_columns_until_others_are_picked(kind: str) -> None:
    app = pick(pick(slide(visit(), "m", 19), "table", "breast_cancer"), "target", kind)
    assert isinstance(scenario(app).target, KINDS[kind])
    assert scenario(app).columns == ("mean_radius", "mean_texture", "mean_perimeter", "mean_area")
    heading, body = answered(app)
    assert heading.startswith(("# Correlations of Radius, ", "# First principal component of Radius, ")), heading
    refuse_code(body.replace("**", ""))
    named = [trace["name"] for trace in charts(app)["responses"]["data"]]
    assert "without noise" in named
    assert named[0] == "private" or named[1].startswith("private")


@pytest.mark.parametrize("kind", KINDS)
def test_of_two_columns_none_can_be_taken_away(kind: str) -> None:
    app = opened(_diabetes(kind, "bmi", "ldl"), "options")
    app = sound(app.button_group(key="opt_columns").set_value(["bmi"]).run())
    assert "At least 2 columns are needed: the last ones stay." in notices(app)
    assert scenario(app).columns == ("bmi", "ldl")
    app = sound(opened(app, "options").button_group(key="opt_columns").set_value(["bmi", "blood_pressure", "ldl"]).run())
    assert scenario(app).columns == ("bmi", "blood_pressure", "ldl")
    assert isinstance(scenario(app).target, KINDS[kind])


def test_correlations_are_shown_as_covariances_on_request() -> None:
    app = opened(_diabetes("CovarianceMatrix", "bmi", "ldl"), "options")
    app = sound(app.selectbox(key="opt_correlations").set_value(False).run())
    assert "# Covariances of Body mass index, LDL" in text(app)


def test_a_released_matrix_is_read_with_its_noise_and_each_entry_has_its_own() -> None:
    app = press(go(_diabetes("CovarianceMatrix", "bmi", "ldl", correlations=False), "release"), "release")
    (entry,) = ledger._book(app.session_state["tab"]).entries
    assert entry.release is not None
    assert entry.about.answer.scale == entry.release.scale > 0
    said = text(app) + "".join(table.value.to_csv() for table in app.table)
    assert re.search(r"Body mass index and LDL,-?[\d.,e-]+ kg/m²·mg/dl,", said), said
    assert "the covariances of Body mass index and LDL, Body mass index between 10 and 70" in said
    assert '"covariances"' in entry.as_json()


def test_a_released_component_has_loadings_and_a_share() -> None:
    app = press(go(_diabetes("PrincipalComponent", "bmi", "ldl"), "release"), "release")
    said = text(app) + "".join(table.value.to_csv() for table in app.table)
    assert "share of the variance" in said
    assert "the first principal component of Body mass index and LDL" in said
    assert "Random DP" in said


BAD = {
    "one column": {"columns": ["bmi"]},
    "bounds of fewer columns": {"target": {"kind": "CovarianceMatrix", "bounds": [[0, 1]]}},
    "bounds the wrong way round": {"target": {"kind": "PrincipalComponent", "bounds": [[1, 0], [0, 1]]}},
    "an oracle of other columns": {"oracle": {"kind": "Exponential", "rate": 1.0}},
}


@pytest.mark.parametrize("case", BAD)
def test_a_link_that_does_not_fit_is_answered_with_a_sentence_and_something_is_shown(case: str) -> None:
    target = {"kind": "CovarianceMatrix", "bounds": [BOUNDS["bmi"], BOUNDS["ldl"]]}
    app = link(**({"table": "diabetes", "columns": ["bmi", "ldl"], "m": 19, "target": target} | BAD[case]))
    assert notices(app)
    assert "responses" in charts(app)


HARD = {
    "a constant column": [f"5,{i}" for i in range(30)],
    "as many rows as columns": ["1,2", "3,9"],
}


@pytest.mark.parametrize(("kind", "name"), [*zip(KINDS, HARD, strict=True)])
def test_a_hard_table_has_an_answer_all_the_same(kind: str, name: str) -> None:
    app = upload(slide(visit(), "m", 19), "hard.csv", "\n".join(["a,b", *HARD[name]]).encode(), kind="Public")
    for column in "ab":
        app = declare(app, column, 0, 40, missing=CONSTANT, constant="0")
    app = pick(use(app), "target", kind)
    assert isinstance(scenario(app).target, KINDS[kind])
    values = [part for trace in charts(app)["responses"]["data"][:2] for part in np.ravel(trace.get("z", trace.get("y")))]
    assert np.isfinite(np.asarray(values, dtype=float)).all()


def test_a_table_with_one_bounded_column_offers_neither() -> None:
    app = upload(slide(visit(), "m", 19), "words.csv", b"word,a\n" + b"x,1\ny,2\n" * 9, kind="Public")
    app = use(declare(declare(app, "a", 0, 40), "word", categories="x, y"))
    assert not set(KINDS) & set(app.selectbox(key="pick_target").options)
