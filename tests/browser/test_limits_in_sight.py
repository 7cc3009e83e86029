"""Sentences that limit a guarantee are visible on a page before anything is opened."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

pytestmark = pytest.mark.browser


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("", "if the oracle is wrong, more changes may be unprotected."),
        ("people", "One person is protected, with all rows of that person"),
        ("release", "That is no count of people."),
        ("about", "Random DP is weaker."),
    ],
)
def test_sentence_that_limits_a_guarantee_is_visible(open_page: Callable[..., Page], path: str, sentence: str) -> None:
    page = open_page(f"/{path}")
    expect(page.get_by_text(sentence).first).to_be_visible()
