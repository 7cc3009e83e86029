"""Tables of files: read in a form that was detected or said, and those that come with the app."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from dpcore.base.declared import TEXT, Column
from dpcore.base.fingerprint import columns as identity
from dpcore.base.people import CODE, KEY, PERSON
from dpcore.base.plain import to_plain
from dpcore.base.types import Database
from dpcore.guarantees.unit import Unit
from pages.files.csv_columns.detection import detected
from pages.files.csv_columns.file_content import within_memory
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header import different, renamed
from pages.files.csv_columns.records import read_as_declared, read_columns
from pages.files.forms import Form, Parquet, Seen, Sheet, best, first_lines, parsed, proposed
from pages.files.large_files import count, one_at_a_time
from pages.files.persons import Persons, people_of_text
from pages.files.table import Prepared, Table

MOST_HERE = 2**20  # bytes of a text that is read in this process: that takes a tenth of a second
MOST_THERE = 2**24  # of one that is read in another, whose memory is bounded: a longer one is read here, within limits of its own
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
    "names_again",
    "people_again",
    "proposed",
    "read_again",
    "read_catalog",
    "read_csv",
    "read_file",
]


def read_csv(
    content: bytes,
    name: str,
    *,
    public: bool,
    form: Format | None = None,
    numbers: frozenset[str] = frozenset(),
) -> Table:
    """A table from the bytes of a CSV, or of text like it, read in this form; TableError for what cannot be read.

    Without a form it is read as it seems to be written, which depends on its records: show ``Table.form`` to its holder, and
    give it from then on. So it is with the columns that hold ``numbers``: of one that is named there, no value can make text.
    """
    form = form or detected(content)
    names, values = read_columns(content, form, numbers)
    return _table(name, names, values, public=public, form=form)


@one_at_a_time
def read_file(content: bytes, name: str, form: Form, *, public: bool) -> Table:
    """A table from the bytes of a file that is read in this form; TableError for what cannot be read.

    A large one is read in a process of its own: this one goes on meanwhile, and takes no memory but for the columns.
    """
    if isinstance(form, Parquet):
        said, arrays = parsed(content, "parquet")
        names, values = said["names"], dict(zip(said["read"], arrays, strict=True))
    else:
        names, values = _read(*_as_text(content, form))
    return _table(name, names, values, public=public, form=form)


def _read(text: bytes, form: Format) -> tuple[list[str], dict[str, Database]]:
    if not _apart(text):
        return read_columns(text, form)
    said, arrays = parsed(text, "text", to_plain(form), [])
    return said["names"], dict(zip(said["read"], arrays, strict=True))


@one_at_a_time
def read_again(content: bytes, form: Form, numbers: frozenset[str], words: Mapping[str, int]) -> dict[str, Database]:
    """Columns of a file that was read before, as ``read_as_declared`` has them; none of a Parquet file, which has types."""
    if isinstance(form, Parquet):
        return {}
    text, written = _as_text(content, form)
    if not _apart(text):
        return read_as_declared(text, written, numbers, words)
    said, arrays = parsed(text, "declared text", to_plain(written), sorted(numbers), dict(words))
    return dict(zip(said["read"], arrays, strict=True))


@one_at_a_time
def people_again(content: bytes, form: Format | Sheet, column: str, rows: int, codes: Sequence[str] = ()) -> Database:
    """``people_of_text`` of a file of any kind that was read before, but Parquet."""
    text, written = _as_text(content, form)
    if not _apart(text):
        return people_of_text(text, written, column, rows, codes)
    _, (whom, keys) = parsed(text, "people", to_plain(written), column, rows, list(codes))
    whose = np.empty(len(whom), dtype=PERSON)
    whose[CODE], whose[KEY] = whom, keys
    return whose


@one_at_a_time
def names_again(content: bytes, column: str) -> Database | None:
    """The names in a column of a Parquet file that was read before, as they are written; None of one of text, or of floats."""
    found = parsed(content, "parquet names", column)[1]
    return found[0] if found else None


def _apart(text: bytes) -> bool:
    return MOST_HERE < len(text) <= MOST_THERE


def _as_text(content: bytes, form: Format | Sheet) -> tuple[bytes, Format]:
    """A sheet as the CSV that it is."""
    if isinstance(form, Format):
        return content, form
    text = parsed(content, "sheet", form.name, form.names.first, form.names.lines, form.decimal)[1][0].tobytes()
    count(len(text))
    return text, form.written


def _table(name: str, names: list[str], values: dict[str, Database], *, public: bool, form: Form) -> Table:
    columns = tuple(Column(column, role=TEXT if values[column].dtype.kind == "U" else "measure") for column in values)
    header = different(names)
    unused = tuple(column for column, own in zip(header, names, strict=True) if own and column not in values)
    with within_memory():
        digests = identity.digests(values)
        told_by = frozenset(digest for column, digest in digests.items() if identity.telling(values[column]))
        told_by |= identity.unordered(values)
    whole = identity.of_table(digests.values())
    table = Table(name, columns, values, public, title=name, unused=unused, digest=whole, told_by=told_by, form=form)
    return replace(table, renamed=renamed(names))


def read_catalog(folder: Path) -> dict[str, Table]:
    """The tables that ``folder/catalog.json`` lists, by name, with their declared bounds, roles, units and people."""
    tables = {}
    for entry in json.loads((folder / "catalog.json").read_text(encoding="utf-8")):
        table = read_csv((folder / entry["file"]).read_bytes(), entry["name"], public=entry["public"])
        tables[table.name] = replace(
            table,
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
