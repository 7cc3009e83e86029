"""The examples in docstrings give what they say, and every public name has one."""

from __future__ import annotations

import doctest
import inspect
from importlib import import_module
from pathlib import Path

import pytest

import dpcore
from dpcore import curves, mechanisms, oracles, targets

ROOT = Path(dpcore.__file__).parents[1]
FILES = [file for file in sorted(ROOT.glob("dpcore/**/*.py")) if ">>>" in file.read_text(encoding="utf-8")]
PUBLIC = {
    f"{package.__name__}.{name}": vars(package)[name]
    for package in (dpcore, curves, mechanisms, oracles, targets)
    for name in package.__all__
}


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_examples_of_module_hold(file: Path) -> None:
    results = doctest.testmod(import_module(".".join(file.relative_to(ROOT).with_suffix("").parts)))
    assert results.attempted > 0
    assert results.failed == 0


@pytest.mark.parametrize("name", [name for name, part in PUBLIC.items() if isinstance(part, type) or inspect.isfunction(part)])
def test_public_name_has_an_example(name: str) -> None:
    assert ">>> " in (inspect.getdoc(PUBLIC[name]) or "")
