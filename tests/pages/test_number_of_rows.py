"""No number of rows that is to be protected stays on a page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.visit import QUESTION, answer, declare, everything, go, only, sound, upload, use, visit

pytestmark = pytest.mark.slow
ADDED = "One row added or removed"
ROWS = 6_197
STAYS = ("cost,ward\n" + "".join(f"{10 + (7 * i) % 80},{'ABC'[i % 3]}\n" for i in range(ROWS))).encode()


def _turn(app: Any, label: str, on: bool) -> None:
    sound(next(toggle for toggle in app.toggle if toggle.label == label).set_value(on).run())


def test_no_number_of_rows_is_shown_once_one_more_is_to_be_protected() -> None:
    """Not in the heading while none is stated, nor where lines are left out."""
    app = upload(visit(), "stays.csv", STAYS)
    _turn(app, "Show the first lines as they are", True)
    _turn(app, "Show the first lines as they are", False)
    answer(only(declare(app, "cost", 0, 100), "cost"), "The rows are not about persons", "stay")
    assert f"{ROWS:,}" in everything(app)  # as one row replaced is protected, how many there are is public
    sound(app.radio(key="neighbours").set_value(ADDED).run())
    assert f"{ROWS:,}" not in everything(app)
    sound(app.number_input(key="rows_stated").set_value(250).run())
    sound(app.number_input(key="last_lines").set_value(1_000).run())
    assert f"{ROWS:,}" not in everything(app)
    app = upload(sound(go(use(app), "your_data")), "other.csv", b"a;b\n1;2\n3;4\n5;6\n")
    assert any(box.label == QUESTION for box in app.selectbox)
    assert f"{ROWS:,}" not in everything(app)
