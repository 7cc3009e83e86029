"""A picture of a chart to take along: what its file is called."""

from __future__ import annotations

import re

import pytest

from pages.old.shared import badges
from pages.old.shared.escape import escaped, unmarked
from pages.old.shared.picture import Picture, ascii_name


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
