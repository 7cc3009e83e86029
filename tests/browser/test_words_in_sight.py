"""How many words, controls, sizes of type and primary actions a page shows before anybody opens anything, and that each sentence
is short."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import final

import pytest
from playwright.sync_api import Page, expect

from tests.browser import in_sight, screen

pytestmark = pytest.mark.browser
_LONGEST = 25  # words of a sentence
_MOST_SIZES, _MOST_ACTIONS = 3, 1


@final
@dataclass(frozen=True)
class Budget:
    """How many ``words`` a page may show at 1280 pixels in its default state, without those that limit a guarantee; how many
    ``controls``, as it has now; the least number of words that limit one, and the ``sentence`` of these that must be there."""

    page: str
    words: int
    controls: int
    sentence: str


_BUDGETS = (
    Budget("", 160, 25, "That is no count of people, and a wrong oracle can leave out more."),
    Budget("people", 250, 33, "One person is protected, with all rows of that person"),
    Budget("release", 180, 24, "That is no count of people."),
    Budget("about", 350, 10, "Random DP is weaker."),
)


def _refuse_many_sizes_and_actions(page: Page) -> None:
    sizes = in_sight.sizes(page)
    assert 1 < len(sizes) <= _MOST_SIZES, sizes
    assert page.get_by_test_id("stBaseButton-primary").count() <= _MOST_ACTIONS


@pytest.mark.parametrize("path", ["learn", "your_data"])
def test_a_page_has_three_sizes_of_type_and_one_primary_action(open_page: Callable[..., Page], path: str) -> None:
    page = open_page(f"/{path}")
    expect(page.get_by_role("heading", level=1).first).to_be_visible()
    screen.settle(page)
    _refuse_many_sizes_and_actions(page)


@pytest.mark.parametrize("budget", _BUDGETS, ids=lambda budget: budget.page or "explore")
def test_a_page_shows_few_words_in_three_sizes_and_short_sentences(open_page: Callable[..., Page], budget: Budget) -> None:
    page = open_page(f"/{budget.page}")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    screen.settle(page)
    _refuse_many_sizes_and_actions(page)
    seen = in_sight.read(page)
    assert seen.words <= budget.words, seen.blocks
    assert seen.words > budget.words / 3, seen.blocks  # else the page was not read
    assert seen.controls <= budget.controls
    assert [sentence for sentence in seen.sentences if in_sight.words_of(sentence) > _LONGEST] == []
    assert any(budget.sentence in limit for limit in seen.limits), seen.limits


def test_words_are_counted_that_are_drawn_and_no_others(page: Page) -> None:
    page.set_content("""
      <main data-testid="stMain">
        <p>Two <b>words</b></p>
        <p style="visibility: hidden">unseen</p>
        <details><summary>Opens</summary><p>folded away</p></details>
        <div style="height: 0; overflow: hidden"><p>clipped</p></div>
        <div class="st-key-limits_one"><p>None is promised.</p></div>
        <svg width="200" height="60"><text x="9" y="20">12.5k</text><text x="9" y="50">error</text></svg>
        <input role="combobox" value="A long value"><button>Press</button><a href="#x">Go</a><button hidden>No</button>
        <div id="shadow"></div>
      </main>""")
    page.evaluate(
        "document.getElementById('shadow').attachShadow({ mode: 'open' }).innerHTML = '<p>In a shadow. A second one</p>'"
    )
    seen = in_sight.read(page)
    assert sorted(seen.blocks) == ["A long value", "Go", "In a shadow. A second one", "Opens", "Press", "Two words", "error"]
    assert seen.limits == ("None is promised.",)
    assert (seen.words, seen.controls) == (15, 4)
    assert [one for one in seen.sentences if one in ("In a shadow.", "A second one")] == ["In a shadow.", "A second one"]
