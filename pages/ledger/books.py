"""The books of all browsers, in an object of this module: any browser can clear Streamlit's caches with one message."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import final

from pages.ledger.book import Book

_MOST_EMPTY, _MOST_USED = 1_000, 10_000
_MARKS = 2**23


@final
class Books:
    """The book of each browser, by the browser's name.

    A book is used if it holds anything, otherwise empty. Memory is bounded by these rules:

    - At most ``most_empty`` empty books are kept (2 kB each). Beyond that the least recently opened one is dropped. Its browser
      loses nothing.
    - At most ``most_used`` used books are kept (about 10 kB for each answer). Beyond that the least recently opened one is
      dropped and its browser's name is marked. The browser's next book begins as ``lost``: its user is told that answers were
      forgotten, and noise is no longer sized by trials there.
    - Marks take 8 MB and are never removed. Names can share a mark, so a user may be told without need (1% of new browsers after
      84,000 dropped books). The user of a used book that was dropped is always told.
    """

    def __init__(self, most_empty: int = _MOST_EMPTY, most_used: int = _MOST_USED) -> None:
        self._most_empty, self._most_used = most_empty, most_used
        self._lock = threading.Lock()
        self._empty: OrderedDict[str, Book] = OrderedDict()  # least recently opened first; used since then is possible
        self._used: OrderedDict[str, Book] = OrderedDict()
        self._marks = bytearray(_MARKS)

    def get(self, browser_name: str) -> Book:
        """Return the browser's book, or a new one if there is none."""
        with self._lock:
            book = self._used.pop(browser_name, None) or self._empty.pop(browser_name, None)
            if book is None:
                book = Book(lost=bool(self._marks[_mark(browser_name)]))
            (self._empty if _is_empty(book) else self._used)[browser_name] = book
            self._drop_beyond_limits()
            return book

    def _drop_beyond_limits(self) -> None:
        while len(self._empty) > self._most_empty:
            browser_name, book = self._empty.popitem(last=False)
            if not _is_empty(book):
                self._used[browser_name] = book
        while len(self._used) > self._most_used:
            browser_name, _ = self._used.popitem(last=False)
            self._marks[_mark(browser_name)] = 1


def _is_empty(book: Book) -> bool:
    """Return whether no field of the book holds anything. A new field of ``Book`` counts too."""
    return not any(value for name, value in vars(book).items() if name != "lock")


def _mark(browser_name: str) -> int:
    return hash(browser_name) % _MARKS


BOOKS = Books()
