"""Imports point one way, and heavy libraries are imported where they are used."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A room may import those of the lines above its own, and itself.
FLOORS = [
    {"errors"},
    {"base"},
    {"result_types"},
    {"guarantees"},
    {"sampling"},
    {"sql"},
    {"targets", "curves", "oracles", "mechanisms"},
    {"ledger", "registry", "audits"},
]
FLOOR = {name: floor for floor, rooms in enumerate(FLOORS) for name in rooms}
ONLY = {  # what is plugged in knows what it stands on, and no other kind but this one
    "targets": {"errors", "base", "result_types", "guarantees", "sql", "targets"},
    "curves": {"errors", "base", "curves"},
    "oracles": {"errors", "base", "oracles"},
    "sql": {"errors", "base", "sql"},
}
FACE = {"__init__"}  # the names that users import from the top
# The same of the app's rooms. Those of the last floor may import each other; a page stands above them, and no page imports
# another's folder.
WITHOUT_A_SCREEN = ("files", "experiment", "figures", "lessons", "exports")
CELLS = Path("pages/files")  # of every file are columns of Arrow
OF_THE_APP = [
    {"escape"},
    *({room} for room in WITHOUT_A_SCREEN),
    {"server"},
    {"state", "jobs", "address", "pins", "live", "ledger", "declaring", "releasing", "widgets"},
]
# Of the ledger's files those that say what was released: the report and the script of a release read them.
READ_BY_EXPORTS = {"pages.ledger.book", "pages.ledger.entry"}
FLOOR_OF_THE_APP = {room: floor for floor, rooms in enumerate(OF_THE_APP) for room in rooms}
HEAVY = {"scipy", "pandas", "sklearn", "opendp", "duckdb", "pyarrow", "plotly", "matplotlib", "dp_accounting", "names"}
PROGRAMS = {"sql.fork_server"}  # run by its path, in a process of its own: it loads at once what it is there for
FILES = sorted(ROOT.glob("dpcore/**/*.py"))
Import = tuple[str, bool]  # a dotted name, and whether it is imported as soon as the module is


def _imports(tree: ast.AST, at_once: bool = True) -> Iterator[Import]:
    """Every import, those for type checkers alone too; these are not made at once."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            yield from _imports(node, at_once=False)
        elif isinstance(node, ast.Import):
            yield from ((name.name, at_once) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "an import that names no package"
            assert node.module is not None
            inside = [(f"{node.module}.{name.name}", at_once) for name in node.names]
            yield from inside if node.module == "dpcore" else (modules := list(_modules(inside)))
            if node.module != "dpcore" and len(modules) < len(inside):
                yield node.module, at_once
        else:
            yield from _imports(node, at_once and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))


def _modules(names: list[Import]) -> Iterator[Import]:
    """Those that are files or folders of dpcore: ``from dpcore.targets import mean`` imports a module."""
    for name, at_once in names:
        path = ROOT / name.replace(".", "/")
        if name.startswith("dpcore.") and (path.with_suffix(".py").is_file() or path.is_dir()):
            yield name, at_once


def wrong_arrows(module: str, tree: ast.Module) -> list[str]:
    """What a module of dpcore ("targets.mean", say) imports and must not."""
    wrong, own = set[str](), module.split(".")[0]
    for name, at_once in _imports(tree):
        top, *rest = name.split(".")
        if (
            top in ("streamlit", "pages", "app", "tests")
            or (top in HEAVY and ((at_once and module not in PROGRAMS) or top == "plotly"))
            or (top == "dpcore" and not _allowed(own, rest[0] if rest else ""))
        ):
            wrong.add(".".join(name.split(".")[:2]))
    return sorted(wrong)


def _allowed(own: str, other: str) -> bool:
    if own in ONLY:
        return other in ONLY[own]
    return other == own or (other in FLOOR and FLOOR[other] < FLOOR[own])


@cache
def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT / "dpcore").with_suffix("").parts)


def test_a_module_imports_only_what_stands_below_it() -> None:
    trees = {_module(file): _tree(file) for file in FILES if _module(file) not in FACE}
    assert len(trees) > 60
    assert {module.split(".")[0] for module in trees} <= set(FLOOR), "give the room its floor in FLOORS"
    wrong = {module: wrong_arrows(module, tree) for module, tree in trees.items()}
    assert {module: arrows for module, arrows in wrong.items() if arrows} == {}


def test_data_imports_nothing_of_the_app() -> None:
    trees = {file.name: _tree(file) for file in ROOT.glob("data/**/*.py")}
    assert len(trees) > 5
    assert {
        name for name, tree in trees.items() if any(found.split(".")[0] in ("pages", "app") for found, _ in _imports(tree))
    } == set()


@cache
def _graph() -> dict[str, set[str]]:
    """Which files of the library and of the app each of them imports, inside functions and for type checkers too."""
    files = [*FILES, *ROOT.glob("pages/**/*.py"), ROOT / "app.py"]
    named = {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}
    return {name: {other for other in _all(_tree(file), set(named)) if other != name} for name, file in named.items()}


