"""No message of a browser clears the books of other browsers, and a used book is dropped only if its user is told."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import streamlit as st

from dpcore.guarantees.privacy import PureDP
from pages.experiment.scenario import Noise
from pages.ledger import session as ledger
from pages.ledger.book import Account, Book, Books
from pages.server.pool import pool
from tests.pages.visit import confidential, go, offered_noise, released, sound, text, visit

USES: dict[str, Callable[[Book], None]] = {
    "click": lambda book: setattr(book, "begun", True),
    "budget": lambda book: book.accounts.update(table=Account(budget=PureDP(1.0))),
    "upload": lambda book: book.titles.update(name="mine.csv"),
    "loss": lambda book: setattr(book, "lost", True),
}


def _use(books: Books, browser_name: str) -> Book:
    book = books.get(browser_name)
    book.begun = True
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
    books = Books(most=2)
    book = books.get("mine")
    USES[use](book)
    for number in range(3):
        books.get(f"visit {number}")
    assert books.get("mine") is book


def test_books_beyond_the_limit_drops_empty_ones_first() -> None:
    books = Books(most=2)
    used, empty = _use(books, "used"), books.get("empty")
    third = books.get("third")
    assert books.get("used") is used
    assert books.get("third") is third
    assert books.get("empty") is not empty


def test_books_beyond_the_limit_drops_the_least_recently_opened() -> None:
    books = Books(most=2)
    first, second = _use(books, "first"), _use(books, "second")
    books.get("first")
    _use(books, "third")
    assert books.get("first") is first
    assert books.get("second") is not second


def test_dropped_book_ends_sampled_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "BOOKS", Books(most=1))
    app = released(visit("release"))
    assert "private answer: may be published" in text(app)
    released(visit("release"))
    sound(app.run())
    assert "has forgotten them" in text(app)
    assert text(app).count("The server forgot earlier answers of this browser") == 2  # on the receipt, and under the ledger
    assert app.button(key="release").disabled


def test_session_is_told_of_new_books(new_server: Callable[[], None]) -> None:
    """As after a developer's file watcher imported the module again."""
    app = released(visit("release"))
    new_server()
    sound(app.run())
    assert "has forgotten them" in text(app)


def test_uploads_that_a_new_book_does_not_know_end_sampling(new_server: Callable[[], None]) -> None:
    """Otherwise the same file, uploaded again, would be another table with a first release of its own."""
    app = confidential(b"income\n" + b"".join(b"%d\n" % (i * i % 61) for i in range(40)), 0, 100)
    new_server()
    sound(go(app, "release"))
    assert "has forgotten them" in text(app)
    assert Noise.SAMPLED not in offered_noise(app)
