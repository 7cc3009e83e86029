"""What is taken away runs where ``pip install .`` was run, and nothing else is there: scripts and notebooks."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable
from importlib.metadata import requires
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient
from packaging.requirements import Requirement
from pages.reports.code.cells import Program
from pages.reports.code.script import notebook, script

from tests.code import taken

ROOT = Path(__file__).parents[2]
_CELLS = Path(__file__).parent / "cells.py"
_SORTS: dict[str, Callable[[], Program]] = {
    "explore": taken.of_explore,
    "confidential": taken.of_confidential,
    "list": taken.of_questions,
    "release": taken.of_a_release,
    "lesson": taken.of_a_lesson,
}
_LONGEST = 60.0  # seconds of a notebook


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment's, with dpcore and plotly as pip installs them, at the versions of requirements.txt."""
    tree, place = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("environment")
    shutil.copytree(ROOT / "dpcore", tree / "dpcore", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    uv, made = Path(sys.executable).with_name("uv"), place / "bin" / "python"
    _run(str(uv), "venv", "--quiet", "--clear", "--python", sys.executable, str(place))
    pins = str(ROOT / "requirements.txt")
    _run(str(uv), "pip", "install", "--quiet", "--python", str(made), "--constraints", pins, f"{tree}[plots]")
    return made


def _run(*command: str, cwd: Path | None = None) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout


def _needed(name: str, extra: str = "", found: frozenset[str] = frozenset()) -> frozenset[str]:
    """The distributions that pip installs with this one, by what each says that it requires."""
    for line in requires(name) or ():
        one = Requirement(line)
        if one.name.lower() not in found and (one.marker is None or one.marker.evaluate({"extra": extra})):
            found = _needed(one.name, ",".join(one.extras), found | {one.name.lower()})
    return found


def test_the_library_and_its_plots_need_nothing_of_the_app() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*declared["dependencies"], *declared["optional-dependencies"]["plots"]]
    needed = frozenset[str]().union(*({Requirement(line).name} | _needed(Requirement(line).name) for line in asked))
    assert {"numpy", "opendp", "plotly"} <= needed
    assert not needed & {"pandas", "scikit-learn", "streamlit", "nbformat"}
    assert {"pandas", "altair"} <= _needed("streamlit"), "what others need is seen"


@pytest.mark.slow
@pytest.mark.parametrize("sort", _SORTS)
def test_a_script_and_the_cells_of_a_notebook_run_there(sort: str, python: Path, tmp_path: Path) -> None:
    made = _SORTS[sort]()
    (tmp_path / "script.py").write_text(script(made), encoding="utf-8")
    (tmp_path / "taken.ipynb").write_text(notebook(made), encoding="utf-8")
    begun = time.monotonic()
    _run(str(python), "-W", "error", "script.py", cwd=tmp_path)
    figures = len(list(tmp_path.glob("figure_*.html")))
    assert figures == script(made).count(".write_html(")
    assert figures >= 1
    if sort in ("explore", "release"):  # a notebook's cells are the parts of the script
        said = _run(str(python), "-W", "error", str(_CELLS), "taken.ipynb", cwd=tmp_path)
        assert said.splitlines()[-1].endswith(f", figures {figures}")
    assert time.monotonic() - begun < _LONGEST


@pytest.mark.slow
def test_a_notebook_runs_under_jupyter_within_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    book = nbformat.reads(notebook(taken.of_explore()), as_version=4)
    begun = time.monotonic()
    NotebookClient(book, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert time.monotonic() - begun < _LONGEST
    outputs = [one for cell in book.cells if cell.cell_type == "code" for one in cell.outputs]
    assert "Δ̂ =" in "".join(one.text for one in outputs if one.output_type == "stream")
    assert not [one for one in outputs if one.output_type == "error"]
