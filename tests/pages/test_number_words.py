"""One of a thing is one record, one trial, one year: on pages at settings that give 1, and in what lessons say of figures."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from dpcore.base.counted import _ONE, counted
from pages.lessons import neighbours
from tests.pages.visit import confidential, everything, go, link, press, released, text, upload, visit

_SEVERAL = re.compile(rf"(?<![\d.,·−/-])1\u00a0?\s?({'|'.join(sorted(_ONE, key=len, reverse=True))})\b")


def _wrong(said: str) -> list[str]:
    """Where a 1 stands before several, with what stands around it."""
    return [said[max(0, found.start() - 40) : found.end() + 20] for found in _SEVERAL.finditer(said)]


def test_one_is_singular_and_more_are_not() -> None:
    assert (counted("1", " years"), counted("± 1", " ranks"), counted("1.5", " years")) == ("1 year", "± 1 rank", "1.5 years")
    assert (counted(1, " people"), counted(1_200, " people"), counted("1", " €")) == ("1 person", "1,200 people", "1 €")
    assert _wrong("at most 1 years.") == ["at most 1 years."]
    assert _wrong("101 years, 1.1 years, 1 year, 2 trials") == []


@pytest.mark.parametrize("page", ["", "release"])
def test_a_page_of_one_trial_says_so(page: str) -> None:
    app = link(page, m=1, gamma=0.9)
    assert _wrong(everything(app)) == []


def test_a_release_of_one_trial_and_a_list_of_one_question_say_so() -> None:
    app = released(link("release", m=1, gamma=0.9))
    assert _wrong(everything(app)) == []
    assert _wrong(everything(press(go(visit(), "release"), "list_begin"))) == []


@pytest.mark.slow
def test_people_who_count_for_one_row_and_a_table_of_one_record_say_so() -> None:
    app = go(visit(), "people")
    app.session_state["scenario"] = _of_one_row(app.session_state["scenario"])
    assert _wrong(text(app.run())) == []
    assert _wrong(text(upload(visit(), "one.csv", b"income\n3\n"))) == []
    assert _wrong(everything(confidential(b"income\n" + b"3\n" * 9, 0, 1))) == []


def _of_one_row(scenario: Any) -> Any:
    from dataclasses import replace

    return scenario.with_(target=replace(scenario.target, rows=1))


def test_a_lesson_says_one_year() -> None:
    moved = np.array([0.25, 1.0])
    _, said = neighbours._by_hand((moved, moved))
    assert "by at most 1 year." in said
