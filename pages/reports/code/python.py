"""Lines of Python, put together: calls, names that get a value, imports of what is used."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from dpcore.registry.as_code import in_lines, literal
from dpcore.registry.laid_out import Bracket, Part, laid_out
from pages.reports.code.cells import Cell, Words

__all__ = ["called", "imports", "literal", "named"]

_LINE = 100
_OF_PYTHON = ("base64", "csv", "secrets", "zlib")
_FROM = {  # beside the names that dpcore itself has
    name: module
    for module, names in {
        "dataclasses": "replace",
        "dpcore": "plots",
        "dpcore.answers.answer": "answer_of read_at response_of",
        "dpcore.audits.closed_forms": "true_cdf",
        "dpcore.base.declared": "Column",
        "dpcore.base.norms": "norm_named",
        "dpcore.guarantees.unit": "Unit",
        "dpcore.oracles.copula": "of_sample",
        "dpcore.oracles.resample": "of_records",
        "dpcore.oracles.resample_people": "of_people",
        "dpcore.plots.answers.several": "published_each",
        "dpcore.plots.svg": "svg",
        "dpcore.sampling.blocks": "generator",
        "dpcore.workbench": "preview",
        "dpcore.workbench.derived": "Derived between",
        "dpcore.workbench.guesses": "Guesses",
        "dpcore.workbench.headlines.base": "NonPrivate",
        "dpcore.workbench.listed.accuracy": "accuracy_of",
        "dpcore.workbench.listed.distances": "Proved Sampled measured",
        "dpcore.workbench.lessons": "tables",
        "dpcore.workbench.persons": "Persons",
        "dpcore.workbench.scenario": "Scenario",
        "dpcore.workbench.table": "Table",
        "pathlib": "Path",
    }.items()
    for name in names.split()
}


def named(name: str, value: Any) -> str:
    """A name that gets a value."""
    return in_lines(value, before=f"{name} = ")


def called(function: str, *given: str, before: str = "", **by_name: str) -> str:
    """A call with Python as its arguments."""
    items: tuple[tuple[str, Part], ...] = (*(("", one) for one in given), *((f"{name}=", one) for name, one in by_name.items()))
    return laid_out(Bracket(f"{function}(", items, ")"), before=before)


def imports(cells: Iterable[Cell], also: str = "", given: tuple[str, ...] = ()) -> str:
    """The imports of all that the cells name, beside those that are ``given``."""
    code = "\n".join([*(cell.code for cell in cells if not isinstance(cell, Words)), also])
    known_already = {one.asname or one.name for line in given for one in _imported(line)}
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)} - known_already
    plain = [f"import {name}" for name in _OF_PYTHON if name in used]
    known = {name: module for name, module in _known().items() if name in used}
    of_python = [_line(module, known) for module in ("dataclasses", "pathlib") if module in known.values()]
    numpy = ["import numpy as np"] if "np" in used else []
    ours = [_line(module, known) for module in sorted(set(known.values()) - {"dataclasses", "pathlib"})]
    first = ["from __future__ import annotations"] if given else []  # as the module has it that it is from
    return "\n\n".join("\n".join(group) for group in (first, plain + of_python, numpy, [*sorted(given), *ours]) if group)


def _imported(line: str) -> list[ast.alias]:
    node = ast.parse(line).body[0]
    return node.names if isinstance(node, (ast.Import, ast.ImportFrom)) else []


def _line(module: str, known: Mapping[str, str]) -> str:
    names = sorted(name for name, one in known.items() if one == module)
    before, listed = f"from {module} import ", tuple(("", name) for name in names)
    line = before + ", ".join(names)
    return line if len(line) <= _LINE else laid_out(Bracket("(", listed, ")"), before=before)


@cache
def _known() -> dict[str, str]:
    """Where each name that a program can use is from: dpcore itself, its kinds of answers, and the parts named above."""
    dpcore = importlib.import_module("dpcore")
    return _answers() | dict.fromkeys(dpcore.__all__, "dpcore") | _FROM


def _answers() -> dict[str, str]:
    room = importlib.import_module("dpcore.answers")
    modules = [importlib.import_module(f"dpcore.answers.{found.name}") for found in pkgutil.iter_modules(room.__path__)]
    return {
        name: module.__name__
        for module in modules
        for name, one in vars(module).items()
        if isinstance(one, type) and one.__module__ == module.__name__
    }
