"""Correlations, covariances and a component in the app: picked, released, and never of one column."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dpcore.targets import CovarianceMatrix, PrincipalComponent
from tests.pages.visit import (
    CHARTS,
    book,
    charts,
    go,
    headline,
    link,
    notices,
    opened,
    pick,
    press,
    scenario,
    slide,
    sound,
    text,
    visit,
)

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
    assert "no private answer" not in headline(app)
    assert charts(app).keys() >= CHARTS


@pytest.mark.parametrize("kind", KINDS)
def test_of_two_columns_none_can_be_taken_away(kind: str) -> None:
    app = opened(_diabetes(kind, "bmi", "ldl"), "options")
    app = sound(app.button_group(key="opt_columns").set_value(["bmi"]).run())
    assert "At least 2 columns are needed: the last choice stays." in notices(app)
    assert scenario(app).columns == ("bmi", "ldl")
    app = sound(opened(app, "options").button_group(key="opt_columns").set_value(["bmi", "blood_pressure", "ldl"]).run())
    assert scenario(app).columns == ("bmi", "blood_pressure", "ldl")
    assert isinstance(scenario(app).target, KINDS[kind])


def test_a_released_matrix_is_read_with_its_noise_and_each_entry_has_its_own() -> None:
    app = press(go(_diabetes("CovarianceMatrix", "bmi", "ldl", correlations=False), "release"), "release")
    (entry,) = book(app).entries
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
