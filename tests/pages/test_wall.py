"""What is presented: one part at a time, from a link; and the way out."""

from __future__ import annotations

from typing import Any

from pages.old.learn.found import lessons
from tests.pages.visit import (
    charts,
    press,
    text,
    visit,
)


def _at(app: Any) -> str:
    return next(one.value for one in app.markdown if " of " in one.value and one.value.replace(" of ", "").isdigit())


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


def test_leaving_shows_the_whole_page_again_and_the_address_forgets() -> None:
    app = press(visit("learn", present="1", lesson=lessons()[0].name), "wall_leave")
    assert any(button.key == "all_lessons" for button in app.button)
    assert not {"present", "panel"} & set(app.query_params)
