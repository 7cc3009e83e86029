"""Damaged CSV files are read or refused in a sentence, and the search finds faults."""

from __future__ import annotations

import pytest

from dpcore.errors import TableError
from pages.files import text_file
from pages.files.text_detection import detect
from tests.fuzz import csv


def test_sixty_damaged_files_are_read_or_refused() -> None:
    assert csv.fuzz(seed=20, count=60) == []


def test_arrow_and_the_csv_module_read_the_same_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    some = [content.replace(b'"', b"") for content in csv.files(seed=5, count=60)]
    first = [_cells(content) for content in some]
    assert sum(isinstance(one, dict) for one in first) > 20
    monkeypatch.setattr(text_file, "_by_arrow", lambda *_: None)
    assert [_cells(content) for content in some] == first


def _cells(content: bytes) -> dict[str, list[str]] | str:
    try:
        cells = text_file.read_cells(content, detect(content)[0])
    except TableError as error:
        return str(error)
    return {name: column.to_pylist() for name, column in cells.columns.items()}


@pytest.mark.parametrize("fault", [StopIteration, MemoryError, ValueError])
def test_a_traceback_is_found(fault: type[Exception], monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(csv, "read_csv", faulty)
    assert fault.__name__ in csv.fuzz(seed=1, count=1)[0][1]


def test_a_refusal_that_fills_the_screen_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def wordy(*_: object, **__: object) -> None:
        raise TableError("x" * 1_000, "Do this.")

    monkeypatch.setattr(csv, "read_csv", wordy)
    assert len(csv.fuzz(seed=1, count=2)) == 2
