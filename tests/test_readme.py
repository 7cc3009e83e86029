"""Code and commands of the README and the guides run, and print what they say."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
_BLOCK = re.compile(r"```python\n((?:(?!```).)*)```(?:\n\n```\n(.*?)```)?", re.DOTALL)


@pytest.mark.parametrize(("name", "outputs"), [("README.md", 2), ("docs/library.md", 9)])
def test_code_of_document_prints_stated_output(name: str, outputs: int) -> None:
    blocks = _BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))
    stated = [output for _, output in blocks if output]
    printed = subprocess.check_output(
        [sys.executable, "-W", "error", "-c", "".join(code for code, _ in blocks)], text=True, cwd=ROOT
    )
    assert len(stated) == outputs
    assert printed == "".join(stated)


def test_readme_first_commands_are_make_targets() -> None:
    first = re.search(r"```sh\n(.*?)```", README, re.DOTALL)
    assert first is not None
    assert [line.split("#")[0].strip() for line in first[1].splitlines()] == ["make app", "make test"]
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"app", "test", "check", "bench"} <= targets


def test_continuous_integration_calls_the_test_command() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text().splitlines()


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "SECURITY.md"])
def test_links_of_top_documents_lead_to_files(name: str) -> None:
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", (ROOT / name).read_text(encoding="utf-8")):
        assert (ROOT / target.partition("#")[0]).is_file(), target


@pytest.mark.parametrize("name", ["trimmed_mean", "weibull"])
def test_contributing_shows_the_members_that_tests_add(name: str) -> None:
    """tests/stranger writes these files into a copy of the tree and walks the app with them."""
    shown = (ROOT / "tests" / "stranger" / "files" / f"{name}.py").read_text(encoding="utf-8")
    assert f"```python\n{shown}```" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
