"""Tables: reading a CSV, what its holder declares of the columns, and the database that a target gets."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import warnings
from collections import Counter
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, final

import numpy as np

from dpcore.bounds import Interval, interval
from dpcore.checks import numbers
from dpcore.errors import InvalidValueError, TableError, UnknownKindError
from dpcore.types import Database, FloatArray

MOST_BYTES = 50 * 2**20
_MAGIC = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a ZIP archive or an Excel workbook",
    b"\xd0\xcf\x11\xe0": "an old or password-protected Excel workbook",
    b"\x1f\x8b": "a gzip archive",
    b"%PDF": "a PDF",
    b"\x89PNG": "a picture",
}


@final
@dataclass(frozen=True, slots=True)
class Column:
    """What is publicly declared of a column; ``categories`` are its codes where it holds categories."""

    name: str
    label: str = ""
    unit: str = ""
    role: str = "measure"
    bounds: Interval | None = None
    categories: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.bounds is not None:
            object.__setattr__(self, "bounds", interval(f"bounds of {self.name}", self.bounds))
        if self.categories is not None:
            object.__setattr__(self, "categories", numbers(f"categories of {self.name}", self.categories))

    @property
    def words(self) -> str:
        """Its label with its unit."""
        return (self.label or self.name) + (f" ({self.unit})" if self.unit else "")


@final
@dataclass(frozen=True, slots=True)
class Prepared:
    """A database, and what was done to its records: these counts are as confidential as the table."""

    database: Database
    replaced: int  # missing values that became the public default
    clipped: int  # values outside the bounds
    dropped: int  # records left out, for public tables only


@final
@dataclass(frozen=True, eq=False)
class Table:
    """Named numeric columns with their declarations. ``public`` is its holder's word; a confidential one drops no record."""

    name: str
    columns: tuple[Column, ...]
    values: dict[str, FloatArray] = field(repr=False)
    public: bool
    title: str = ""
    about: str = ""
    unused: tuple[str, ...] = ()  # columns that hold text
    oracle: dict[str, Any] | None = None  # JSON of the oracle that the catalogue suggests
    digest: str = ""  # SHA-256 of the file: the same records under another name are the same table

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    def column(self, name: str) -> Column:
        """A column's declaration; UnknownKindError where there is none of that name."""
        found = [column for column in self.columns if column.name == name]
        if not found:
            raise UnknownKindError(f"column of {self.title or self.name}", name, tuple(c.name for c in self.columns))
        return found[0]

    def declared(self, *columns: Column, public: bool | None = None) -> Table:
        """The table with these declarations in place of the old ones."""
        new = {column.name: column for column in columns}
        kept = tuple(new.get(column.name, column) for column in self.columns)
        return replace(self, columns=kept, public=self.public if public is None else public)

    def size(self, names: tuple[str, ...]) -> int:
        """How many records ``prepare`` returns."""
        return len(self) if not self.public else int(self._usable(names).sum())

    def prepare(self, names: tuple[str, ...]) -> Prepared:
        """(n,) for one column, (n, d) for several.

        Confidential: every record stays, a missing value becomes the middle of its bounds (so bounds are needed).
        Public: records with a missing or infinite value are dropped. Clipping is the target's; here it is counted.
        """
        if not names:
            raise InvalidValueError("columns", "at least one column", names)
        matrix = np.stack([self.values[self.column(name).name] for name in names], axis=1)
        dropped = 0
        if self.public:
            usable = self._usable(names)
            matrix, dropped = matrix[usable], int((~usable).sum())
        missing = np.isnan(matrix)
        clipped = 0
        for i, name in enumerate(names):
            bounds = self.column(name).bounds
            if bounds is None and not self.public:
                raise InvalidValueError(f"bounds of {name}", "declared before a confidential column is used", None)
            if bounds is not None:
                matrix[missing[:, i], i] = (bounds[0] + bounds[1]) / 2
                clipped += int(((matrix[:, i] < bounds[0]) | (matrix[:, i] > bounds[1])).sum())
        database = np.ascontiguousarray(matrix[:, 0] if len(names) == 1 else matrix)
        database.flags.writeable = False
        return Prepared(database, int(missing.sum()), clipped, dropped)

    def _usable(self, names: tuple[str, ...]) -> np.ndarray[Any, np.dtype[np.bool_]]:
        return np.asarray(np.all([np.isfinite(self.values[self.column(name).name]) for name in names], axis=0))


