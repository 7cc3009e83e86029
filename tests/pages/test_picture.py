"""A picture of each chart to take along: what it says of where it came from, and what its file is called."""

from __future__ import annotations

import re
from xml.etree.ElementTree import fromstring

import pytest

from pages.old.shared import badges
from pages.old.shared.escape import escaped, unmarked
from pages.old.shared.picture import Picture, ascii_name
from tests.pages.visit import confidential, opened, visit

CSV = ("income\n" + "\n".join(f"{6543.2731 + 60 * i:.4f}" for i in range(60))).encode()
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
