"""The script of a scenario runs by itself, and prints the k, Δ̂ and scale of the app."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest

import dpcore
from dpcore import Adjacency, Bound, Column, Filter, GaussianMechanism, GroupBy, PureDP, oracles, per_user, targets
from dpcore.errors import ExploredPointError
from dpcore.registry import FOLDERS
from pages.experiment.noise import calibrate_worst_case
from pages.experiment.scenario import Scenario, TableRecords
from pages.exports.script import MOST_VALUES, expression, notebook, script
from pages.files.tables import Table
from tests.contracts.members import members
from tests.pages.exports.shown import noise, scenario, table
from tests.pages.test_hostile_names import HOSTILE

ROOT = Path(__file__).parents[3]
NAMES = {name: value for package in (np, dpcore, *FOLDERS.values()) for name, value in vars(package).items()}
_IMPORTED = ["numpy", "dpcore", *(f"dpcore.{folder}" for folder in FOLDERS)]


def _of_groups() -> Scenario:
    where = (Filter("age", interval=(18.0, 65.0)),)
    on = targets.Query(targets.Mean((10.0, 70.0)), ("bmi",), where, GroupBy("sex", (0.0, 1.0)))
    return scenario(table("diabetes"), "", on.fields, target=on)


def _of_people() -> Scenario:
    on = targets.ContributionBounded(targets.Query(targets.Sum((0.0, 60.0)), ("minutes",)), "person", 3)
    people = oracles.Users(oracles.Uniform(1.2, 5.0), (oracles.Uniform(0.0, 60.0),), ("minutes",), alike=0.4)
    of = scenario(table("visits"), "", ("minutes",), target=on.target, n=200)
    return of.with_(columns=on.fields, target=on, oracle=people, adjacency=Adjacency.REPLACE_ONE_USER)


_CASES: dict[str, Callable[[], Scenario]] = {
    "mean": lambda: scenario(table("loan_defaults"), "Mean", ("years_to_default",)),
    "curve": lambda: scenario(table("sine"), "KernelDensity", ("x",)),
    "classifier in steps": lambda: scenario(table("two_classes"), "MeanDirection", ("x1", "x2", "label"), m=19),
    "letters": lambda: scenario(table("scientists"), "LetterCounts", ("name",)),
    "groups": _of_groups,
    "people": _of_people,
    "tolerance": lambda: scenario(
        table("diabetes"), "Mean", ("age",), mechanism=GaussianMechanism(), bound=Bound.TOLERANCE, confidence=0.9, m=99
    ),
    "own rows": lambda: scenario(table("sine"), "Mean", ("x",), "TableRecords"),
}


def _code(of: Scenario, *, sampled: bool = True, proved: bool = False) -> str:
    oracle = of.resolved_oracle(table(of.table))
    return script(of, oracle, point=of.point if sampled else None, seed=of.seed, proved=proved)


def _run(code: str, folder: Path) -> str:
    """What it prints, where nothing but dpcore can be imported beside what is installed."""
    (folder / "script.py").write_text(code, encoding="utf-8")
    given = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    (folder / "dpcore").symlink_to(ROOT / "dpcore")
    done = subprocess.run(
        [sys.executable, "-W", "error", "script.py"],
        cwd=folder,
        env=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("name", _CASES)
def test_script_prints_the_numbers_of_the_app(name: str, tmp_path: Path) -> None:
    of = _CASES[name]()
    drawn = noise(of, table(of.table))
    said = _run(_code(of), tmp_path).split("\n")
    assert said[0] == f"k = {of.point.k} of m = {of.m}"
    assert said[1] == f"sampled sensitivity = {drawn.sensitivity.value} and scale of the noise = {drawn.law.scale}"
    assert "RandomDP(" in said[-2]


@pytest.mark.parametrize("sampled", [False, True])
def test_worst_case_script_releases_under_pure_dp(sampled: bool, tmp_path: Path) -> None:
    of = scenario(table("diabetes"), "Mean", ("age",))
    worst = calibrate_worst_case(of)
    assert worst is not None
    code = _code(of, sampled=sampled, proved=True)
    said = _run(code, tmp_path)
    assert said.startswith("k = " if sampled else "worst case = ")
    assert f"worst case = {worst.sensitivity.value} and scale of the noise = {worst.law.scale}\n" in said
    assert "secrets" not in code
    assert "PureDP(epsilon=1.0)" in said


def test_seen_draws_are_refused_for_a_release() -> None:
    code = _code(scenario(table("loan_defaults"), "Mean", ("years_to_default",)))
    seen, _, _ = code.partition("# A release draws afresh")
    names: dict[str, Any] = {}
    exec(seen, names)
    with pytest.raises(ExploredPointError):
        names["noise"].release(names["database"])


def test_script_is_short_and_warns_of_random_dp() -> None:
    code = _code(scenario(table("loan_defaults"), "Mean", ("years_to_default",)))
    assert len([line for line in code.split("\n") if line]) <= 30
    assert max(map(len, code.split("\n"))) <= 130
    assert "random DP, which is weaker than differential privacy" in code


@pytest.mark.parametrize("folder", list(FOLDERS))
def test_expression_makes_an_equal_member(folder: str) -> None:
    for member in (one for one in members(folder) if type(one).__eq__ is not object.__eq__):
        assert eval(expression(member), dict(NAMES)) == member


@pytest.mark.parametrize(
    "array",
    [
        np.linspace(0, 1, 1_500),
        np.arange(6.0).reshape(3, 2) / 7,
        np.array(["a", "ü\n\u202e"]),
        np.array([(0.5, "a")], dtype=[("x", float), ("t", "U3")]),
        per_user(np.array([(0.5,), (1.5,)], dtype=[("x", float)]), np.array(["b", "a"]), person="who"),
    ],
    ids=lambda array: str(array.dtype),
)
def test_expression_of_an_array_keeps_type_and_bytes(array: Any) -> None:
    people = any(array.dtype[name].names for name in array.dtype.names or ())
    oracle = oracles.ResamplePeople(array, "who") if people else oracles.Resample(array)
    again = eval(expression(oracle), dict(NAMES)).records
    assert (again.dtype, again.shape, again.tobytes()) == (array.dtype, array.shape, array.tobytes())


@pytest.mark.parametrize("value", [lambda x: x, PureDP, oracles.Resample(np.zeros(MOST_VALUES + 1)), TableRecords()])
def test_expression_refuses_what_has_no_code(value: Any) -> None:
    with pytest.raises(TypeError):
        expression(value)


def _of_names(name: str, other: str, category: str) -> str:
    """The script of a table with these names, of a question with a condition and groups."""
    columns = (Column(name, bounds=(0.0, 1.0)), Column(other, role="text", categories=(category, "b")))
    values = {name: np.linspace(0, 1, 20), other: np.array([category, "b"] * 10)}
    whose = Table("mine", columns, values, public=True)
    where, by = (Filter(other, category, excluded=True),), GroupBy(other, (category, "b"))
    on = targets.Query(targets.Mean((0.0, 1.0)), (name,), where, by)
    of = scenario(whose, "", on.fields, target=on, m=19)
    return script(of, of.resolved_oracle(whose), point=of.point, seed=3)


def _structure(code: str) -> str:
    """What the Python does, whatever its texts are and whatever is imported of dpcore."""
    tree = ast.parse(code)
    tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom) or str(node.module) not in _IMPORTED]
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


_PLAIN = _of_names("a", "c", "yes")


@pytest.mark.parametrize("name", [*HOSTILE, '");__import__("os").system("x")#', "\nimport os\n", "\n\n# {target}", "'''\\"])
def test_script_runs_nothing_of_a_name(name: str) -> None:
    code = _of_names(name, f"{name}2", f"{name}3")
    assert _structure(code) == _structure(_PLAIN)
    assert len(json.loads(notebook(code))["cells"]) == len(json.loads(notebook(_PLAIN))["cells"])


def test_notebook_holds_the_same_lines_in_cells() -> None:
    code = _code(scenario(table("loan_defaults"), "Mean", ("years_to_default",)))
    book: Any = nbformat.reads(notebook(code), as_version=4)
    nbformat.validate(book)
    assert len(book.cells) == 5
    assert "\n\n".join(cell.source for cell in book.cells) == code.strip()
