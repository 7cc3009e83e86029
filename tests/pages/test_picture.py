"""A picture of each chart to take along: what it says of where it came from, and what its file is called."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import fromstring

import pytest

from pages.charts import svg as document
from pages.shared import badges
from pages.shared.escape import escaped, unmarked
from pages.shared.picture import Picture, ascii_name
from tests.pages.visit import INSIDE, charts, confidential, link, opened, sound, visit

CSV = ("income\n" + "\n".join(f"{6543.2731 + 60 * i:.4f}" for i in range(60))).encode()
PAGES = Path(__file__).parents[2] / "pages"
_PUBLISHED, _SENSITIVE = "what-would-be-published", "how-sensitive-is-it"
TEXT = "{http://www.w3.org/2000/svg}text"


def _pictures(files: list[tuple[str, str]]) -> dict[str, str]:
    """The SVG that was last to be had at each button."""
    return {key: data for key, data in files if key.startswith("svg_")}


def _said(svg: str) -> list[str]:
    return ["".join(part.itertext()) for part in fromstring(svg).iter(TEXT)]


def _joined(words: str) -> str:
    """Without spaces: a line may end anywhere."""
    return words.replace(" ", "")


@pytest.mark.slow
def test_every_chart_has_a_button_for_its_picture() -> None:
    for app in (
        opened(visit(), "proof"),
        visit("people"),
        link("learn", exhibit="figure_3"),
        link("learn", lesson="noise"),
    ):
        assert charts(app)
        boxes = {key: INSIDE.get(f"picture_{key}", f"picture_{key}") for key in charts(app)}
        assert [key for key, box in boxes.items() if box not in app.session_state] == []


def test_no_page_draws_a_chart_past_it() -> None:
    """Those that are drawn while trials arrive are others each second: they have no picture."""
    calls = {str(path.relative_to(PAGES)): path.read_text().count("st.plotly_chart(") for path in PAGES.glob("**/*.py")}
    assert {name: count for name, count in calls.items() if count} == {
        "shared/picture.py": 1,
        "shared/frame.py": 1,
        "shared/progress.py": 1,
    }


def test_a_picture_is_made_only_while_its_box_is_open(monkeypatch: pytest.MonkeyPatch, files: list[tuple[str, str]]) -> None:
    made: list[int] = []
    monkeypatch.setattr(
        "pages.shared.picture.drawn_or_said", lambda *given, **more: made.append(1) or document.drawn_or_said(*given, **more)
    )
    app = visit()
    assert not made
    sound(opened(app, "picture_points"))
    assert len(made) == 1
    said = _said(_pictures(files)["svg_points"])
    title = "With 199 trials, at most 1 in 20 of random changes are not protected, on average over the trials"
    assert _joined(said[0]) == _joined(title)
    assert said[-1] == badges.PUBLIC_DRAWS
    assert "this choice" in said


def test_a_picture_speaks_alone(files: list[tuple[str, str]]) -> None:
    """Its title is what it shows, and below it stand the ±, the guarantee and what that does not protect."""
    opened(visit(), "picture_cdf", "picture_points", "picture_responses")
    pictures = _pictures(files)
    assert len(pictures) == 3
    for key, begins in (("cdf", "In 190 of 199 trials"), ("points", "With 199 trials"), ("responses", "95 times in 100")):
        title, *_, said, made_from = _said(pictures[f"svg_{key}"])
        assert title.startswith(begins)
        for part in ("± 0.0195 years", "random DP, ε = 1, γ = 0.05, is weaker", "Protected: ", "Not protected: of random"):
            assert _joined(part) in _joined(said), part
        assert made_from in (badges.PUBLIC_DRAWS, badges.PUBLIC_TABLE)


def test_a_picture_beside_a_confidential_table_is_of_a_simulated_one_and_so_is_its_file(
    files: list[tuple[str, str]], download_names: list[str]
) -> None:
    opened(confidential(CSV, 0, 10_000, name="our-secret-ward.csv"), "picture_responses", "picture_cdf")
    assert _said(_pictures(files)["svg_responses"])[-1] == badges.SIMULATED
    assert {name for name in download_names if name.endswith(".svg")} == {f"{_PUBLISHED}.svg", f"{_SENSITIVE}.svg"}
    assert _said(_pictures(files)["svg_cdf"])[-1] == badges.PUBLIC_DRAWS
    assert not any("secret" in name for name in download_names if name.endswith(".svg"))


def test_a_picture_on_people_says_whose_rows_it_is_of(files: list[tuple[str, str]]) -> None:
    opened(visit("people"), "picture_people_error")
    said = _said(_pictures(files)["svg_people_error"])
    assert (said[0], said[-1]) == ("How many rows of a person should count?", badges.PUBLIC_TABLE)


def test_a_wall_has_no_button_for_it() -> None:
    app = link(present="1", panel="sensitivity")
    assert charts(app)
    assert [key for key in charts(app) if f"picture_{key}" in app.session_state] == []


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("How sensitive is it?", "how-sensitive-is-it"),
        ("Δ̂ at ε = 1, γ ± 0.05", "delta-at-epsilon-1-gamma-plus-minus-0-05"),
        ("../../etc/passwd\x00", "etc-passwd"),
        ("Größe", "groe"),
        ("日本語", ""),
        ("a" * 100, "a" * 60),
        ("- x -", "x"),
    ],
)
def test_the_name_of_a_file(words: str, name: str) -> None:
    assert ascii_name(words) == name
    picture = Picture(words, badges.SIMULATED)
    assert picture.name == (name or "chart")
    assert re.fullmatch(r"[a-z0-9-]+", picture.name)
    assert Picture(words, badges.PRIVATE, file="private answer").name == "private-answer"


@pytest.mark.parametrize("words", ["*a* [b](http://c.d) :red[e]", "x_y_ _z", "1. one", "a -> b & c", r"back\slash"])
def test_words_are_plain_again_without_marks(words: str) -> None:
    assert unmarked(f"**{escaped(words)}** and more") == f"{words} and more"
