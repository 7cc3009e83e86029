"""CPython 3.12.0 and 3.12.1 make one variable of a name that one comprehension binds and another one reads as a global."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_FOLDERS = ("dpcore", "pages", "data", "examples")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def _bound(one: _Comprehension) -> set[str]:
    return {name.id for part in one.generators for name in ast.walk(part.target) if isinstance(name, ast.Name)}


def _parts(node: ast.AST, within: frozenset[str] = frozenset()) -> Iterator[tuple[ast.AST, frozenset[str]]]:
    """The parts of a function, without the functions in it, and the names that the comprehensions around each part bind."""
    for inner in ast.iter_child_nodes(node):
        if not isinstance(inner, _FUNCTIONS):
            here = within | _bound(inner) if isinstance(inner, _COMPREHENSIONS) else within
            yield inner, here
            yield from _parts(inner, here)


def _of_its_own(function: ast.AST) -> set[str]:
    """The names of a function that are its own variables."""
    arguments = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
    names = [
        (part, within) for part, within in _parts(function) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
    ]
    return arguments | {part.id for part, within in names if part.id not in within}


def confused(source: str) -> list[tuple[str, str]]:
    """The functions with such a name, and the name."""
    found = []
    for function in (node for node in ast.walk(ast.parse(source)) if isinstance(node, _FUNCTIONS)):
        inside = [(part, within) for part, within in _parts(function) if within]
        bound = {name for part, _ in inside if isinstance(part, _COMPREHENSIONS) for name in _bound(part)}
        names = [(part, within) for part, within in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)]
        read = {part.id for part, within in names if part.id not in within} - _of_its_own(function)
        found += [(getattr(function, "name", "lambda"), name) for name in sorted(bound & read)]
    return found


@pytest.mark.parametrize("folder", [*_FOLDERS, "app.py"])
def test_no_comprehension_reads_a_global_by_a_name_that_another_one_binds(folder: str) -> None:
    files = [ROOT / folder] if folder.endswith(".py") else sorted((ROOT / folder).rglob("*.py"))
    assert files
    assert {str(file): found for file in files if (found := confused(file.read_text(encoding="utf-8")))} == {}


def test_the_shape_is_found() -> None:
    assert confused("def f(a, b):\n    return [slot for slot in a], [slot(one) for one in b]") == [("f", "slot")]
    assert confused("def f(a, b):\n    return [[slot for slot in one] for one in a], {slot(one) for one in b}") == [("f", "slot")]
    assert confused("def f(a, b, slot):\n    return [slot for slot in a], [slot(one) for one in b]") == []
    assert confused("def f(a, b):\n    return [one for one in a], [slot(one) for one in b]") == []
