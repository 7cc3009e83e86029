"""No message of a browser clears the books of other browsers, and a used book is dropped only if its user is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import streamlit as st

from dpcore.guarantees.privacy import PureDP
from pages.ledger import session as ledger
from pages.ledger.book import Book, Books
from pages.server.pool import pool
from tests.pages.visit import released, sound, text, visit

USES: dict[str, Callable[[Book], None]] = {
    "answer": lambda book: book.spent.add("ticket"),
    "budget": lambda book: book.budgets.update(table=PureDP(1.0)),
    "loss": lambda book: setattr(book, "lost", True),
}


def _use(books: Books, browser_name: str) -> Book:
    book = books.get(browser_name)
    book.spent.add("ticket")
    return book


def _clear_caches() -> None:
    """What Streamlit does for the message clear_cache."""
    st.cache_data.clear()
    st.cache_resource.clear()


def test_clearing_the_caches_leaves_the_books() -> None:
    app = released(visit("release"))
    book = ledger.BOOKS.get(app.session_state["browser"])
    _clear_caches()
    assert ledger.BOOKS.get(app.session_state["browser"]) is book
    assert len(book.entries) == 1


def test_clearing_the_caches_leaves_the_workers() -> None:
    before = pool()
    _clear_caches()
    assert pool() is before


@pytest.mark.parametrize("use", USES)
def test_a_used_book_outlives_empty_ones(use: str) -> None:
    books = Books()
    book = books.get("mine")
    USES[use](book)
    for number in range(1_005):
        books.get(f"visit {number}")
    assert books.get("mine") is book


def test_empty_books_are_bounded_and_lose_nothing() -> None:
    books = Books(most_empty=2)
    first = books.get("first")
    for name in ("second", "third"):
        books.get(name)
    anew = books.get("first")
    assert anew is not first
    assert not anew.lost


def test_the_used_book_that_was_opened_longest_ago_is_dropped_and_its_next_one_is_lost() -> None:
    books = Books(most_used=2)
    first, second = _use(books, "first"), _use(books, "second")
    books.get("first")
    books.get("second")
    books.get("first")
    _use(books, "third")
    books.get("third")
    assert books.get("first") is first
    assert books.get("second") is not second
    assert books.get("second").lost
    assert not books.get("fourth").lost


def test_a_browser_whose_book_was_dropped_is_told_and_sampled_noise_has_no_guarantee(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "BOOKS", Books(most_used=1))
    app = released(visit("release"))
    assert "private answer: may be published" in text(app)
    released(visit("release"))
    sound(app.run())
    assert "has forgotten them" in text(app)
    assert text(app).count("The server forgot earlier answers of this browser") == 2  # on the receipt, and under the ledger
    assert app.button(key="release").disabled


def test_a_session_whose_server_has_new_books_is_told(new_server: Callable[[], None]) -> None:
    """As after a developer's file watcher imported the module again."""
    app = released(visit("release"))
    new_server()
    sound(app.run())
    assert "has forgotten them" in text(app)
