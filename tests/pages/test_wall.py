"""What is presented: one part at a time, from a link; and the way out."""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.learn.found import lessons
from tests.pages.lesson_steps import LESSONS, reveal
from tests.pages.visit import (
    CHARTS,
    charts,
    link,
    notices,
    opened,
    pick,
    press,
    settled,
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


def test_the_title_of_a_wide_chart_says_what_it_shows_and_follows_it() -> None:
    app = visit(panel="trials")
    assert "## With 199 trials, at most 1 in 20 of random changes are not protected, on average over the trials" in text(app)
    app = slide(visit(present="1", panel="sensitivity"), "m", 19)
    app = settled(app)
    assert "## In 19 of 19 trials the answer moved by at most" in text(app)
    assert "γ = 0.05 needs" not in notices(app)


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
        drawn = charts(app)[f"lesson_{one.name}_{name}"]["data"]
        assert "your guess" not in [trace.get("name") for trace in drawn]
        assert said.keep.split("{")[0] in text(app)
        if name != list(one.steps)[-1]:
            app = press(app, "wall_next")
    assert _at(app) == f"{len(one.steps)} of {len(one.steps)}"
    after = lessons()[1]
    assert app.button(key="wall_next").label == f"Next lesson: {after.words.title}"
    assert press(app, "wall_next").query_params["lesson"] in (after.name, [after.name])


@pytest.mark.parametrize("wall", ["", "1"], ids=["page", "wall"])
def test_lines_of_a_lesson_have_their_names_at_them_and_a_narrow_wall_has_a_legend(wall: str) -> None:
    app = visit("learn", lesson="void", **({"present": wall} if wall else {}))
    (chart,) = charts(reveal(app, "void", next(iter(LESSONS["void"].steps)))).values()
    names = [note["text"] for note in chart["layout"]["annotations"]]
    drawn = [trace for trace in chart["data"] if trace.get("showlegend") is not False or not wall]
    assert names == [trace["name"] for trace in drawn]
    assert {trace.get("legend") for trace in drawn} == ({"legend2"} if wall else {None})
    hidden = [one.proto.body for one in app.get("html") if "data-index" in one.proto.body]
    assert len(hidden) == len(wall)
    for at in range(len(names) if wall else 0):
        assert f'.annotation[data-index="{at}"]' in hidden[0]


def test_figures_of_the_papers_are_stepped_through_chart_by_chart() -> None:
    app = visit("learn", present="1", exhibit="figure_5")
    first = _at(app)
    app = press(app, "wall_next")
    assert (app.query_params["exhibit"], app.query_params["panel"]) == ("figure_5", "2")
    assert _at(app) != first
    assert len(charts(app)) == 1
    assert _at(press(app, "wall_back")) == first


@pytest.mark.slow
def test_the_link_for_a_wall_is_in_the_theme_that_is_seen_and_opens_there() -> None:
    app = opened(visit("learn", lesson=lessons()[1].name), "link")
    here, wall = (dict(parse_qsl(urlsplit(code.value).query)) for code in app.code)
    assert here["lesson"] == wall["lesson"] == lessons()[1].name
    assert "present" not in here
    assert (wall["present"], wall["embed_options"]) == ("1", "light_theme")
    assert _at(visit("learn", **wall)) == f"1 of {len(lessons()[1].steps)}"
    assert len(opened(visit("people"), "link").code) == 1


@pytest.mark.parametrize(
    ("page", "panel", "place"),
    [("people", "people_error", {}), ("learn", "2", {"exhibit": "figure_5"}), ("learn", "figure", {"lesson": lessons()[0].name})],
)
def test_a_panel_of_any_page_is_enlarged_from_its_link_and_given_back(page: str, panel: str, place: dict[str, str]) -> None:
    app = visit(page, panel=panel, **place)
    if panel == "figure":
        one = lessons()[0]
        app = reveal(app, one.name, next(iter(one.steps)))
    sizes = {key: chart["layout"]["font"]["size"] for key, chart in charts(app).items() if "font" in chart["layout"]}
    assert len(sizes) == 1
    app = press(app, f"enlarge_{panel}")
    assert "panel" not in app.query_params
    assert not [key for key, chart in charts(app).items() if "font" in chart["layout"]]
    assert app.button(key=f"enlarge_{panel}").label == "Enlarge"


@pytest.mark.slow
def test_where_the_worst_case_leads_no_title_says_that_somebody_is_left_out() -> None:
    for part in PARTS:
        app = link(target={"kind": "Mean", "bounds": [0, 0.5]}, present="1", panel=part)
        assert "not protected" not in text(app).replace("Share of changes not protected", "")
    app = link(target={"kind": "Mean", "bounds": [0, 0.5]}, present="1", panel="trials")
    assert "## The noise is sized to the worst case: no change is left out" in text(app)
    app.session_state["readers_shown"] = "Error"
    app = press(press(app, "wall_next"), "wall_leave")
    app = link(target={"kind": "Mean", "bounds": [0, 0.5]}, present="1", panel="answers")
    app.session_state["readers_shown"] = "Error"
    assert "## At ε = 1 the expected error is 0.001 years" in text(app.run())  # worst case 0.5/500, and not Δ̂
    mark = next(trace for trace in charts(app)["responses"]["data"] if trace["mode"] == "markers")
    assert (mark["name"], mark["x"], mark["y"]) == ("ε = 1: 0.001", [1.0], [pytest.approx(0.001)])


def test_without_an_answer_a_panel_keeps_its_question() -> None:
    app = link(target={"kind": "Mean", "bounds": [1e6, 1e7]}, present="1", panel="trials")
    assert "## How many trials do I need?" in text(app)
