"""A script runs where ``pip install .`` was run, and nothing else is there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
import tomllib
from importlib.metadata import requires
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat import reads
from packaging.requirements import Requirement

from pages.exports.script import notebook, script
from tests.pages.exports.shown import scenario, table

ROOT = Path(__file__).parents[2]
_LONGEST = 60.0  # seconds of a notebook


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment's, with dpcore as pip installs it, at the versions of requirements.txt."""
    tree, place = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("environment")
    shutil.copytree(ROOT / "dpcore", tree / "dpcore", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, tree)
    uv, made = Path(sys.executable).with_name("uv"), place / "bin" / "python"
    _run(str(uv), "venv", "--quiet", "--clear", "--python", sys.executable, str(place))
    pins = str(ROOT / "requirements.txt")
    _run(str(uv), "pip", "install", "--quiet", "--python", str(made), "--constraints", pins, str(tree))
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


def test_library_needs_no_package_of_app() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*declared["dependencies"], *declared["optional-dependencies"]["plots"]]
    needed = frozenset[str]().union(*({Requirement(line).name} | _needed(Requirement(line).name) for line in asked))
    assert {"numpy", "opendp", "plotly"} <= needed
    assert not needed & {"pandas", "scikit-learn", "streamlit"}
    assert {"pandas", "altair"} <= _needed("streamlit"), "what others need is seen"


def _code() -> str:
    of = scenario(table("loan_defaults"), "Mean", ("years_to_default",))
    return script(of, of.resolved_oracle(None), point=of.point, seed=of.seed)


def test_a_script_runs_there(python: Path, tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(_code(), encoding="utf-8")
    said = _run(str(python), "-W", "error", "script.py", cwd=tmp_path)
    assert said.startswith("k = 38 of m = 39\n")


def test_a_notebook_runs_under_jupyter_within_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("PYDEVD_DISABLE_FILE_VALIDATION", "1")
    book = reads(notebook(_code()), as_version=4)
    begun = time.monotonic()
    NotebookClient(book, timeout=60, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}).execute()
    assert time.monotonic() - begun < _LONGEST
    outputs = [one for cell in book.cells for one in cell.outputs]
    assert "k = 38 of m = 39" in "".join(one.text for one in outputs if one.output_type == "stream")
    assert not [one for one in outputs if one.output_type == "error"]
