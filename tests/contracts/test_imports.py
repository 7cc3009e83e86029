"""Imports point one way, and heavy libraries are imported where they are used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WITHOUT_A_SCREEN = ("pages.files", "pages.experiment", "pages.figures", "pages.lessons", "pages.exports")
SHARED = {f"pages.{name}" for name in ["state", "jobs", "address", "pins", "live", "ledger", "declaring", "releasing", "widgets"]}
# A package imports those of the lines above its own, and itself; those of the last line import each other. A page is above all.
FLOORS = [
    {"dpcore.errors"},
    {"dpcore.base"},
    {"dpcore.result_types"},
    {"dpcore.guarantees"},
    {"dpcore.sampling"},
    {"dpcore.sql"},
    {"dpcore.targets", "dpcore.curves", "dpcore.oracles", "dpcore.mechanisms"},
    {"dpcore.ledger", "dpcore.registry", "dpcore.audits"},
    {"data", "data.exhibits"},
    {"pages.escape"},
    *({package} for package in WITHOUT_A_SCREEN),
    {"pages.server"},
    SHARED,
]
FLOOR = {name: floor for floor, packages in enumerate(FLOORS) for name in packages}
PLUGGED_IN = {  # what a plug-in package may import besides dpcore.errors, dpcore.base and itself
    "dpcore.targets": {"dpcore.result_types", "dpcore.guarantees", "dpcore.sql"},
    "dpcore.curves": set[str](),
    "dpcore.oracles": set[str](),
    "dpcore.sql": set[str](),
}
READ_BY_EXPORTS = {"pages.ledger.book", "pages.ledger.entry"}  # what was released, for a report and a script of it
HEAVY = {"scipy", "pandas", "sklearn", "opendp", "duckdb", "pyarrow", "plotly", "matplotlib", "dp_accounting", "names"}
PROGRAMS = {"dpcore.sql.fork_server"}  # a process of its own, which loads at once what it needs
Import = tuple[str, bool]  # a dotted name, and whether it is imported as soon as the module is


def _imports(tree: ast.AST, at_once: bool = True) -> Iterator[Import]:
    """Yield every import; those in functions and for type checkers are not made at once."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from ((name.name, at_once) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((f"{node.module}.{name.name}", at_once) for name in node.names)
        else:
            later = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) or (
                isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            )
            yield from _imports(node, at_once and not later)


@cache
def _trees() -> dict[str, ast.Module]:
    """Return the modules and packages of the project, by name."""
    files = [*ROOT.glob("dpcore/**/*.py"), *ROOT.glob("pages/**/*.py"), *ROOT.glob("data/**/*.py"), ROOT / "app.py"]
    named = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}
    return {name: ast.parse(file.read_text(encoding="utf-8")) for name, file in named.items()}


def _package(name: str) -> str:
    return ".".join(name.split(".")[:2])


def _allowed(module: str, imported: str) -> bool:
    """Return whether a module of the project may import another one."""
    own, other = _package(module), _package(imported)
    if own == other or module == "app":
        return True
    if own in PLUGGED_IN:
        return other in {"dpcore.errors", "dpcore.base"} | PLUGGED_IN[own]
    if own == "pages.exports" and _module(imported) in READ_BY_EXPORTS:
        return True
    if other.startswith("dpcore") and not own.startswith("dpcore"):
        return True  # the names that dpcore itself lists, too
    if own.startswith("data"):
        return other.startswith("data")
    floors = FLOOR.get(own, len(FLOORS)), FLOOR.get(other, len(FLOORS))
    return floors[1] < floors[0] or {own, other} <= SHARED


def _module(name: str) -> str:
    """Return the module that an imported name is in, or is."""
    return name if name in _trees() else name.rpartition(".")[0]


def wrong_imports(module: str, tree: ast.Module) -> list[str]:
    """Return what a module imports and must not."""
    found, science = set[str](), module.startswith("dpcore.")
    screenless = science or _package(module) in WITHOUT_A_SCREEN
    for name, at_once in _imports(tree):
        top = name.split(".")[0]
        heavy = top in HEAVY and at_once and module not in PROGRAMS and (top, _package(module)) != ("pyarrow", "pages.files")
        if (
            (screenless and (top == "streamlit" or heavy))
            or (science and top == "plotly")
            or (top in ("dpcore", "pages", "app", "tests", "data") and not _allowed(module, name))
        ):
            found.add(_package(name))
    return sorted(found)


