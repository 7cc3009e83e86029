"""The parts of a program: words, lines of Python, and figures; and how lines are put together."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from base64 import b64encode
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, final

import numpy as np

from dpcore.registry.as_code import as_code, in_lines
from dpcore.registry.laid_out import Bracket, Part, laid_out


@final
@dataclass(frozen=True, slots=True)
class Words:
    """Markdown of ours with a ``{}`` for each text from outside, such as a column's name: these are shown as they are."""

    text: str
    outside: tuple[str, ...] = ()

    def filled(self, said: tuple[str, ...]) -> str:
        """With these in the places of the texts from outside."""
        parts = self.text.split("{}")
        assert len(parts) == len(said) + 1, "a place for each text from outside"
        return "".join(part + text for part, text in zip(parts, (*said, ""), strict=True))


@final
@dataclass(frozen=True, slots=True)
class Lines:
    """Python. Texts from outside are in it as literals alone, by ``repr``."""

    code: str


@final
@dataclass(frozen=True, slots=True)
class Figure:
    """Python that gives the name ``chart`` to one, of plotly's description of it; and what it shows, in a sentence."""

    code: str
    alt: str


Cell = Words | Lines | Figure


@final
@dataclass(frozen=True, slots=True)
class Program:
    """``title``: of what it makes anew. ``needs``: what is to be installed beside dpcore, as names of its extras.

    ``beside``: the name of a file that it reads where it does not hold all records itself, and what writes its content.
    ``imports``: of code that is not ours, a line each.
    """

    title: str
    cells: tuple[Cell, ...]
    needs: tuple[str, ...] = ()
    beside: tuple[str, Callable[[], str]] | None = None
    imports: tuple[str, ...] = ()


def words(text: str, *outside: str) -> Words:
    """Words with texts from outside."""
    return Words(text, outside)


# Lines of Python, put together: calls, names that get a value, imports of what is used.


_LINE = 100
_MANY = 24  # numbers, from which an array is its bytes
_FIGURES = "import plotly.graph_objects as go"
_OF_PYTHON = ("base64", "csv", "secrets", "zlib")
_FROM = {  # beside the names that dpcore itself has
    name: module
    for module, names in {
        "dataclasses": "replace",
        "dpcore.answers.answer": "answer_of read_at response_of",
        "dpcore.audits.closed_forms": "true_cdf",
        "dpcore.base.declared": "Column",
        "dpcore.base.norms": "norm_named",
        "dpcore.ledger.derived": "Derived between",
        "dpcore.oracles.copula": "of_sample",
        "dpcore.oracles.resample": "of_records",
        "dpcore.oracles.resample_people": "of_people",
        "dpcore.sampling.blocks": "generator",
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


def drawn(figure: Any, alt: str) -> Figure:
    """A figure as plotly's description of it: its traces and its layout, with long arrays as their bytes."""
    return Figure(laid_out(Bracket("go.Figure(", (("", as_code(_plain(figure.ready()))),), ")"), before="chart = "), alt)


def _plain(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _plain(item) for name, item in part.items() if item is not None}
    if isinstance(part, (list, tuple)):
        return [_plain(item) for item in part]
    if not isinstance(part, np.ndarray):
        return part
    if part.dtype != np.float64 or part.ndim != 1 or part.size < _MANY:
        return part.tolist()
    return {"dtype": "f8", "bdata": b64encode(part.tobytes()).decode("ascii")}


def imports(cells: Iterable[Cell], also: str = "", given: tuple[str, ...] = ()) -> str:
    """The imports of all that the cells name, beside those that are ``given``."""
    code = "\n".join([*(cell.code for cell in cells if not isinstance(cell, Words)), also])
    known_already = {one.asname or one.name for line in given for one in _imported(line)}
    used = names_used(ast.parse(code)) - known_already
    plain = [f"import {name}" for name in _OF_PYTHON if name in used]
    known = {name: module for name, module in _known().items() if name in used}
    of_python = [_line(module, known) for module in ("dataclasses", "pathlib") if module in known.values()]
    installed = ["import numpy as np"] * ("np" in used) + [_FIGURES] * ("go" in used)
    ours = [_line(module, known) for module in sorted(set(known.values()) - {"dataclasses", "pathlib"})]
    first = ["from __future__ import annotations"] if given else []  # as the module has it that it is from
    return "\n\n".join("\n".join(group) for group in (first, plain + of_python, installed, [*sorted(given), *ours]) if group)


def names_used(code: ast.AST) -> set[str]:
    """Every name that code reads or sets."""
    return {node.id for node in ast.walk(code) if isinstance(node, ast.Name)}


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
