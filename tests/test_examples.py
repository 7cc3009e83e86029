"""The diffpriv paper's examples run as they are, in twenty lines each, and say what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SAYS = {
    "kernel_regression": ["RMS) from the exact one", "Random DP, ε = 5, γ = 0.2:"],
    "most_frequent_letter": ["The private most frequent letter: ", "The non-private one: e", "Random DP, ε = 1, γ = 0.1:"],
    "private_mean": ["Pure DP, ε = 1:", "Random DP, ε = 1, γ = 0.05:", "is the non-private mean."],
}


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_an_example_runs_and_prints_its_guarantee(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= 20
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
    for words in SAYS[file.stem]:
        assert words in run.stdout


def test_each_example_has_its_words() -> None:
    assert {file.stem for file in EXAMPLES} == set(SAYS)
