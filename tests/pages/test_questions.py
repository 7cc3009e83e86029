"""What docs/questions.md asks of a fresh reader stands on the screens of the example, where it says so."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from tests.pages.visit import charts, opened, press, text, visit

QUESTIONS = (Path(__file__).parents[2] / "docs" / "questions.md").read_text(encoding="utf-8")
EXPLORE = {
    1: ("Mean of Time to default: 95 times in 100 answers lie within ± 0.0195 years (about 7 days) of the one without noise",),
    2: ("**Protected**: whoever guesses from the answer which of two rows was in the table is right at most 74 times in 100",),
    4: ("**Not protected**: of random changes, up to 1 in 20", "as where Time to default changes by more than 3.26 years"),
    9: ("a wrong oracle can leave out more.",),
    10: ("public draws: may be published", "public table, simulated noise: may be published"),
    12: ("Without public bounds there is no finite worst case.",),
}
WHY = {
    6: ("**Why so few trials?**", "19 trials are enough for γ = 0.05", "once in 20 times at most"),
    8: ("The oracle makes up the tables of the trials, so it sizes the noise. The answer itself never comes from it.",),
    9: ("Where real rows move the answer further", "the noise is larger than it had to be"),
}
RECEIPT = {
    1: ("You ask for the mean of Time to default.",),
    2: ("right at most 74 times in 100",),
    5: ("That is no count of people.",),
    9: ("Where real rows move the answer further than the oracle's do, more than γ can be left out.",),
    10: ("You may publish the answer together with this guarantee.",),
    13: ("One loan (one row) is protected.", "up to 1 in 20 of changes of a row"),
}


def _has(app: Any, sentences: dict[int, tuple[str, ...]]) -> None:
    said = text(app)
    assert {number: part for number, parts in sentences.items() for part in parts if part not in said} == {}


def test_explore_answers_its_questions() -> None:
    app = visit()
    _has(app, EXPLORE)
    labels = {slider.label for slider in app.select_slider}
    assert "ε (more ε: less protection, more accuracy)" in labels  # 3
    assert "Share of changes not protected, γ (no count of people)" in labels  # 5
    for heading in ("How sensitive is it?", "How many trials do I need?", "What would be published?"):
        assert f"## {heading}" in text(app)


def test_which_bound_and_why_answers_its_questions() -> None:
    app = opened(visit(), "proof")
    _has(app, WHY)
    bounds = app.radio(key="bound").options  # 7
    assert [bound.partition(":")[0] for bound in bounds] == ["Rank", "Tolerance", "Time-uniform", "DKW"]
    assert all("Take it " in bound for bound in bounds)
    legend = [trace["name"] for trace in charts(app)["points"]["data"]]
    assert legend[:3] == ["DKW: the paper's", "rank: on average", "tolerance: this run"]


def test_the_receipt_answers_its_questions_and_the_response_says_that_it_may_be_shared() -> None:
    app = visit("release")
    _has(app, RECEIPT)
    said = text(press(app, "release"))
    assert "private answer: may be published under the printed guarantee" in said
    assert "Another one is refused now." in said  # question 11


@pytest.mark.parametrize("name", ["Explore", "Release", "About"])
def test_there_are_thirteen_questions_each_with_its_place(name: str) -> None:
    rows = re.findall(r"^\| (\d+) \| ([^|]+)\| ([^|]+)\| ([^|]+)\| ([^|]+)\|$", QUESTIONS, re.MULTILINE)
    assert [int(row[0]) for row in rows] == list(range(1, 14))
    assert any(name in row[4] for row in rows)


@pytest.mark.parametrize("gamma", [0.5, 0.3, 0.01])
def test_as_many_trials_as_are_called_enough_are(gamma: float) -> None:
    said = text(opened(visit(gamma=str(gamma), v="1"), "proof"))
    found = re.search(r"So ([\d,]+|one) trials? (?:are|is) enough for γ = [\d.]+: .*? once in ([\d,]+) times", said)
    assert found, said
    m = 1 if found[1] == "one" else int(found[1])
    assert 1 / int(found[2]) <= gamma < 1 / m
    assert int(found[2]) == m + 1
