"""Tables on this server's disk, which its host lists in DPCORE_TABLES: declared like an upload, and read at the press alone."""

from __future__ import annotations

import os
import secrets
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from dpcore.base.declared import TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.types import Target
from dpcore.errors import TableError
from dpcore.sql.file_digest import Stamps, stamps
from dpcore.sql.parquet_schema import ParquetSchema, files_of, schema_of
from dpcore.sql.parquet_table import MOST_BYTES, ParquetTable
from dpcore.sql.parquet_values import bytes_of
from pages.files.declarations.column_types.category import Category
from pages.files.declarations.column_types.number import Number
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import column_of, none_ready, problems, ready
from pages.files.declarations.proposal import identifies
from pages.files.forms import Parquet
from pages.files.table import Table

SETTING, KEY = "DPCORE_TABLES", "DPCORE_TABLES_KEY"
_LEAST_KEY = 16  # characters


def listed() -> dict[str, Path]:
    """The paths by the names that visitors see: ``name=path``, or a path that is called as its file is; in the host's order."""
    found: dict[str, Path] = {}
    for entry in filter(None, (one.strip() for one in os.environ.get(SETTING, "").split(os.pathsep))):
        name, _, path = entry.rpartition("=")
        found.setdefault(name.strip() or Path(path).stem, Path(path.strip()))
    return found


def rows(name: str) -> int:
    """How many rows a listed table has, as its files say; TableError where they are no table."""
    path = listed()[name]
    return _schema(path, _stamps(path)).n


def version(name: str) -> str:
    """Other once its files were changed; empty where there are none."""
    try:
        return str(hash(_stamps(listed()[name])))
    except TableError:
        return ""


def draft(name: str) -> Table:
    """A listed table as its files describe it, read once for their digest; TableError where it cannot be read.

    It is told from others by its seal: the digest in what a visitor saves would confirm a guess of a row.
    """
    path = listed()[name]
    table = _opened(path, _stamps(path))
    values = {one.name: np.empty(0, dtype="U1" if one.role == TEXT else np.float64) for one in table.columns}
    unused = tuple(_schema(path, _stamps(path)).others)
    return Table(name, table.columns, values, False, title=name, unused=unused, digest=table.seal, form=Parquet(), on_disk=table)


def proposed(of: Table) -> tuple[Declaration, ...]:
    """What the type of each column in the files says of it, and nothing that its values could say."""
    types = {one.name: Category.title if one.role == TEXT else Number.title for one in of.columns}
    used = {name for name in types if not identifies(name)} or set(types)
    return tuple(Declaration(name=name, type=kind, used=name in used) for name, kind in types.items())


def declared(of: Table, said: tuple[Declaration, ...]) -> Table:
    """The ready columns of a draft as they are declared; TableError where there are none, and for what is not read so on disk."""
    assert of.on_disk is not None
    chosen = ready(said)
    if not chosen:
        raise none_ready(list(problems(said).values()))
    for one in chosen:
        if one.codes or one.spellings or one.unit_behind:
            problem = f"{one.name} is declared with codes or other spellings, and a table on disk is read as it is written."
            raise TableError(problem, "Leave them out, or write the file anew.")
    columns = tuple(column_of(one, public=False) for one in chosen)
    return replace(of, columns=columns, on_disk=of.on_disk.declared(columns))


def refuse(table: Table, target: Target, columns: tuple[str, ...], n: int, *, worst_case: bool) -> None:
    """TableError for a question that a table on disk does not answer; of any other table nothing. ``worst_case``: whether its
    noise is sized to what is proved."""
    if table.on_disk is None:
        return
    if n != table.on_disk.n:
        problem = f"The table has {table.on_disk.n:,} rows, and the noise would be sized for {n:,}."
        raise TableError(problem, "Noise is sized for the table's own number of rows and no other.")
    if not (worst_case and answered_where_it_lies(table, target, columns)):
        table.on_disk.refuse_to_load(columns)
        replace(table, on_disk=None).prepare(columns, target)  # of no row: what is refused whatever the rows are


def answered_where_it_lies(table: Table, target: Target, columns: tuple[str, ...]) -> bool:
    """Whether a proved worst case of this question is answered from the files, without loading any column."""
    try:
        if table.on_disk is not None and not facts(target).written:
            table.on_disk.refuse(target, columns)
            return True
    except TableError:
        pass
    return False


def can_be_loaded(table: Table, columns: tuple[str, ...]) -> bool:
    """Whether these columns can be read into memory; those of any other table are there."""
    try:
        if table.on_disk is not None:
            table.on_disk.refuse_to_load(columns)
    except TableError:
        return False
    return True


def too_large(table: Table) -> bool:
    """Whether not one column of numbers can be read into memory: then what is not answered from the files is not asked."""
    return table.on_disk is not None and (bytes_of([Column("x")], table.on_disk.n) or 0) > MOST_BYTES


def can_be_asked(kind: type[Target]) -> bool:
    """Whether questions of this kind are answered from the files, or can be the same as one that is."""
    return bool(facts(kind).summands) or facts(kind).as_question is not None


def _stamps(path: Path) -> Stamps:
    try:
        return stamps(files_of(path))
    except OSError:
        raise TableError("A file of the table cannot be read.", "Ask whoever runs this server.") from None


@lru_cache(maxsize=64)
def _schema(path: Path, _: Stamps) -> ParquetSchema:
    """Read anew once a file was changed."""
    return schema_of(path)


@lru_cache(maxsize=64)
def _opened(path: Path, _: Stamps) -> ParquetTable:
    """For all tabs: the whole of it is read for the digest."""
    return ParquetTable.open(path, key=_key())


@lru_cache(maxsize=1)
def _key() -> bytes:
    """The host's, for seals that outlive a restart; else one of this process."""
    said = os.environ.get(KEY, "")
    return said.encode() if len(said) >= _LEAST_KEY else secrets.token_bytes(32)
