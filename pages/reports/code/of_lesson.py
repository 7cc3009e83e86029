"""A lesson as a program: its words with their numbers, and the functions of its own module that compute them anew."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import Database
from dpcore.registry.as_code import as_code, dtype_code
from dpcore.registry.laid_out import Bracket, Part, laid_out, literal
from dpcore.workbench.tables import Table
from pages.reports.code.cells import Cell, Figure, Lines, Program, Words
from pages.reports.code.python import named
from pages.reports.code.records import written
from pages.reports.code.source import Source

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
    """A step as its page says it, each number in its place. ``find``: the name of the function that computes it."""

    title: str
    question: str
    chart: str
    reveal: str
    keep: str
    find: str
    numbers: Mapping[str, str]


def of_lesson(
    title: str, about: str, steps: tuple[Told, ...], *, module: str, text: str, tables: tuple[Table, ...]
) -> Program | str:
    """The program, or a sentence that says why there is none. ``module`` and ``text``: the lesson's own file, of which the
    functions that it needs are shown once. ``tables``: those that it takes with it."""
    source = Source.of(text)
    if strange := [step.title for step in steps if step.find not in source.parts]:
        return _NO_FUNCTION.format(module=module, step=strange[0])
    cells = tuple(_cells(about, steps, source, tables))
    imported = source.imports_of("\n".join(cell.code for cell in cells if not isinstance(cell, Words)))
    foreign = [line for line in imported if line.startswith(("from pages", "import pages", "import streamlit", "from streamlit"))]
    if foreign:
        return _OF_THE_APP.format(module=module, line=foreign[0])
    return Program(title, cells, imports=imported)


def _cells(about: str, steps: tuple[Told, ...], source: Source, tables: tuple[Table, ...]) -> Iterator[Cell]:
    yield Words(_plain(f"{about}\n\n{_EACH}"))
    if tables:
        yield Words("## The tables\n\nThese are public tables of the app. The lesson speaks of them.")
    for table in tables:
        yield Lines(_table(table))
    known = frozenset[str]()
    for step in steps:
        yield Words(_plain(f"## {step.title}\n\n{step.question}"))
        needed = source.needed(step.find, known)
        known |= frozenset(needed)
        if needed:
            yield Lines(source.lines_of(needed))
        yield Lines(
            f"found = {step.find}()\n{named('shown', dict(step.numbers))}  # in the app\n"
            'assert dict(found.numbers) == shown, f"The app showed {shown}, and here they are {dict(found.numbers)}."\n'
            "print(dict(found.numbers))"
        )
        yield Words(_plain(f"{step.reveal}\n\n{step.keep}\n\nThe chart: {step.chart}."))
        yield Figure("chart, described = found.figure()")


def _plain(text: str) -> str:
    """Words of ours: no place in them is one for a text from outside."""
    return text.replace("{}", "{ }")


def _table(table: Table) -> str:
    """The table is brought along, with the values of its columns."""
    lines = ["values = {}"]
    for name, column in table.values.items():
        lines.append(_values(name, column))
    said: list[tuple[str, Part]] = [
        (f"{name}=", as_code(getattr(table, name)))
        for name in ("name", "columns", "public", "title", "about", "oracle", "target", "suggested_columns", "unit", "persons")
    ]
    made = Bracket("Table(", (*said, ("values=", "values")), ")")
    return "\n".join([*lines, laid_out(Bracket("tables.bring(", (("", made),), ")"))])


def _values(name: str, column: Database) -> str:
    """One column's, packed."""
    kind = dtype_code(np.dtype(column.dtype))
    return f'packed = """\n{written(column)}\n"""\n' + laid_out(
        Bracket("np.frombuffer(", (("", "zlib.decompress(base64.b64decode(packed))"), ("dtype=", kind)), ")"),
        before=f"values[{literal(name)}] = ",
    )
