"""The diffpriv paper's examples run as they are, in few lines, and print what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
WEAKER = "random DP: weaker than differential privacy"
SAYS = {  # most lines of code, and the printed text
    "kernel_regression": (20, ["RMS) from the exact one", "epsilon=5.0, delta=0.0, gamma=0.2", WEAKER]),
    "most_frequent_letter": (10, ["response:  ", "epsilon=1.0, delta=0.0, gamma=0.1", WEAKER]),
    "private_mean": (8, ["response:  [0.", "epsilon=1.0, delta=0.0, gamma=0.05", WEAKER]),
}


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_runs_and_prints_its_guarantee(file: Path) -> None:
    most, said = SAYS[file.stem]
    assert sum(map(bool, file.read_text(encoding="utf-8").splitlines())) <= most
    run = subprocess.run(
        [sys.executable, str(file)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
        cwd=ROOT.parent,
        env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )
    assert not run.stderr
    for words in said:
        assert words in run.stdout


def test_each_example_has_its_words() -> None:
    assert {file.stem for file in EXAMPLES} == set(SAYS)
