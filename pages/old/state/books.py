"""The books of all tabs, in an object of this module: any browser can clear Streamlit's caches with one message."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import final

from pages.old.state.book import Book

_MOST_EMPTY, _MOST_USED = 1_000, 10_000
_MARKS = 2**23


@final
class Books:
    """The book of each tab, by the tab's name.

    A book is used if it holds anything, otherwise empty. Memory is bounded by these rules:

    - At most ``most_empty`` empty books are kept (2 kB each). Beyond that the least recently opened one is dropped. Its tab loses
      nothing.
    - At most ``most_used`` used books are kept (about 10 kB for each answer). Beyond that the least recently opened one is
      dropped and its tab's name is marked. The tab's next book begins as ``lost``: the tab is told that its answers were
      forgotten, and noise is no longer sized by trials for it.
    - Marks take 8 MB and are never removed. Names can share a mark, so a tab may be told without need (1% of new tabs after
      84,000 dropped books). A tab whose used book was dropped is always told.
    """

    def __init__(self, most_empty: int = _MOST_EMPTY, most_used: int = _MOST_USED) -> None:
        self._most_empty, self._most_used = most_empty, most_used
        self._lock = threading.Lock()
        self._empty: OrderedDict[str, Book] = OrderedDict()  # least recently opened first; used since then is possible
        self._used: OrderedDict[str, Book] = OrderedDict()
        self._marks = bytearray(_MARKS)

    def get(self, tab_name: str) -> Book:
        """Return the tab's book, or a new one if there is none."""
        with self._lock:
            book = self._used.pop(tab_name, None) or self._empty.pop(tab_name, None)
            if book is None:
                book = Book(lost=bool(self._marks[_mark(tab_name)]))
            (self._empty if _is_empty(book) else self._used)[tab_name] = book
            self._drop_beyond_limits()
            return book

    def _drop_beyond_limits(self) -> None:
        while len(self._empty) > self._most_empty:
            tab_name, book = self._empty.popitem(last=False)
            if not _is_empty(book):
                self._used[tab_name] = book
        while len(self._used) > self._most_used:
            tab_name, _ = self._used.popitem(last=False)
            self._marks[_mark(tab_name)] = 1


def _is_empty(book: Book) -> bool:
    """Return whether no field of the book holds anything. A new field of ``Book`` counts too."""
    return not any(value for name, value in vars(book).items() if name != "lock")


def _mark(tab_name: str) -> int:
    return hash(tab_name) % _MARKS


BOOKS = Books()
