"""The pages: each entry of the list imports, and is reached by its name in the address."""

from __future__ import annotations

import pytest

from pages.server.page_list import PAGES, link_to, pages
from tests.pages.visit import visit


def test_the_first_is_explore_and_all_have_titles_of_their_own() -> None:
    assert next(iter(PAGES)) == "explore"
    titles = [page.TITLE for page in pages().values()]
    assert len(set(titles)) == len(titles) == len(PAGES)
    assert all(isinstance(title, str) and title for title in titles)


@pytest.mark.parametrize("name", PAGES)
def test_each_is_a_page_with_its_name_in_the_address(name: str) -> None:
    assert pages()[name].__name__ == PAGES[name]
    assert callable(pages()[name].show)
    assert link_to(name)
    assert {info["url_pathname"] for info in visit()._registered_pages.values()} == {"", *list(PAGES)[1:]}
