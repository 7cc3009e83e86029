"""Where a made-up table stands in for a confidential one, its number of records can be tried; a release takes the table's own."""

from __future__ import annotations

from typing import Any

import pytest

from pages.state import MOST_MADE_UP
from tests.pages.visit import confidential, go, notices, pick, scenario, sound, text

_CSV = b"income\n" + b"".join(b"%d\n" % (20 + i % 60) for i in range(200))


def _tried(n: int, app: Any = None) -> Any:
    return sound((app or confidential(_CSV, 0, 100)).number_input(key="exact_n").set_value(n).run())


def test_the_boxs_n_is_the_made_up_tables() -> None:
    app = confidential(_CSV, 0, 100)
    before = scenario(app)
    assert app.number_input(key="exact_n").value == before.n == 200
    after = scenario(_tried(5_000, app))
    assert after == before.with_(n=5_000)
    assert app.number_input(key="exact_n").value == 5_000
    assert scenario(pick(app, "target", "KnownMean")).n == 5_000


def test_a_release_is_of_the_tables_own_records() -> None:
    app = go(_tried(5_000), "release")
    assert scenario(app).n == 200
    assert "made-up table of 5,000" in notices(app)
    assert "over the 200 rows" in text(app)


@pytest.mark.parametrize("n", [1, MOST_MADE_UP])
def test_its_least_and_its_most_show_an_answer_or_say_why_not_and_the_way_back_stays(n: int) -> None:
    app = _tried(n)
    assert app.number_input(key="exact_n").value == n
    assert scenario(_tried(200, app)).n == 200
