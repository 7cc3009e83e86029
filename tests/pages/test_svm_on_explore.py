"""The linear SVM on Explore: its table, columns, boundary, release, and what a confidential table gives away."""

from __future__ import annotations

from typing import Any

import numpy as np

from pages.experiment.scenario import Noise
from tests.pages.visit import (
    declare,
    everything,
    go,
    headline,
    pick,
    press,
    settled,
    sized,
    slide,
    text,
    upload,
    use,
    visit,
)

_UNIT = ((0.0, 1.0), (0.0, 1.0))


def _small(kind: str = "Public", records: int = 40) -> Any:
    """An upload: height 150 to 190 and weight 50 to 110 of two groups, far from what any oracle here draws."""
    rng = np.random.default_rng(3)
    group = rng.integers(2, size=records)
    height, weight = 171.31 + 10 * group + rng.random(records), 61.37 + 30 * group + rng.random(records)
    rows = [f"{h:.4f},{w:.4f},{g}" for h, w, g in zip(height, weight, group, strict=True)]
    app = upload(slide(visit(), "m", 19), "people.csv", "\n".join(["height,weight,group", *rows]).encode(), kind=kind)
    declare(app, "height", 150, 190, constant="170")
    declare(app, "weight", 50, 110, constant="80")
    return settled(pick(use(declare(app, "group", constant="no")), "target", "LinearSVM"))


def test_a_confidential_tables_records_are_never_shown() -> None:
    app = _small("Confidential")
    assert "simulated table" in headline(app)
    sent = everything(app)
    assert not any(value in sent for value in _secrets())


def _secrets() -> list[str]:
    """Heights of the confidential table as a chart holds them."""
    rng = np.random.default_rng(3)
    group = rng.integers(2, size=40)
    return [f"{round(height, 4)}" for height in 171.31 + 10 * group + rng.random(40)]


def test_a_release_at_the_worst_case_is_pure_dp() -> None:
    app = go(_small(), "release")
    sized(app, Noise.WORST_CASE)
    press(app, "release")
    assert "Group predicted from height, weight, by a linear SVM" in text(app)
    assert "Together: pure DP, ε = 1" in text(app)
    weights = next(table.value.to_dict("records") for table in app.table if "of" in table.value.columns)
    assert [row["of"] for row in weights] == ["height", "weight", "bias", "group yes"]
