"""What a Parquet file, or a folder of them, says of itself: its columns and how many rows it has. No value is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from dpcore.base.bounds import MOST_RECORDS
from dpcore.base.declared import TEXT, Column
from dpcore.base.extras import needs
from dpcore.base.quoted import quoted
from dpcore.errors import TableError

_ENDS = (".parquet", ".pq")
_MOST_FILES = 10_000
_WRITE = "Write it again as a Parquet file, without encryption."


@final
@dataclass(frozen=True)
class ParquetSchema:
    """``columns``: those that can be asked, of texts or of numbers. ``others``: those that cannot, each with its type."""

    files: tuple[Path, ...]
    n: int
    columns: tuple[Column, ...]
    others: dict[str, str]


def schema_of(path: Path) -> ParquetSchema:
    """Of a file, or of all files of a folder and of those within it; TableError where they are no one table with rows."""
    with needs("sql"):
        import pyarrow as pa
        import pyarrow.parquet as pq

    files, n, first = files_of(path), 0, None
    if starred := [file for file in files if {"*", "?"} & set(str(file))]:  # DuckDB would look for other names that fit
        raise TableError(f"The path of {quoted(starred[0].name)} has a star or a question mark.", "Give it another name.")
    for file in files:
        try:
            said = pq.ParquetFile(file)
            n, own = n + said.metadata.num_rows, said.schema_arrow
        except (pa.ArrowException, OSError, ValueError):
            raise TableError(f"The file {quoted(file.name)} cannot be read as Parquet.", _WRITE) from None
        if first is not None and not own.equals(first):
            problem = f"The files of the folder {quoted(path.name)} have not the same columns: {quoted(file.name)} has others."
            raise TableError(
                problem, "Put files with the same columns, in the same order and of the same types, into one folder."
            )
        first = own
    assert first is not None
    if not 0 < n <= MOST_RECORDS:
        problem = f"The table {quoted(path.name)} has {'no row' if not n else 'too many rows'}."
        raise TableError(problem, "Name a table with rows.")
    if len({name.casefold() for name in first.names}) < len(first.names):
        problem = f"Two columns of {quoted(path.name)} have names that differ by capitals alone, or not at all."
        raise TableError(problem, "Give each column a name of its own.")
    roles = {field.name: _role(field.type) for field in first}
    columns = tuple(Column(name, role=role) for name, role in roles.items() if role)
    if not columns:
        raise TableError(f"No column of {quoted(path.name)} holds numbers or text.", "Name a table that has one.")
    return ParquetSchema(files, n, columns, {name: str(first.field(name).type) for name, role in roles.items() if not role})


def files_of(path: Path) -> tuple[Path, ...]:
    """The file itself, or those of a folder in the order of their names."""
    if not path.exists():
        raise TableError(f"There is no file or folder {quoted(path.name)}.", "Look at its path.")
    if not path.is_dir():
        return (path,)
    found = tuple(sorted(file for file in path.rglob("*") if file.suffix.lower() in _ENDS and file.is_file()))
    if not 0 < len(found) <= _MOST_FILES:
        problem = f"The folder {quoted(path.name)} has {f'more than {_MOST_FILES:,}' if found else 'no'} Parquet files."
        raise TableError(problem, "Name a folder with files that end in .parquet.")
    return found


def _role(kind: Any) -> str:
    """That of a column of texts or of numbers; empty of one of another type."""
    import pyarrow as pa

    of = kind.value_type if pa.types.is_dictionary(kind) else kind
    texts: tuple[Callable[[Any], bool], ...] = (pa.types.is_string, pa.types.is_large_string)
    numbers = (pa.types.is_integer, pa.types.is_float32, pa.types.is_float64, pa.types.is_boolean, pa.types.is_decimal128)
    return TEXT if any(is_it(of) for is_it in texts) else "measure" if any(is_it(of) for is_it in numbers) else ""
