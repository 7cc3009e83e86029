"""Regressions in the app: picked, shown, and released in the columns' own units."""

from __future__ import annotations

import re
from typing import Any

import pytest

from dpcore.targets import Ridge, SufficientStatistics
from tests.pages.visit import (
    CHARTS,
    book,
    charts,
    go,
    headline,
    link,
    pick,
    press,
    scenario,
    slide,
    text,
    visit,
)

KINDS = {"Ridge": Ridge, "SufficientStatistics": SufficientStatistics}


def _diabetes(kind: str, *features: str, **settings: object) -> Any:
    bounds = {"bmi": [10, 70], "blood_pressure": [40, 200]}
    target = {"kind": kind, "x_bounds": [bounds[name] for name in features], "y_bounds": [0, 400]} | settings
    return link(table="diabetes", columns=[*features, "progression"], m=19, target=target)


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_picked_and_takes_the_label_as_what_it_predicts(kind: str) -> None:
    app = pick(pick(slide(visit(), "m", 19), "table", "sine"), "target", kind)
    shown = scenario(app)
    assert isinstance(shown.target, KINDS[kind])
    assert shown.columns == ("x", "y")
    assert "no private answer" not in headline(app)
    assert charts(app).keys() >= CHARTS


@pytest.mark.parametrize("kind", KINDS)
def test_it_is_released_in_the_columns_own_units(kind: str) -> None:
    app = press(go(_diabetes(kind, "bmi"), "release"), "release")
    said = text(app) + "".join(table.value.to_csv() for table in app.table)
    assert re.search(r"Body mass index,-?[\d.,e-]+ for \+1 kg/m²,", said), said
    assert re.search(r"Progression = -?[\d.,]+ [+−] [\d.,]+·Body mass index", said), said


def test_a_released_line_of_sums_is_read_with_its_noise() -> None:
    app = press(go(_diabetes("SufficientStatistics", "bmi"), "release"), "release")
    (entry,) = book(app).entries
    assert entry.release is not None
    assert entry.about.answer.scale == entry.release.scale > 0
    rows = "".join(table.value.to_csv() for table in app.table)
    assert entry.about.answer.brief(entry.release.response) in rows  # in the ledger's row too
