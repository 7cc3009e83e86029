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
        ("oracles", "log_normal", "LogNormal", "test_oracles.py", 10),
        ("curves", "heat", "Heat", "test_curves.py", 5),
        ("mechanisms", "discrete_laplace", "DiscreteLaplace", "test_mechanisms.py", 5),
    ],
)
def test_one_file_is_enough(tmp_path: Path, room: str, name: str, kind: str, contracts: str, least: int) -> None:
    tree = copy(tmp_path, **{room: name})
    walk = f"tests.stranger.walk_{room.removesuffix('s')}"
    assert run(tree, "-m", walk).endswith("walked\n")
    assert _contracts(tree, kind, f"tests/contracts/{contracts}", "tests/dpcore/registry") >= least