def read_csv(content: bytes, name: str, *, public: bool) -> Table:
    """A table from the bytes of a CSV in UTF-8 with one header line and at least two records and one numeric column.

    TableError, in a sentence on what came and one on what to do, for anything else.
    """
    import pandas as pd

    text = _decoded(content)
    delimiter, header = _header(text)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # surplus values would be cut off with a warning
            frame = pd.read_csv(io.StringIO(text), sep=delimiter, skipinitialspace=True, header=0, names=header, index_col=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning, ValueError) as error:
        problem = f"The file does not read as a CSV with {len(header)} columns: {str(error).strip()[:200]}."
        raise TableError(problem, "Give every record as many values as the header has names.") from None
    if len(frame) < 2:
        raise TableError(
            f"The table has {len(frame)} record{'s' * (len(frame) != 1)} below its header; at least 2 are needed.",
            "Upload a table with more records.",
        )
    numeric = [column for column in header if pd.api.types.is_numeric_dtype(frame[column])]
    values = {column: frame[column].to_numpy(dtype=np.float64, na_value=np.nan) for column in numeric}
    values = {column: array for column, array in values.items() if not np.isnan(array).all()}
    if not values:
        raise TableError(
            f"No column holds numbers (there are {', '.join(header[:8])}).",
            "Upload a table with at least one numeric column; write categories as numbers, and decimals with a point.",
        )
    columns = tuple(Column(column) for column in values)
    unused = tuple(column for column in header if column not in values)
    digest = hashlib.sha256(content).hexdigest()
    return Table(name, columns, values, public, title=name, unused=unused, digest=digest)


def read_catalog(folder: Path) -> dict[str, Table]:
    """The tables that ``folder/catalog.json`` lists, by name, with their declared bounds and roles."""
    tables = {}
    for entry in json.loads((folder / "catalog.json").read_text(encoding="utf-8")):
        table = read_csv((folder / entry["file"]).read_bytes(), entry["name"], public=entry["public"])
        columns = [Column(**column) for column in entry["columns"]]
        tables[table.name] = replace(table.declared(*columns), title=entry["title"], about=entry["about"], oracle=entry["oracle"])
    return tables


def _decoded(content: bytes) -> str:
    if len(content) > MOST_BYTES:
        raise TableError(
            f"The file has {len(content) / 2**20:.0f} MB; at most {MOST_BYTES // 2**20} MB are read.",
            "Leave out columns or records that are not needed.",
        )
    if not content.strip():
        raise TableError("The file is empty.", "Upload a CSV with a header line and at least 2 records.")
    for magic, what in _MAGIC.items():
        if content.startswith(magic):
            raise TableError(f"The file is {what}, whatever its name says.", "Open it and save it as CSV (UTF-8).")
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise TableError("The file is in UTF-16.", "Save it as “CSV UTF-8”.")
    if b"\0" in content:
        raise TableError("The file holds binary data, not text.", "Save the table as CSV (UTF-8).")
    try:
        return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise TableError(
            f"The file is not in UTF-8: byte {content[error.start]:#04x} in line {line:,} is none of its characters.",
            "Save it as “CSV UTF-8”; it may be in Latin-1 or Windows-1252 now.",
        ) from None


def _header(text: str) -> tuple[str, list[str]]:
    if text.lstrip().startswith(("<", "{", "[")):
        raise TableError("The file is not a CSV: it begins like a web page or JSON.", "Save the table as CSV (UTF-8).")
    first = text.lstrip("\n").split("\n", 1)[0]
    delimiter = max(",;\t|", key=lambda mark: first.count(mark) * 10 + (mark == ","))
    try:
        header = [name.strip() for name in next(csv.reader(io.StringIO(text.lstrip("\n")), delimiter=delimiter))]
    except csv.Error as error:
        raise TableError(f"The header cannot be read: {error}.", "Put short names of columns in the first line.") from None
    missing = [str(i + 1) for i, name in enumerate(header) if not name]
    if missing:
        problem = f"Column {', '.join(missing)} of the header has no name."
        raise TableError(problem, "Give every column a name in the first line.")
    twice = [name for name, count in Counter(header).items() if count > 1]
    if twice:
        raise TableError(f"The header names {', '.join(map(repr, twice))} more than once.", "Give each column its own name.")
    if all(_is_number(name) for name in header):
        problem = "The first line holds numbers, not names of columns."
        raise TableError(problem, "Put a line with the columns' names before the records.")
    return delimiter, header


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
