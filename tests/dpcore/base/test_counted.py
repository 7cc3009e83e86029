"""One record, and not 1 records, wherever something is counted."""

from __future__ import annotations

import re

import numpy as np
import pytest

from dpcore.answers.numbers import Numbers
from dpcore.base.counted import counted
from dpcore.targets import Count
from pages.wording.sentences import setting_words
from tests.pages.visit import go, pick, press, text, visit


@pytest.mark.parametrize(
    ("number", "after", "said"),
    [
        ("1", " rows", "1 row"),
        ("2", " rows", "2 rows"),
        ("0", " rows", "0 rows"),
        ("± 1", " ranks", "± 1 rank"),
        ("1.5", " rows", "1.5 rows"),
        ("11", " trials", "11 trials"),
        ("1", " years", "1 year"),
        ("1", " €", "1 €"),
        ("1", "", "1"),
    ],
)
def test_one_of_what_is_counted_stands_alone(number: str, after: str, said: str) -> None:
    assert counted(number, after) == said


def test_an_answer_of_one_record_and_a_setting_of_one_trial_are_in_the_singular() -> None:
    assert Numbers(("a", "b"), "rows").parts(np.array([1.0, 2.0])) == (("a", "1 row"), ("b", "2 rows"))
    assert setting_words("m", 1, ()) == "1 trial"


def test_the_worst_case_of_a_count_is_one_record_on_explore_and_on_release() -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", Count.__name__)
    assert "at most 1 row," in text(app)
    assert "The proved worst case, 1 row, sizes the noise" in text(press(go(app, "release"), "release"))
    assert not re.search(r"(?<![\d.,])1 rows", text(app))
