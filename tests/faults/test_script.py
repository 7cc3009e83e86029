"""The script runs: its quickest fault is injected, in time, and told."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PATIENCE = 60  # seconds, on a busy machine


@pytest.mark.browser
def test_the_script_injects_its_quickest_fault() -> None:
    command = [sys.executable, "-m", "tests.faults", "--seed", "2", "--only", "connection_cut_during_an_upload"]
    done = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, timeout=_PATIENCE, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "the next file was read" in done.stdout
    assert "1 injected, seed 2" in done.stdout
