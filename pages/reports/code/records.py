"""A public table's records as Python that holds them, or that reads them from a CSV file beside it."""

from __future__ import annotations

import base64
import csv
import io
import zlib
from collections.abc import Callable
from functools import partial

import numpy as np

from dpcore.base.types import Database
from dpcore.registry.as_code import dtype_code
from dpcore.registry.laid_out import laid_out
from pages.reports.code.cells import Cell, Words

MOST_HELD = 1_000_000  # characters
FILE = "records.csv"
_LINE = 110
_DENSEST = 16  # bytes of records to a character: of larger ones nobody tries


def as_lines(database: Database) -> str | None:
    """Lines that make ``database``, in which its bytes are a text; None for a table of which that text is too long."""
    if database.nbytes > _DENSEST * MOST_HELD:
        return None
    rows = written(database)
    if len(rows) > MOST_HELD:
        return None
    kind = laid_out(dtype_code(database.dtype), before="kind = ")
    shaped = f".reshape({database.shape[0]}, {database.shape[1]})" if database.ndim > 1 else ""
    return (
        f'RECORDS = """\n{rows}\n"""\n{kind}\n'
        f"database = np.frombuffer(zlib.decompress(base64.b64decode(RECORDS)), dtype=kind){shaped}"
    )


def written(values: Database) -> str:
    """The bytes of an array as lines of text."""
    packed = base64.b64encode(zlib.compress(np.ascontiguousarray(values).tobytes(), 9)).decode("ascii")
    return "\n".join(packed[at : at + _LINE] for at in range(0, len(packed), _LINE))


def beside(database: Database | None, cells: tuple[Cell, ...]) -> tuple[str, Callable[[], str]] | None:
    """The file that the cells read, and what writes it; None where they read none."""
    if database is None or not any(f'"{FILE}"' in cell.code for cell in cells if not isinstance(cell, Words)):
        return None
    return FILE, partial(as_csv, database)


def read_beside(database: Database) -> str:
    """Lines that make ``database`` from the file beside the program."""
    opened = f'with (HERE / "{FILE}").open(newline="", encoding="utf-8") as file:\n    rows = list(csv.reader(file))[1:]\n'
    if database.dtype.names is None and database.dtype.kind == "U":
        return f"{opened}database = np.array([row[0] for row in rows], dtype={database.dtype.str!r})"
    if database.dtype.names is None:
        flat = ".reshape(-1)" if database.ndim == 1 else ""
        return f"{opened}database = np.array(rows, dtype=float){flat}"
    kind = laid_out(dtype_code(_flat(database)), before="kind = ")
    whole = laid_out(dtype_code(database.dtype), before="whole = ")
    return (
        f"{opened}{kind}\n{whole}\n"
        "database = np.array([tuple(row) for row in rows], dtype=kind).view(whole)  # the fields of a person side by side"
        if _flat(database) != database.dtype
        else f"{opened}{kind}\ndatabase = np.array([tuple(row) for row in rows], dtype=kind)"
    )


def as_csv(database: Database) -> str:
    """The file: a line of names, then a record each; numbers with all their digits."""
    kind = _flat(database)
    names = kind.names or tuple(f"column {place}" for place in range(1, (database.shape[1] if database.ndim > 1 else 1) + 1))
    rows = database.view(kind).tolist() if kind.names else database.reshape(len(database), -1).tolist()
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(names)
    table.writerows(rows)
    return text.getvalue()


def _flat(database: Database) -> np.dtype[np.void]:
    """The type with each field of a field beside the others."""
    kind = database.dtype
    if kind.names is None or kind.fields is None:
        return kind
    flat = []
    for name in kind.names:
        inner = kind.fields[name][0]
        flat += [(name, inner.str)] if inner.names is None else [(f"{name}.{one}", inner[one].str) for one in inner.names]
    return np.dtype(flat)
