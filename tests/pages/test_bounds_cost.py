"""What bounds cost, on Explore: the split that the page People has, of a made-up or a public table alone."""

from __future__ import annotations

from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.visit import charts, declare, opened, pick, scenario, settled, slide, text, upload, use, visit

CHART = "bounds_chart"
DIABETES = {"v": "1", "table": "diabetes", "columns": '["bmi"]'}
COSTS = ("age,cost\n" + "".join(f"{20 + i % 60},{(37 * i) % 900}\n" for i in range(300))).encode()


def _confidential(content: bytes = COSTS) -> AppTest:
    app = declare(upload(visit(), "costs.csv", content, kind="Confidential"), "cost", 0, 1_000, unit="€")
    return settled(pick(settled(use(app)), "target", "Sum"))


def _opened(app: AppTest) -> AppTest:
    return settled(opened(app, "bounds_cost"))


def test_it_is_there_once_it_is_opened_and_a_link_opens_it() -> None:
    app = settled(visit(**DIABETES))
    assert CHART not in charts(app)
    assert CHART in charts(_opened(app))
    assert "With noise that is sized to the proved worst case, an answer is off by about" in text(app)
    assert CHART in charts(settled(visit(**DIABETES, doubts="bounds_cost")))


def test_the_split_moves_with_the_bounds_of_a_public_table() -> None:
    app = _opened(settled(pick(visit(**DIABETES), "target", "Sum")))
    bounds: Any = scenario(app).target.bounds
    wide = text(app)
    slide(app, "bound", sorted_grid(bounds)[5])
    narrow = text(settled(app))
    assert scenario(app).target.bounds == (bounds[0], sorted_grid(bounds)[5])
    assert "values above the upper bound" not in wide
    assert "Most of it comes from values above the upper bound" in narrow
    assert "The least error is" in narrow
    assert "public table" in narrow


def sorted_grid(bounds: tuple[float, float]) -> list[float]:
    """Where the slider can stand."""
    low, high = bounds
    return sorted(low + float(f"{share * (high - low):.3g}") for share in (0.01, 0.02, 0.03, *(k / 20 for k in range(1, 21))))


@pytest.mark.slow
def test_of_a_confidential_table_it_is_a_made_up_ones_whatever_the_file_holds() -> None:
    """Two files of the same size and columns: all of it is the same."""
    other = ("age,cost\n" + "".join(f"{20 + i % 60},{(7 * i) % 50}\n" for i in range(300))).encode()
    app = _opened(_confidential())
    assert "All of this is about a made-up table from the oracle, not about yours." in text(app)
    before = _said(app)
    assert _said(_opened(_confidential(other))) == before


def _said(app: AppTest) -> tuple[str, str]:
    return text(app).split("With noise that is sized")[1].split(":small[:")[0], str(charts(app)[CHART])
