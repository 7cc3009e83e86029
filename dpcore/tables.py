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
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.bounds import Interval, interval
from dpcore.checks import numbers
from dpcore.errors import InvalidValueError, TableError, UnknownKindError
from dpcore.types import Database, FloatArray

if TYPE_CHECKING:
    import pandas as pd

MOST_BYTES = 50 * 2**20
MOST_TEXT_BYTES = 4 * MOST_BYTES  # all columns of text: an array of fixed width takes 4 bytes a character, short value or long
TEXT = "text"  # the role of a column whose values are strings
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
    """What is publicly declared of a column; ``categories`` are its codes where it holds categories.

    A column of text has the role "text" and neither bounds nor categories.
    """

    name: str
    label: str = ""
    unit: str = ""
    role: str = "measure"
    bounds: Interval | None = None
    categories: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.role == TEXT and (self.bounds, self.categories) != (None, None):
            expected = "None: the column holds text"
            raise InvalidValueError(f"bounds and categories of {self.name}", expected, (self.bounds, self.categories))
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
    replaced: int  # missing values that became the public default: the middle of the bounds, or the empty string
    clipped: int  # values outside the bounds
    dropped: int  # records left out, for public tables only


@final
@dataclass(frozen=True, eq=False)
class Table:
    """Named columns with their declarations. ``public`` is its holder's word; a confidential one drops no record.

    Values are floats, NaN where missing, or in a column of the role "text" strings of one width, '' where missing.
    """

    name: str
    columns: tuple[Column, ...]
    values: dict[str, Database] = field(repr=False)
    public: bool
    title: str = ""
    about: str = ""
    unused: tuple[str, ...] = ()  # columns that are empty, or hold more text than is read
    oracle: dict[str, Any] | None = None  # JSON of the oracle that the catalogue suggests
    target: dict[str, Any] | None = None  # JSON of the target that it suggests
    suggested_columns: tuple[str, ...] = ()  # the columns that these two are for
    digest: str = ""  # SHA-256 of the file: the same records under another name are the same table

    def __post_init__(self) -> None:
        for column in self.columns:
            is_text = self.values[column.name].dtype.kind == "U" if column.name in self.values else column.role == TEXT
            if is_text != (column.role == TEXT):
                expected = (
                    f'"{TEXT}", for its values are strings' if is_text else f'other than "{TEXT}", for its values are numbers'
                )
                raise InvalidValueError(f"role of {column.name}", expected, column.role)

    def __len__(self) -> int:
        return len(next(iter(self.values.values())))

    @property
    def text_columns(self) -> tuple[Column, ...]:
        """Those that hold strings."""
        return tuple(column for column in self.columns if column.role == TEXT)

    @property
    def number_columns(self) -> tuple[Column, ...]:
        """Those that hold numbers."""
        return tuple(column for column in self.columns if column.role != TEXT)

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
        arrays = self._picked(names)
        return int(_usable(arrays).sum()) if self.public else len(self)

    def prepare(self, names: tuple[str, ...]) -> Prepared:
        """(n,) for one column, of numbers or of text; (n, d) for several columns of numbers.

        Confidential: every record stays. A missing value becomes the middle of its bounds (so bounds are needed), missing text
        the empty string. Public: records with a missing or infinite value are dropped. Clipping is the target's; here it is
        counted.
        """
        arrays = self._picked(names)
        matrix = np.stack(arrays, axis=1)
        dropped = 0
        if self.public:
            usable = _usable(arrays)
            matrix, dropped = matrix[usable], int((~usable).sum())
        replaced, clipped = (int((matrix == "").sum()), 0) if matrix.dtype.kind == "U" else self._bounded(matrix, names)
        database = np.ascontiguousarray(matrix[:, 0] if len(names) == 1 else matrix)
        database.flags.writeable = False
        return Prepared(database, replaced, clipped, dropped)

    def _picked(self, names: tuple[str, ...]) -> list[Database]:
        if not names:
            raise InvalidValueError("columns", "at least one column", names)
        if len(names) > 1 and any(self.column(name).role == TEXT for name in names):
            raise InvalidValueError("columns", "columns of numbers, or a single column of text", names)
        return [self.values[self.column(name).name] for name in names]

    def _bounded(self, matrix: FloatArray, names: tuple[str, ...]) -> tuple[int, int]:
        """Puts the middle of the bounds in place of missing values; returns how many, and how many are out of bounds."""
        missing = np.isnan(matrix)
        clipped = 0
        for i, name in enumerate(names):
            bounds = self.column(name).bounds
            if bounds is None and not self.public:
                raise InvalidValueError(f"bounds of {name}", "declared before a confidential column is used", None)
            if bounds is not None:
                matrix[missing[:, i], i] = (bounds[0] + bounds[1]) / 2
                clipped += int(((matrix[:, i] < bounds[0]) | (matrix[:, i] > bounds[1])).sum())
        return int(missing.sum()), clipped