def _wrong_of_the_app(module: str, imported: set[str]) -> list[str]:
    """What a file of the app imports from a room that does not stand below its own."""
    return sorted(name for name in imported if name.startswith("pages.") and not _below(name, module))


def _below(other: str, module: str) -> bool:
    rooms = [_room(name) for name in (other, module)]
    if rooms[0] == rooms[1] or module == "app":
        return True
    if rooms[1] == "exports" and other in READ_BY_EXPORTS:
        return True
    floors = [FLOOR_OF_THE_APP.get(room, len(OF_THE_APP)) for room in rooms]
    return floors[0] < floors[1] or floors[0] == floors[1] == len(OF_THE_APP) - 1


def _room(module: str) -> str:
    return module if module == "app" else module.removeprefix("pages.").split(".")[0]


def _all(tree: ast.AST, files: set[str]) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names if name.name in files)
        elif isinstance(node, ast.ImportFrom):
            inside = [f"{node.module}.{name.name}" for name in node.names]
            yield from (name if name in files else str(node.module) for name in inside if name in files or node.module in files)


def _circle(graph: dict[str, set[str]]) -> list[str]:
    """Files that import each other in turn; none where there is an order."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_a_file_of_the_app_imports_only_what_stands_below_it() -> None:
    wrong = {name: _wrong_of_the_app(name, others) for name, others in _graph().items() if name.startswith(("pages.", "app"))}
    assert {name: others for name, others in wrong.items() if others} == {}
    assert _wrong_of_the_app("pages.figures.theme", {"pages.experiment.view"}) == []
    assert _wrong_of_the_app("pages.experiment.view", {"pages.figures.theme", "pages.widgets.rail"}) != []
    assert _wrong_of_the_app("pages.explore", {"pages.about"}) == ["pages.about"]


def _of_a_screen(tree: ast.Module) -> list[str]:
    """What a file without a screen imports and must not: Streamlit, and heavy libraries as soon as it is imported itself."""
    found = [(name.split(".")[0], at_once) for name, at_once in _imports(tree)]
    return sorted({name for name, at_once in found if name == "streamlit" or (at_once and name in HEAVY)})


def test_rooms_without_a_screen_know_none() -> None:
    files = [file for room in WITHOUT_A_SCREEN for file in ROOT.glob(f"pages/{room}/**/*.py")]
    assert len(files) > len(WITHOUT_A_SCREEN)
    wrong = {file.relative_to(ROOT): set(_of_a_screen(_tree(file))) for file in files}
    wrong = {file: names - ({"pyarrow"} if file.is_relative_to(CELLS) else set()) for file, names in wrong.items()}
    assert {file: names for file, names in wrong.items() if names} == {}
    assert _of_a_screen(ast.parse("def f():\n    import streamlit as st")) == ["streamlit"]
    assert _of_a_screen(ast.parse("from pandas import DataFrame")) == ["pandas"]


def test_no_files_import_each_other_in_a_circle() -> None:
    """Within a room too: the graph of all imports, those inside functions included, has an order."""
    graph = _graph()
    assert {"app", "pages.explore", "pages.widgets.options", "dpcore.targets.sums"} <= set(graph)
    circle = _circle(graph)
    assert not circle, f"these files import each other in a circle: {' → '.join(circle)}"


def test_a_circle_through_a_function_is_found() -> None:
    first, second = "def f():\n    from pages import b", "from pages.a import f"
    files = {"pages.a", "pages.b"}
    graph = {"pages.a": set(_all(ast.parse(first), files)), "pages.b": set(_all(ast.parse(second), files))}
    assert set(_circle(graph)) == files


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("sampling.sampler", "import streamlit"),
        ("sampling.sampler", "from pages.exports import link"),
        ("guarantees.words", "def f():\n    import streamlit as st"),
        ("base.norms", "from dpcore.sampling.sampler import Draws"),
        ("base.norms", "from dpcore import sampling"),
        ("base.norms", "if TYPE_CHECKING:\n    from dpcore.sampling.sampler import Draws"),
        ("errors", "from dpcore.base.types import Target"),
        ("sampling.sampler", "from dpcore.mechanisms.base import Law"),
        ("sampling.ways", "from dpcore.targets import Mean"),
        ("mechanisms.laplace", "def f():\n    from dpcore.targets.sums import Mean"),
        ("targets.mean", "from dpcore.sampling.sampler import Draws"),
        ("targets.mean", "from dpcore.sampling.methods import Job"),
        ("targets.mean", "from dpcore.oracles import Uniform"),
        ("targets.mean", "def f():\n    from dpcore.registry import catalog"),
        ("oracles.uniform", "from dpcore.guarantees.privacy import PureDP"),
        ("registry.catalog", "from pages.figures import theme"),
        ("sampling.sampler", "import scipy.special"),
        ("sampling.sampler", "if True:\n    from pandas import DataFrame"),
        ("guarantees.words", "def f():\n    import plotly"),
        ("registry.files", "class A:\n    import pandas"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, source: str) -> None:
    assert len(wrong_arrows(module, ast.parse(source))) == 1


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
