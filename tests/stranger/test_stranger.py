"""Who adds one file finds its kind everywhere: each test copies the tree, writes the file, and walks the copy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.stranger.tree import copy, run


def _contracts(tree: Path, name: str, *paths: str) -> int:
    """How many contract tests speak of the kind; all of them have passed."""
    said = run(tree, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", name, *paths)
    return int(said.strip().splitlines()[-1].split(" passed")[0].split()[-1]) if " passed" in said else said.count(".")


@pytest.mark.parametrize(
    ("room", "name", "kind", "contracts", "least"),
    [
        ("targets", "trimmed_mean", "TrimmedMean", "test_targets.py", 5),
        ("oracles", "weibull", "Weibull", "test_oracles.py", 10),
        ("curves", "heat", "Heat", "test_curves.py", 5),
        ("mechanisms", "discrete_laplace", "DiscreteLaplace", "test_mechanisms.py", 5),
    ],
)
def test_one_file_is_enough(tmp_path: Path, room: str, name: str, kind: str, contracts: str, least: int) -> None:
    tree = copy(tmp_path, **{room: name})
    walk = f"tests.stranger.walk_{room.removesuffix('s')}"
    assert "walked" in run(tree, "-m", walk).splitlines()
    assert _contracts(tree, kind, f"tests/contracts/{contracts}", "tests/dpcore/registry") >= least


BROKEN = {
    "dpcore/targets/trimmed.py": "def f(:\n",
    "dpcore/oracles/far.py": "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass Far: ...\n",
    "pages/broken.py": "import no_such_library\n",
    "pages/empty.py": "",
}


def test_files_that_are_broken_leave_the_rest_of_the_app_as_it_was(tmp_path: Path) -> None:
    tree = copy(tmp_path)
    for file, source in BROKEN.items():
        (tree / file).write_text(source)
    assert "walked" in run(tree, "-m", "tests.stranger.walk_broken").splitlines()