def _usable(arrays: list[Database]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.asarray(np.all([array != "" if array.dtype.kind == "U" else np.isfinite(array) for array in arrays], axis=0))


def read_csv(content: bytes, name: str, *, public: bool) -> Table:
    """A table from the bytes of a CSV in UTF-8 with one header line, at least two records and a column that is not empty.

    A column that is not all numbers is text: only the empty string is missing there, so that nobody named "NA" is lost.
    TableError, in a sentence on what came and one on what to do, for anything else.
    """
    import pandas as pd

    text = _decoded(content)
    delimiter, header = _header(text)
    frame = _frame(text, delimiter, header)
    if len(frame) < 2:
        raise TableError(
            f"The table has {len(frame)} record{'s' * (len(frame) != 1)} below its header; at least 2 are needed.",
            "Upload a table with more records.",
        )
    numeric = [column for column in header if pd.api.types.is_numeric_dtype(frame[column])]
    values: dict[str, Database] = {column: frame[column].to_numpy(dtype=np.float64, na_value=np.nan) for column in numeric}
    values = {column: array for column, array in values.items() if not np.isnan(array).all()}
    if words := [column for column in header if column not in numeric]:
        frame = _frame(text, delimiter, header, usecols=words, dtype=str, na_filter=False)
        values.update(_texts({column: frame[column].tolist() for column in words}))
    if not values:
        raise TableError(
            f"No column holds numbers or short text (there are {', '.join(header[:8])}).",
            "Upload a table with values in at least one column; write decimals with a point.",
        )
    columns = tuple(Column(column, role="measure" if column in numeric else TEXT) for column in header if column in values)
    unused = tuple(column for column in header if column not in values)
    digest = hashlib.sha256(content).hexdigest()
    return Table(name, columns, values, public, title=name, unused=unused, digest=digest)


def _frame(text: str, delimiter: str, header: list[str], **how: Any) -> pd.DataFrame:
    import pandas as pd

    text = text.lstrip("\n")
    blank = len(header) > 1  # in a single column a blank line is a record without a value
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)  # surplus values would be cut off with a warning
            warnings.simplefilter("ignore", pd.errors.DtypeWarning)  # a column of numbers and text: it is read again as text
            frame: pd.DataFrame = pd.read_csv(
                io.StringIO(text), sep=delimiter, skipinitialspace=True, header=0, names=header, index_col=False,
                skip_blank_lines=blank, **how,
            )  # fmt: skip
    except (pd.errors.ParserError, pd.errors.EmptyDataError, pd.errors.ParserWarning, ValueError) as error:
        problem = f"The file does not read as a CSV with {len(header)} columns: {str(error).strip()[:200]}."
        raise TableError(problem, "Give every record as many values as the header has names.") from None
    return frame


def _texts(columns: dict[str, list[str]]) -> dict[str, Database]:
    """Each column that holds text as an array of fixed width, in order, as long as they fit ``MOST_TEXT_BYTES`` together."""
    arrays: dict[str, Database] = {}
    left = MOST_TEXT_BYTES
    for name, values in columns.items():
        stripped = [value.strip() for value in values]
        width = max(map(len, stripped))
        if width and 4 * width * len(stripped) <= left:
            arrays[name] = np.array(stripped, dtype=f"U{width}")
            left -= arrays[name].nbytes
    return arrays


def read_catalog(folder: Path) -> dict[str, Table]:
    """The tables that ``folder/catalog.json`` lists, by name, with their declared bounds and roles."""
    tables = {}
    for entry in json.loads((folder / "catalog.json").read_text(encoding="utf-8")):
        table = read_csv((folder / entry["file"]).read_bytes(), entry["name"], public=entry["public"])
        columns = [Column(**column) for column in entry["columns"]]
        tables[table.name] = replace(
            table.declared(*columns),
            title=entry["title"],
            about=entry["about"],
            oracle=entry["oracle"],
            target=entry.get("target"),
            suggested_columns=tuple(entry.get("suggested", ())),
        )
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
