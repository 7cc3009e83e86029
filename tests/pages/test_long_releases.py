"""A press whose draws take long: one release, charged whatever comes of it, in the book that the browser has."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from dpcore.guarantees.privacy import RandomDP
from dpcore.ledger.accounting import Event
from pages.experiment import cost
from pages.files.tables import Column, Table
from pages.ledger.book import Account, Book
from pages.ledger.long_release import Drawing
from pages.ledger.press import press
from tests.pages.pressed import account, of_one
from tests.pages.test_long_release import LONG, PATIENCE, N, at_once, make, until

DIGEST = "0d"
TABLE = Table("t.csv", (Column("x", bounds=(0, 1)),), {"x": np.linspace(0, 1, N)}, public=False, digest=DIGEST)


@pytest.fixture(autouse=True)
def nothing_is_quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a few pairs of the slow target would be drawn within the press."""
    monkeypatch.setattr(cost, "QUICK", 0.0)


@pytest.fixture
def threads() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(2) as pool:
        yield pool


def _press(book: Book, executor: Executor, ticket: str = "one", **changes: object) -> None:
    press(book, of_one(ticket, make(**changes), TABLE, worst_case=False), executor)


def _events(book: Book) -> list[Event]:
    return [line.event for line in book.ledger(TABLE).lines]


def test_press_while_drawing_is_no_second_release(threads: ThreadPoolExecutor) -> None:
    book = Book()
    tickets = iter(["one", "two"] * 6)
    at_once(lambda: _press(book, threads, next(tickets)))
    drawing = book.drawing
    assert drawing is not None
    _press(book, threads, "two")
    _press(book, threads, "one")
    assert book.drawing is drawing
    assert len(book.spent) == 1
    until(lambda: not drawing.open)
    _press(book, threads, next(iter(book.spent)))
    assert len(book.entries) == 1
    assert book.entries[0].release is not None
    assert _events(book) == [Event.RELEASE]


def test_cancelled_draws_are_charged_gamma_only(threads: ThreadPoolExecutor) -> None:
    book = Book()
    for ticket in ("one", "two"):
        _press(book, threads, ticket, m=LONG)
        assert book.drawing is not None
        assert _events(book) == [Event.DRAWS] * (ticket == "two")
        book.drawing.cancel()
        assert book.drawing.job.wait(PATIENCE)
    assert [(entry.release, "charged" in entry.problem) for entry in book.entries] == [(None, True)] * 2
    ledger = account(book, DIGEST).ledger
    assert [(line.epsilon, line.delta, line.gamma) for line in ledger.lines] == [(0.0, 0.0, 0.05)] * 2
    assert ledger.total() == RandomDP(0.0, 0.0, 0.1)  # nothing is shared: a draw that was cancelled costs each time
    assert not ledger.sampling_ended_by  # nobody saw them


def test_complete_draws_end_sampling_though_cancelled(threads: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cancel can come after the last draw, and before the answer."""
    book, decide = Book(), Drawing._finish

    def late(drawing: Drawing, job: Any) -> None:
        drawing._to_cancel = True
        decide(drawing, job)

    monkeypatch.setattr(Drawing, "_finish", late)
    _press(book, threads, m=19)
    until(lambda: book.drawing is not None and not book.drawing.open)
    (entry,) = book.entries
    assert entry.release is None
    assert book.ledger(TABLE).sampling_ended_by == "draws for a release that were seen"
    assert "has no guarantee" in press(book, of_one("two", make(m=19), TABLE, worst_case=False), threads)


def test_budget_without_room_draws_nothing(threads: ThreadPoolExecutor) -> None:
    book = Book(accounts={DIGEST: Account(budget=RandomDP(1.0, 0.0, 0.05))})
    _press(book, threads, epsilon=1.5)
    assert (book.drawing, book.entries, book.spent) == (None, [], set())
    _press(book, threads, m=LONG)
    assert book.drawing is not None
    book.drawing.cancel()
    assert book.drawing.job.wait(PATIENCE)
    cancelled = book.drawing
    _press(book, threads, "two")  # the γ of the draws that were cancelled is spent
    assert book.drawing is cancelled
    assert len(book.entries) == 1


def test_press_and_cancel_at_once_keep_every_line(threads: ThreadPoolExecutor) -> None:
    for turn in range(12):
        book = Book()
        _press(book, threads, "a", m=19)
        drawing = book.drawing
        assert drawing is not None
        moves: list[Callable[[], None]] = [
            drawing.cancel if turn % 2 else drawing.go_on,
            lambda book=book: _press(book, threads, "b", m=19),
        ]
        presses = iter(moves)
        at_once(lambda presses=presses: next(presses)(), len(moves))
        until(lambda book=book: book.drawing is not None and not book.drawing.open)
        tickets = [entry.ticket for entry in book.entries]
        assert tickets in (["a"], ["a", "b"])
        assert len(tickets) == len(_events(book))
        assert _events(book).count(Event.RELEASE) <= 1
