"""Sentences that limit a guarantee are visible on a page before anything is opened."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser import screen


def test_sentences_that_limit_a_guarantee_are_visible(open_page: Callable[..., Page]) -> None:
    page = open_page("/")
    expect(page.get_by_text("if the oracle is wrong, more changes may be unprotected.").first).to_be_visible()
    for title, sentence in (
        ("People", "One person is protected, with all rows of that person"),
        ("Release", "This holds for every change of a person, however unusual."),
        ("About", "unusual rows can be unprotected"),
    ):
        screen.go(page, title)
        expect(page.get_by_text(sentence).first).to_be_visible()
    screen.go(page, "Release")
    screen.choose(page, "sampled: random DP, a weaker guarantee")
    expect(page.get_by_text("if the oracle is wrong, more changes may be unprotected.").first).to_be_visible()
    expect(page.get_by_text("which is weaker than differential privacy").first).to_be_visible()
