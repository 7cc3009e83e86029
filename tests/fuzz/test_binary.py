"""Damaged binary files are read or refused in a sentence, and the search finds faults."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from dpcore.errors import TableError
from tests.fuzz import binary

ROOT = Path(__file__).parents[2]


def test_sixty_damaged_files_are_read_or_refused() -> None:
    """By the script: a process that is spawned here after a test of a page would run that page."""
    command = [sys.executable, "-m", "tests.fuzz.binary", "--seed", "20", "--count", "60"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert "60 files, seed 20: 0 complaints" in done.stdout, done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("fault", [StopIteration, ValueError, KeyError])
def test_a_traceback_is_found(fault: type[Exception]) -> None:
    def faulty(_: bytes) -> Any:
        raise fault

    assert fault.__name__ in binary.complaints([b"x"], faulty)[0]


def test_a_refusal_that_fills_the_screen_is_found() -> None:
    def wordy(_: bytes) -> Any:
        raise TableError("x" * 1_000, "Do this.")

    assert len(binary.complaints([b"x", b"y"], wordy)) == 2
