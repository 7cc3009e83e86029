"""A sample of the damaged files that are no text, and that the search would find what is wrong."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import TableError
from pages.files.parser_process import broken
from tests.fuzz import binary

ROOT = Path(__file__).parents[2]


def test_sixty_damaged_files_are_read_or_refused_in_a_short_sentence() -> None:
    """As the script does it: after a page was run, a process that is started from here would take that page for its own."""
    command = [sys.executable, "-m", "tests.fuzz.binary", "--seed", "20", "--count", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert "60 files, seed 20: 0 were not taken as they should be" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


def test_a_traceback_is_found_on_this_side_of_that_process_and_on_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def faulty(*_: Any, **__: Any) -> Any:
        raise KeyError

    def silent(*_: Any, **__: Any) -> Any:
        raise broken()

    monkeypatch.setattr(binary, "proposed", faulty)
    assert "KeyError" in binary.as_the_app([b"x"])[0][0]
    monkeypatch.setattr(binary, "proposed", silent)
    monkeypatch.setattr(binary, "_apart", lambda some: binary.complaints(some, faulty))
    assert "KeyError" in binary.as_the_app([b"x"])[0][0]
    monkeypatch.setattr(binary, "_apart", lambda _: None)
    assert binary.as_the_app([b"x"]) == ([], 1)


def test_the_same_seed_gives_the_same_files_and_another_seed_others() -> None:
    first, again, other = (list(binary.files(seed, 50)) for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("fault", [StopIteration, ValueError, KeyError])
def test_a_traceback_is_found(fault: type[Exception]) -> None:
    def faulty(_: bytes) -> Any:
        raise fault

    assert fault.__name__ in binary.complaints([b"x"], faulty)[0]


def test_a_refusal_that_fills_the_screen_is_found() -> None:
    def wordy(_: bytes) -> Any:
        raise TableError("x" * 1_000, "Do this.")

    assert len(binary.complaints([b"x", b"y"], wordy)) == 2