def test_modules_import_only_what_is_below_them() -> None:
    assert len(_trees()) > 150
    assert {_package(name) for name in _trees() if name.startswith("dpcore.")} <= set(FLOOR), "give the package its floor"
    wrong = {module: wrong_imports(module, tree) for module, tree in _trees().items() if module != "dpcore"}
    assert {module: names for module, names in wrong.items() if names} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Imports inside functions count too."""
    graph = {name: {_module(one) for one, _ in _imports(tree)} & set(_trees()) for name, tree in _trees().items()}
    assert len(graph["app"]) > 2
    TopologicalSorter({name: others - {name} for name, others in graph.items()}).prepare()  # CycleError names a circle


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("sampling.sampler", "import streamlit"),
        ("sampling.sampler", "from pages.exports import link"),
        ("guarantees.words", "def f():\n    import streamlit as st"),
        ("base.norms", "from dpcore.sampling.sampler import Draws"),
        ("base.norms", "from dpcore import sampling"),
        ("base.norms", "from dpcore import PureDP"),
        ("base.norms", "if TYPE_CHECKING:\n    from dpcore.sampling.sampler import Draws"),
        ("errors", "from dpcore.base.types import Target"),
        ("sampling.sampler", "from dpcore.mechanisms.base import Law"),
        ("mechanisms.laplace", "def f():\n    from dpcore.targets.mean import Mean"),
        ("targets.mean", "from dpcore.sampling.methods import Job"),
        ("targets.mean", "from dpcore.oracles import Uniform"),
        ("targets.mean", "def f():\n    from dpcore.registry import catalog"),
        ("oracles.uniform", "from dpcore.guarantees.privacy import PureDP"),
        ("registry", "from pages.figures import theme"),
        ("sampling.sampler", "import scipy.special"),
        ("sampling.sampler", "if True:\n    from pandas import DataFrame"),
        ("guarantees.words", "def f():\n    import plotly"),
        ("registry", "class A:\n    import pandas"),
        ("pages.experiment.view", "from pages.figures import theme"),
        ("pages.explore", "from pages.about import NAMES"),
        ("pages.figures.theme", "from pandas import DataFrame"),
        ("pages.exports.link", "def f():\n    import streamlit as st"),
        ("data.make_tables", "from pages.figures import theme"),
    ],
)
def test_wrong_import_is_found(module: str, source: str) -> None:
    name = module if module.startswith(("pages.", "data.")) else f"dpcore.{module}"
    assert len(wrong_imports(name, ast.parse(source))) == 1


def test_importing_dpcore_loads_no_heavy_library() -> None:
    heavy = sorted(HEAVY | {"streamlit", "pages", "joblib", "dask"})
    code = f"import dpcore, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    with_scipy = code.replace("import dpcore", "import dpcore, scipy")
    control = subprocess.run([sys.executable, "-c", with_scipy], cwd=ROOT, capture_output=True, text=True, check=True)
    assert control.stdout.split() == ["scipy"]


def test_the_library_needs_no_more_than_pyproject_says() -> None:
    """A release in an interpreter that finds numpy, scipy and opendp, and nothing else that the app needs."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.split(r"[\[>=<]", line)[0] for line in declared["dependencies"]}
    assert names == {"numpy", "scipy", "opendp"}
    extras = {line for some in declared["optional-dependencies"].values() for line in some}
    refused = {"scikit-learn": "sklearn", "dp-accounting": "dp_accounting"}
    kept_out = sorted(refused.get(name, name) for name in {re.split(r"[\[>=<]", line)[0] for line in extras} - {"dpcore"})
    assert "streamlit" in kept_out
    code = f"""
import sys
for name in {kept_out}:
    sys.modules[name] = None  # importing it fails
import numpy as np
from dpcore import L1, LaplaceMechanism, Ledger, OperatingPoint, PureDP, oracles, sample_sensitivity, targets
at = OperatingPoint.for_gamma(0.05)
sample = sample_sensitivity(targets.Mean(), oracles.Exponential(rate=1.0), norm=L1, n=50, at=at, seed=1)
release = LaplaceMechanism().calibrate(sample.sensitivity(), PureDP(epsilon=1.0)).release(np.ones(50))
print(Ledger(budget=None).add(release).total())
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.startswith("RandomDP(epsilon=1.0"), done.stderr
