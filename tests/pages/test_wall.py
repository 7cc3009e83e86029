"""What is presented: one part at a time, from a link; and the way out."""

from __future__ import annotations

from typing import Any

import pytest

from pages.old.learn.found import lessons
from tests.pages.visit import (
    CHARTS,
    charts,
    link,
    pick,
    press,
    slide,
    text,
    visit,
)

PARTS = ("answer", "sensitivity", "trials", "answers", "odds", "left_out", "changes")


def _at(app: Any) -> str:
    return next(one.value for one in app.markdown if " of " in one.value and one.value.replace(" of ", "").isdigit())


@pytest.mark.parametrize(("number", "part"), list(enumerate(PARTS, 1)))
def test_each_part_opens_from_a_link(number: int, part: str) -> None:
    app = visit(present="1", panel=part)
    assert _at(app) == f"{number} of {len(PARTS)}"
    assert not [box for box in app.selectbox if box.key == "pick_table"]
    assert len(charts(app)) == (1 if part in ("sensitivity", "trials", "answers") else 0)


def test_what_is_pinned_is_a_part_too_and_an_unknown_one_is_the_first() -> None:
    app = slide(press(visit(), "pin"), "epsilon", 2.0)
    app = press(app, "present")
    assert _at(app) == f"1 of {len(PARTS) + 1}"
    for _ in range(4):
        app = press(app, "wall_next")
    assert "## From ε = 1 to 2 the answer is twice as accurate" in text(app)
    assert app.query_params["panel"] == "beside"
    assert _at(visit(present="1", panel="nowhere")) == f"1 of {len(PARTS)}"


def test_leaving_shows_the_whole_page_again_and_the_address_forgets() -> None:
    app = press(visit(present="1", panel="trials"), "wall_leave")
    assert charts(app).keys() >= CHARTS
    assert not {"present", "panel"} & set(app.query_params)
    assert pick(app, "table", "diabetes")


def test_a_lesson_is_stepped_through_and_revealed_without_a_guess() -> None:
    one = lessons()[0]
    app = visit("learn", present="1", lesson=one.name)
    for name in one.steps:
        assert app.query_params.get("step", next(iter(one.steps))) == name
        app = press(app, "reveal")
        said = one.words.steps[name]
        assert "What is so: **" in text(app)
        assert f"lesson_{one.name}_{name}" in charts(app)
        assert said.keep.split("{")[0] in text(app)
        if name != list(one.steps)[-1]:
            app = press(app, "wall_next")
    assert _at(app) == f"{len(one.steps)} of {len(one.steps)}"
    after = lessons()[1]
    assert app.button(key="wall_next").label == f"Next lesson: {after.words.title}"
    assert press(app, "wall_next").query_params["lesson"] in (after.name, [after.name])


def test_figures_of_the_papers_are_stepped_through_chart_by_chart() -> None:
    app = visit("learn", present="1", exhibit="figure_5")
    first = _at(app)
    app = press(app, "wall_next")
    assert (app.query_params["exhibit"], app.query_params["panel"]) == ("figure_5", "2")
    assert _at(app) != first
    assert len(charts(app)) == 1
    assert _at(press(app, "wall_back")) == first


@pytest.mark.slow
def test_where_the_worst_case_leads_no_title_says_that_somebody_is_left_out() -> None:
    for part in PARTS:
        app = link(target={"kind": "Mean", "bounds": [0, 0.5]}, present="1", panel=part)
        assert "not protected" not in text(app).replace("Share of changes not protected", "")
    app = link(target={"kind": "Mean", "bounds": [0, 0.5]}, present="1", panel="trials")
    assert "## The noise is sized to the worst case: no change is left out" in text(app)
