"""A look at a confidential file is said wherever it counts, and no number of rows that is to be protected stays on a page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.pages.visit import QUESTION, answer, declare, everything, go, notices, only, press, sound, text, upload, use, visit

pytestmark = pytest.mark.slow
ADDED = "One row added or removed"
ROWS = 6_197
STAYS = ("cost,ward\n" + "".join(f"{10 + (7 * i) % 80},{'ABC'[i % 3]}\n" for i in range(ROWS))).encode()


def _turn(app: Any, label: str, on: bool) -> None:
    sound(next(toggle for toggle in app.toggle if toggle.label == label).set_value(on).run())


def _counted(app: Any) -> str:
    sound(next(box for box in app.number_input if box.label.startswith("ε of these")).set_value(1.0).run())
    said = text(press(app, "count_misfits"))
    assert "Under ε = 1, each number within" in said
    return said


@pytest.mark.parametrize("looked", [True, False])
def test_a_private_count_after_a_look_may_not_be_shared_as_a_private_release(looked: bool) -> None:
    app = declare(upload(visit(), "stays.csv", STAYS), "cost", 0, 50)
    answer(only(app, "cost"), "The rows are not about persons", "stay")
    if looked:
        _turn(app, "Compare with the table", True)
        _turn(app, "Compare with the table", False)
    said = _counted(app)
    assert ("choices made in view of the table are not covered" in said) is looked
    assert ("private answer: may be published" in said) is not looked


def test_a_look_stays_with_the_file_however_it_is_read_and_whatever_is_said_of_it() -> None:
    content = ("income;age\n" + "".join(f"{100 + i}.5;{20 + i}.25\n" for i in range(60))).encode()
    app = declare(upload(visit(), "mine.csv", content), "income", 0, 120)
    answer(app, "The rows are not about persons", "stay")
    _turn(app, "Compare with the table", True)
    _turn(app, "Compare with the table", False)
    sound(next(box for box in app.selectbox if box.label == "Decimals").set_value(",").run())  # then it holds other values
    for box in app.selectbox:
        if box.label == QUESTION:
            sound(box.select_index(0).run())  # no, about others
    sound(next(box for box in app.selectbox if box.label == "Decimals").set_value(".").run())
    answer(declare(app, "income", 0, 2_000), "The rows are not about persons", "stay")
    assert "looked at before this release" in notices(go(use(app), "release"))


def test_no_number_of_rows_is_shown_once_one_more_is_to_be_protected() -> None:
    """Not in the heading while none is stated, in the name that a look gave it, nor where lines are left out."""
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
