"""The guard of slow tests finds one that is not marked, and the marks say which tests run when."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import slowness
from tests.slowness import checks

ROOT = Path(__file__).parents[1]
_LIMIT = 0.5  # of the tests below, which take clearly more, or wait for as long
_TESTS = f"""
import time
import pytest
from tests import slowness

slowness.MOST_SECONDS = {_LIMIT}

def work():
    end = time.process_time() + {2 * _LIMIT}
    while time.process_time() < end:
        pass

def test_long():
    work()

@pytest.mark.slow
def test_long_and_marked():
    work()

def test_short():
    time.sleep({2 * _LIMIT})

made = []

def test_that_fills_a_cache(tmp_path):
    if not made:
        work()
        made.append(1)

@pytest.mark.browser
def test_of_a_page(): ...

@pytest.mark.browser
@pytest.mark.journey
def test_a_journey():
    work()
"""


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("slowness") / "test_some.py"
    path.write_text(_TESTS)
    return path


def _run(file: Path, *options: str) -> dict[str, str]:
    """What became of each test, by its name."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "tests.slowness",
        "-p",
        "no:cacheprovider",
        "-c",
        str(ROOT / "pyproject.toml"),
        "--rootdir",
        str(file.parent),
        "-o",
        "addopts=",
        "-v",
        *options,
        str(file),
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    lines = [line.split() for line in done.stdout.splitlines() if "::test_" in line and "%]" in line]
    return {words[0].rpartition("::")[2]: words[1] for words in lines}


@pytest.mark.slow
def test_a_long_test_without_a_mark_fails(file: Path) -> None:
    assert _run(file, "-m", "not slow") == {
        "test_long": "FAILED",
        "test_short": "PASSED",
        "test_that_fills_a_cache": "PASSED",
        "test_a_journey": "PASSED",
    }


@pytest.mark.slow
def test_what_is_marked_is_left_to_the_slow_ones(file: Path) -> None:
    """And by itself, as somebody's own target is tried, it may take its time."""
    assert _run(file, "-m", "slow") == {"test_long_and_marked": "PASSED", "test_of_a_page": "PASSED"}
    assert set(_run(file).values()) == {"PASSED"}


def test_what_is_checked_beside_a_test_counts_once() -> None:
    def burn() -> None:
        end = time.process_time() + 0.05
        while time.process_time() < end:
            pass

    before = slowness._checks[0]
    with checks():
        burn()
        with checks():
            burn()
    assert 0.08 < slowness._checks[0] - before < 0.16  # the clock of all processes ticks in hundredths
