"""The README tells the truth: its code runs and prints what it says, and its commands exist."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_its_sentence_runs_and_prints_its_output_but_for_the_response() -> None:
    found = re.findall(r"```python\n((?:(?!```).)*)```\n\n```\n(.*?)```", README, re.DOTALL)
    assert len(found) == 5  # a release, one of blocks, any functions, several questions, and a question by group
    code, said = ("".join(parts) for parts in zip(*found, strict=True))
    printed = subprocess.check_output([sys.executable, "-W", "error", "-c", code], text=True, cwd=ROOT)
    assert len(printed.splitlines()) == 9
    assert _without_response(printed) == _without_response(said)
    assert re.search(r"^response: \[-?[0-9.e-]+\]$", printed, re.MULTILINE)


def test_its_first_two_commands_are_targets_of_the_makefile() -> None:
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first is not None
    commands = [line.split("#")[0].strip() for line in first[1].splitlines()]
    assert commands == ["make app", "make test"]
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"app", "test", "check", "bench"} <= targets


def test_the_continuous_integration_calls_the_test_command() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text().splitlines()


def test_its_picture_and_files_exist() -> None:
    for name in re.findall(r"\]\(([^)]+)\)", README):
        assert (ROOT / name.partition("#")[0]).is_file(), name


def _without_response(text: str) -> list[str]:
    return [line for line in text.strip().splitlines() if not line.startswith("response:")]


def test_the_target_that_is_shown_is_the_one_that_a_stranger_adds() -> None:
    """tests/stranger writes that file into a copy of the tree and walks the app with it."""
    shown = (ROOT / "tests" / "stranger" / "files" / "trimmed_mean.py").read_text(encoding="utf-8")
    assert f"```python\n{shown}```" in README
