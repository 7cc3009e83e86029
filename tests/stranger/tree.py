"""A copy of the tree with one more file in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "files"
_TREE = ("app.py", "pyproject.toml", "data", "dpcore", "pages", "tests")


def copy(to: Path, **added: str) -> Path:
    """The tree, with ``files/<name>.py`` in each room that is named."""
    to.mkdir(parents=True, exist_ok=True)
    for name in _TREE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, to / name, ignore=shutil.ignore_patterns("stranger"))  # with what Python compiled
        else:
            shutil.copy(ROOT / name, to / name)
    shutil.copytree(Path(__file__).parent, to / "tests" / "stranger", ignore=shutil.ignore_patterns("__pycache__", "files"))
    for room, name in added.items():
        shutil.copy(FILES / f"{name}.py", to / "dpcore" / room / f"{name}.py")
        listed(to, room, name, "".join(map(str.capitalize, name.split("_"))))
    return to


def listed(tree: Path, room: str, file: str, kind: str) -> None:
    """List a class of a new file in its package."""
    with (tree / "dpcore" / room / "__init__.py").open("a") as listing:
        listing.write(f'\nfrom dpcore.{room}.{file} import {kind}\n\n__all__ += ["{kind}"]\n')


def run(tree: Path, *arguments: str) -> str:
    """What a Python program says that is run in the copy; it imports the copy's own dpcore."""
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=tree, env=environment, capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout
