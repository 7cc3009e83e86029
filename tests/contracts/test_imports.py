"""Imports point one way (design, section 3), and heavy libraries are imported where they are used."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# A module may import those of the lines above its own, and siblings inside its own folder.
LAYERS = [
    {"errors", "version"},
    {"checks"},
    {"types", "time_uniform", "unit"},
    {"bounds"},
    {"privacy", "norms", "operating_points", "polynomials"},
    {"sensitivity"},
    {"fingerprint", "csv_columns"},
    {"targets", "oracles", "curves"},
    {"noise", "blocks", "streams"},
    {"direct", "inverse_law"},
    {"ways", "draws", "local_pool"},
    {"agreement"},
    {"engine"},
    {"sampler", "mechanisms"},
    {"tight", "order_interval", "charges"},
    {"spending"},
    {"standing"},
    {"accounting", "tables", "closed_forms", "catalog"},
    {"scenario", "audit", "wrong_oracle", "words"},
    {"defaults", "preview", "worst_pairs", "answer_unit"},
    {"plots"},
    {"report"},
]
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
ONLY = {
    "targets": {"types", "errors", "checks", "bounds", "privacy", "norms", "polynomials", "sensitivity", "targets"},
    "curves": {"types", "errors", "checks", "bounds", "norms", "polynomials", "curves"},
    "oracles": {"types", "errors", "checks", "bounds", "oracles"},
}
LEAVES = {"targets", "oracles", "curves"}  # what is plugged in: the machinery below the catalogue knows none of it
FIRST_TO_KNOW_LEAVES = RANK["accounting"]
HEAVY = {"scipy", "pandas", "sklearn", "opendp", "duckdb", "pyarrow", "plotly", "matplotlib", "dp_accounting", "names"}
FILES = sorted(ROOT.glob("dpcore/**/*.py"))
Import = tuple[str, bool]  # a dotted name, and whether it is imported as soon as the module is


def _imports(tree: ast.AST, at_once: bool = True) -> Iterator[Import]:
    """Every import but those for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from ((name.name, at_once) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "an import that names no package"
            assert node.module is not None
            if node.module == "dpcore":
                yield from ((f"dpcore.{name.name}", at_once) for name in node.names)
            else:
                yield node.module, at_once
        else:
            yield from _imports(node, at_once and not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)))


def wrong_arrows(module: str, source: str) -> list[str]:
    """What a module of dpcore ("targets.mean", say) imports and must not."""
    wrong, own = [], module.split(".")[0]
    for name, at_once in _imports(ast.parse(source)):
        top, *rest = name.split(".")
        if top in ("streamlit", "pages", "app", "tests"):
            wrong.append(name)
        elif top == "plotly" and own == "plots":
            continue
        elif (top in HEAVY and (at_once or top == "plotly")) or (top == "dpcore" and not _allowed(own, rest[0] if rest else "")):
            wrong.append(name)
    return wrong


def _allowed(own: str, other: str) -> bool:
    if own in ONLY:
        return other in ONLY[own]
    if other == own and (ROOT / "dpcore" / own).is_dir():
        return True
    if other in LEAVES:
        return RANK[own] >= FIRST_TO_KNOW_LEAVES
    return other in RANK and RANK[other] < RANK[own]


def _module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT / "dpcore").with_suffix("").parts)


@pytest.mark.parametrize("file", [file for file in FILES if file != ROOT / "dpcore/__init__.py"], ids=_module)
def test_a_module_imports_only_what_stands_before_it(file: Path) -> None:
    module = _module(file)
    assert module.split(".")[0] in RANK, "give the module its place in LAYERS"
    assert wrong_arrows(module, file.read_text()) == []


def test_the_package_itself_imports_nothing_heavy() -> None:
    names = {name.split(".")[0] for name, _ in _imports(ast.parse((ROOT / "dpcore/__init__.py").read_text()))}
    assert names == {"dpcore"}


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("sampler", "import streamlit"),
        ("sampler", "from pages.session import link"),
        ("words", "def f():\n    import streamlit as st"),
        ("norms", "from dpcore.sampler import Draws"),
        ("norms", "from dpcore import sampler"),
        ("errors", "from dpcore.types import Target"),
        ("sampler", "from dpcore.mechanisms.base import Law"),
        ("ways", "from dpcore.targets import Mean"),
        ("mechanisms.laplace", "def f():\n    from dpcore.targets.mean import Mean"),
        ("targets.mean", "from dpcore.sampler import Draws"),
        ("targets.mean", "from dpcore.ways import Job"),
        ("targets.mean", "from dpcore.oracles import Uniform"),
        ("oracles.uniform", "from dpcore.norms import L1"),
        ("scenario", "from dpcore.plots import miss"),
        ("sampler", "import scipy.special"),
        ("sampler", "if True:\n    from pandas import DataFrame"),
        ("words", "def f():\n    import plotly"),
        ("tables", "class A:\n    import pandas"),
    ],
)
def test_a_wrong_arrow_is_found(module: str, source: str) -> None:
    assert len(wrong_arrows(module, source)) == 1


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("sampler", "from dpcore.ways import Job\nfrom dpcore.errors import DpcoreError\nimport numpy as np"),
        ("operating_points", "def f():\n    from scipy.special import lambertw"),
        ("errors", "if TYPE_CHECKING:\n    from dpcore.sampler import Draws"),
        ("targets.mean", "from dpcore.targets.proved import proved"),
        ("mechanisms.laplace", "from dpcore import noise\nfrom dpcore.mechanisms.base import Mechanism"),
        ("plots.sampler", "import plotly.graph_objects as go\nfrom dpcore.sampler import Draws"),
        ("closed_forms", "from dpcore.targets import Mean"),
    ],
)
def test_a_right_arrow_is_not(module: str, source: str) -> None:
    assert wrong_arrows(module, source) == []


def test_importing_dpcore_loads_no_heavy_library() -> None:
    heavy = sorted(HEAVY | {"streamlit", "pages", "joblib", "dask"})
    code = f"import dpcore, sys; print(*(name for name in {heavy} if name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
    with_scipy = code.replace("import dpcore", "import dpcore, scipy")
    control = subprocess.run([sys.executable, "-c", with_scipy], cwd=ROOT, capture_output=True, text=True, check=True)
    assert control.stdout.split() == ["scipy"]
