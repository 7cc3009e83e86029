"""A lesson as a program: its words with their numbers, and the functions of its own module that compute them anew."""

from __future__ import annotations

import ast
import importlib
import inspect
import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from dpcore.base.types import Database
from dpcore.registry.as_code import dtype_code
from dpcore.registry.laid_out import Bracket, laid_out, literal
from pages.reports.code.cells import Cell, Lines, Program, Words, drawn, named, names_used
from pages.reports.code.records import written

_EXAMPLE = "pages.experiment.lessons.example"
_GIVEN = (_EXAMPLE, "pages.experiment.lessons.step", "pages.experiment.lessons.tables")  # what a program needs of them it holds

# The source of a module, taken apart: what a call needs of it, in the module's own order.


@final
@dataclass(frozen=True, eq=False)
class Source:
    """``imports``: the module's own, by the names that they give. ``parts``: what it defines, by its names, in order."""

    text: str
    imports: dict[str, str] = field(default_factory=dict)
    parts: dict[str, ast.stmt] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> Source:
        """That of a module's text, and of the example before it where it takes that."""
        text = _computed_alone(text)
        if f"from {_EXAMPLE} import" in text:
            text = f"{inspect.getsource(importlib.import_module(_EXAMPLE))}\n{text}"
        imports, parts = dict[str, str](), dict[str, ast.stmt]()
        for node in ast.parse(text).body:
            if isinstance(node, ast.ImportFrom):
                if node.module in _GIVEN:
                    continue
                imports |= {one.asname or one.name: f"from {node.module} import {ast.unparse(one)}" for one in node.names}
            elif isinstance(node, ast.Import):
                imports |= {one.asname or one.name: f"import {ast.unparse(one)}" for one in node.names}
            else:
                parts |= dict.fromkeys(_names(node), node)
        return cls(text, imports, parts)

    def needed(self, name: str, but: frozenset[str] = frozenset()) -> tuple[str, ...]:
        """The names of the module that one of them needs, itself too, in the module's order; without those ``but``."""
        found, waiting = set[str](), {name}
        while waiting:
            one = waiting.pop()
            found.add(one)
            waiting |= (names_used(self.parts[one]) & set(self.parts)) - found - but
        return tuple(name for name in self.parts if name in found - but)

    def lines_of(self, names: tuple[str, ...]) -> str:
        """These as they are written: constants close together, functions two lines apart."""
        text, before = "", None
        for node in dict.fromkeys(self.parts[name] for name in names):
            apart = "" if before is None else "\n" if _short(node) and _short(before) else "\n\n\n"
            text += apart + _source(self.text, node)
            before = node
        return text

    def imports_of(self, code: str) -> tuple[str, ...]:
        """The module's imports that this code needs, one a line."""
        used = names_used(ast.parse(code))
        return tuple(dict.fromkeys(line for name, line in self.imports.items() if name in used))


def _computed_alone(text: str) -> str:
    """A module in which a step finds its truth and its numbers in a dict, and no figure."""
    found = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Found"]
    lines = text.encode().splitlines(keepends=True)
    start = list(itertools.accumulate((len(line) for line in lines), initial=0))
    whole = b"".join(lines)
    drawn = [one for call in found for one in call.keywords if one.arg in ("figure", "asked")]
    for one in sorted(drawn, key=lambda one: one.lineno, reverse=True):
        begin, end = start[one.lineno - 1] + one.col_offset, start[(one.end_lineno or 0) - 1] + (one.end_col_offset or 0)
        whole = whole[:begin] + whole[end:].lstrip(b",").lstrip()
    return re.sub(r"\bFound\b(?=[(:])", "dict", whole.decode())


def _source(text: str, node: ast.stmt) -> str:
    """As it is written, with its decorators."""
    first = min([node.lineno, *(one.lineno for one in getattr(node, "decorator_list", []))])
    return "\n".join(text.splitlines()[first - 1 : node.end_lineno])


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    return [one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]


def _short(node: ast.stmt) -> bool:
    return not isinstance(node, (ast.FunctionDef, ast.ClassDef))


_OF_THE_APP = (
    "There is no code of this lesson, because its module {module} takes “{line}” from the app itself. Move what it needs "
    "there to dpcore."
)

_NO_FUNCTION = (
    "There is no code of this lesson, because its step “{step}” is computed by no function of its module {module}. Put the "
    "function there."
)
_EACH = "Each step makes its numbers anew, says whether they are those of the app, and draws its chart."


@final
@dataclass(frozen=True, kw_only=True)
class Told:
    """A step as its page says it, each number in its place. ``find``: the name of the function that computes it. ``figure``: the
    chart, and what it shows."""

    title: str
    question: str
    chart: str
    reveal: str
    keep: str
    find: str
    numbers: Mapping[str, str]
    figure: tuple[Any, str]


def of_lesson(
    title: str, about: str, steps: tuple[Told, ...], *, module: str, text: str, columns: Mapping[tuple[str, str], Database]
) -> Program | str:
    """The program, or a sentence that says why there is none. ``module`` and ``text``: the lesson's own file, of which the
    functions that it needs are shown once. ``columns``: the tables' own that it
    takes with it."""
    source = Source.of(text)
    if strange := [step.title for step in steps if step.find not in source.parts]:
        return _NO_FUNCTION.format(module=module, step=strange[0])
    cells = tuple(_cells(about, steps, source, columns))
    imported = source.imports_of("\n".join(cell.code for cell in cells if not isinstance(cell, Words)))
    foreign = [line for line in imported if line.startswith(("from pages", "import pages", "import streamlit", "from streamlit"))]
    if foreign:
        return _OF_THE_APP.format(module=module, line=foreign[0])
    return Program(title, cells, imports=imported)


def _cells(about: str, steps: tuple[Told, ...], source: Source, columns: Mapping[tuple[str, str], Database]) -> Iterator[Cell]:
    yield Words(_plain(f"{about}\n\n{_EACH}"))
    if columns:
        yield Words("## The tables\n\nThese are columns of public tables of the app. The lesson speaks of them.")
        held = "\n".join(_values(of, values) for of, values in columns.items())
        yield Lines(f"COLUMNS = {{}}\n{held}\n\n\ndef column(table, name):\n    return COLUMNS[table, name]")
    known = frozenset[str]()
    for step in steps:
        yield Words(_plain(f"## {step.title}\n\n{step.question}"))
        needed = source.needed(step.find, known)
        known |= frozenset(needed)
        if needed:
            yield Lines(source.lines_of(needed))
        yield Lines(
            f"found = {step.find}()\n{named('shown', dict(step.numbers))}  # in the app\n"
            'numbers = found["numbers"]\nassert numbers == shown, f"The app showed {shown}, and here they are {numbers}."\n'
            "print(numbers)"
        )
        yield Words(_plain(f"{step.reveal}\n\n{step.keep}\n\nThe chart: {step.chart}."))
        yield drawn(*step.figure)


def _plain(text: str) -> str:
    """Words of ours: no place in them is one for a text from outside."""
    return text.replace("{}", "{ }")


def _values(of: tuple[str, str], column: Database) -> str:
    """One column's, packed."""
    kind = dtype_code(np.dtype(column.dtype))
    return f'packed = """\n{written(column)}\n"""\n' + laid_out(
        Bracket("np.frombuffer(", (("", "zlib.decompress(base64.b64decode(packed))"), ("dtype=", kind)), ")"),
        before=f"COLUMNS[{literal(of[0])}, {literal(of[1])}] = ",
    )
