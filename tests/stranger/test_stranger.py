"""Who adds one file finds its kind everywhere: each test copies the tree, writes the file, and walks the copy."""

from __future__ import annotations

from pathlib import Path

from tests.stranger.tree import copy, run

ADDED = {
    "targets": ("trimmed_mean", "TrimmedMean", 5),
    "oracles": ("weibull", "Weibull", 10),
    "curves": ("heat", "Heat", 5),
    "mechanisms": ("discrete_laplace", "DiscreteLaplace", 5),
}  # the room, the file, its kind, and how many contract tests speak of it at least


def test_one_file_is_enough_in_each_room(tmp_path: Path) -> None:
    tree = copy(tmp_path, **{room: name for room, (name, _, _) in ADDED.items()})
    walked = run(tree, "-m", "tests.stranger.walk").splitlines()
    assert {f"walked {room}" for room in ADDED} <= set(walked)
    kinds = " or ".join(kind for _, kind, _ in ADDED.values())
    files = [f"tests/contracts/test_{room}.py" for room in ADDED]
    said = run(tree, "-m", "pytest", "-vv", "-p", "no:cacheprovider", "-k", kinds, *files, "tests/dpcore/registry").splitlines()
    for room, (_, kind, least) in ADDED.items():
        passed = [line for line in said if "PASSED" in line and f"test_{room}.py" in line and kind in line]
        assert len(passed) >= least, kind


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
