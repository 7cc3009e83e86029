"""Tables of files: read in a form that was detected or said, and those that come with the app."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from dpcore.base.declared import TEXT, Column
from dpcore.base.fingerprint import columns as identity
from dpcore.base.plain import to_plain
from dpcore.base.quoted import quoted
from dpcore.errors import TableError
from dpcore.guarantees.privacy import Unit
from pages.files.cells import Cells, has_zero_byte, values_of
from pages.files.csv_columns.detection import detected
from pages.files.csv_columns.file_content import within_memory
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header import different, listed, refuse_unnamed, renamed
from pages.files.csv_columns.records import read_cells
from pages.files.forms import Form, Parquet, Seen, Sheet, best, first_lines, proposed
from pages.files.limits import LARGE_COLUMNS, in_turn
from pages.files.parser_process import parsed
from pages.files.persons import Persons
from pages.files.table import Prepared, Table

MOST_HERE = 2**20  # bytes of a text that is parsed in this process: that takes a tenth of a second
__all__ = [
    "TEXT",
    "Column",
    "Form",
    "Format",
    "Parquet",
    "Persons",
    "Prepared",
    "Seen",
    "Sheet",
    "Table",
    "best",
    "first_lines",
    "proposed",
    "read_catalog",
    "read_csv",
    "read_file",
]


def read_csv(content: bytes, name: str, *, public: bool, form: Format | None = None) -> Table:
    """A table from the bytes of a CSV, or of text like it, read in this form; TableError for what cannot be read.

    Without a form it is read as it seems to be written, which depends on its records: show ``Table.form`` to its holder, and
    give it from then on.
    """
    form = form or detected(content)
    return _table(name, read_cells(content, form), public=public, form=form)


def read_file(content: bytes, name: str, form: Form, *, public: bool) -> Table:
    """A table from the bytes of a file that is read in this form; TableError for what cannot be read.

    It is parsed once: the table keeps its cells as they are written. A large one is parsed in a process of its own, and this one
    goes on meanwhile.
    """
    if isinstance(form, Format) and len(content) <= MOST_HERE:
        cells = read_cells(content, form)
    elif isinstance(form, Format):
        cells = _cells(*parsed(content, "text", to_plain(form)))
    elif isinstance(form, Parquet):
        cells = _cells(*parsed(content, "parquet"))
    else:
        cells = _cells(*parsed(content, "sheet", form.name, form.names.first, form.names.lines, form.decimal))
    with in_turn(cells.most_bytes, LARGE_COLUMNS):
        return _table(name, cells, public=public, form=form)


def _cells(said: dict[str, Any], found: Any) -> Cells:
    """Without columns that hold a zero byte, which an array of texts would drop at a text's end."""
    columns = dict(zip(found.column_names, found.columns, strict=True))
    kept = {name: column for name, column in columns.items() if not any(has_zero_byte(chunk) for chunk in column.chunks)}
    return Cells(said["names"], kept, frozenset(said.get("texts", ())), tuple(said.get("rounded", ())))


@within_memory()
def _table(name: str, cells: Cells, *, public: bool, form: Form) -> Table:
    values = values_of(cells, form.written)
    header = different(cells.names)
    if not values:
        there = f"there {'are' if len(header) > 1 else 'is'} {listed([*map(quoted, header)])}"
        raise TableError(
            f"No column holds numbers or short text ({there}).",
            "Upload a table with values in at least one column.",
        )
    if not isinstance(form, Parquet):
        refuse_unnamed(cells.names, values)
    columns = tuple(Column(column, role=TEXT if values[column].dtype.kind == "U" else "measure") for column in values)
    unused = tuple(column for column, own in zip(header, cells.names, strict=True) if own and column not in values)
    digests = identity.digests(values)
    told_by = frozenset(digest for column, digest in digests.items() if identity.telling(values[column]))
    told_by |= identity.unordered(values)
    return Table(
        name,
        columns,
        values,
        public,
        title=name,
        unused=unused,
        renamed=renamed(cells.names) + tuple(map(_rounded, cells.rounded)),
        digest=identity.of_table(digests.values()),
        told_by=told_by,
        form=form,
        cells=cells,
    )


def _rounded(column: str) -> str:
    return (
        f"Numbers in {quoted(column)} have more digits than can be read from a workbook of this kind: the last may be wrong. "
        "Save it as .xlsx if they are identifiers."
    )


def read_catalog(folder: Path) -> dict[str, Table]:
    """The tables that ``folder/catalog.json`` lists, by name, with their declared bounds, roles, units and people."""
    tables = {}
    for entry in json.loads((folder / "catalog.json").read_text(encoding="utf-8")):
        table = read_csv((folder / entry["file"]).read_bytes(), entry["name"], public=entry["public"])
        tables[table.name] = replace(
            table,
            cells=None,
            columns=tuple(Column(**column) for column in entry["columns"]),
            persons=Persons(**entry["persons"]) if "persons" in entry else None,
            title=entry["title"],
            about=entry["about"],
            oracle=entry["oracle"],
            target=entry.get("target"),
            suggested_columns=tuple(entry.get("suggested", ())),
            unit=Unit(**entry.get("unit", {})),
        )
    return tables
