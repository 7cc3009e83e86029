"""What a page offers for download, which AppTest does not show."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any
from weakref import WeakSet

import pytest
import streamlit as st

from pages.ledger import session as ledger
from pages.ledger.book import Books
from pages.server import pool as pools
from pages.server import startup
from pages.server.jobs import Job
from tests.pages.visit import visit


@pytest.fixture(autouse=True, scope="session")
def _a_server_has_been_visited() -> None:
    """The first visit takes longer than all others, and is no test's own time."""
    visit()


@pytest.fixture(autouse=True)
def _nobody_waits_for_work_of_the_last_test(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """No session of a test is ever said to have ended, and what one began would have its turns beside the next one's draws."""
    begun = WeakSet[Job]()
    made = Job.__init__

    def noted(self: Job, *given: Any, **named: Any) -> None:
        begun.add(self)
        made(self, *given, **named)

    monkeypatch.setattr(Job, "__init__", noted)
    yield
    for work in begun:
        work.stop()


@pytest.fixture
def new_server(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """A call of it: the server knows no browser, has no workers, and has not finished its start. Afterwards all is as before."""

    def begin() -> None:
        monkeypatch.setattr(ledger, "BOOKS", Books())
        monkeypatch.setattr(pools, "_pool", None)
        monkeypatch.setattr(startup, "_unfinished", threading.Lock())

    return begin


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What the download buttons of the page would give: the button's key, and the file."""
    given: list[tuple[str, str]] = []
    button: Callable[..., bool] = st.download_button

    def recorded(label: str, data: Any, *rest: Any, **more: Any) -> bool:
        written = data() if callable(data) else data  # which is written once it is asked for
        given.append((str(more["key"]), written if isinstance(written, str) else written.decode("windows-1252", "replace")))
        return button(label, data, *rest, **more)

    monkeypatch.setattr(st, "download_button", recorded)
    return given


class _Mains(Sequence[str]):
    """Of the files those that tell of one release."""

    def __init__(self, files: list[tuple[str, str]]) -> None:
        self._files = files

    def _found(self) -> list[str]:
        return [data for key, data in self._files if key.startswith("download_")]

    def __getitem__(self, place: Any) -> Any:
        return self._found()[place]

    def __len__(self) -> int:
        return len(self._found())


@pytest.fixture
def downloads(files: list[tuple[str, str]]) -> Sequence[str]:
    """The JSON of releases."""
    return _Mains(files)
