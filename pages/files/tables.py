"""Tables: read from files or the catalogue, with the declarations of their columns, and the database that a target gets."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpcore.base import table_digests as identity
from dpcore.base import users
from dpcore.base.arrays import Database, FloatArray
from dpcore.base.columns import CONSTANT, KNOWN, PERSON, TEXT, Column, of_numbers
from dpcore.base.serialization import to_plain
from dpcore.base.text import quoted
from dpcore.base.types import Target, as_target
from dpcore.errors import InvalidValueError, TableError, UnknownKindError
from dpcore.guarantees.privacy import Adjacency, Unit
from pages.files import text_detection
from pages.files.cells import Cells, values_of
from pages.files.form import Form, Format, HeaderLines, Parquet, Seen, Sheet
from pages.files.header import different, listed, renamed
from pages.files.limits import in_turn
from pages.files.parquet import ENCRYPTED, UNENCRYPTED
from pages.files.parser_process import parsed
from pages.files.persons import Guesses, Persons
from pages.files.text_file import read_cells, refuse_sizes, within_memory

__all__ = ["TEXT", "Column", "Form", "Format", "Parquet", "Persons", "Seen", "Sheet"]  # what callers need beside a table
_WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_LEAST_ROWS = 2  # below the names
MOST_HERE = 2**20  # bytes of a text that is parsed in this process: that takes a tenth of a second
_KNOWN_ALONE = "A missing value fits no condition and no group. Only known values count."
_OWN_RULE = "A missing value stayed missing, and what is asked says what becomes of it."
AS_IT_IS = as_target(lambda database: database)  # takes plain numbers or text, and says nothing else of itself


@final
@dataclass(frozen=True, eq=False)
class Table:
    """Named columns with their declarations.

    A public table drops records with missing values; a confidential one keeps every record. Values are floats, NaN if missing, or
    in a column of the role "text" strings of one width, '' if missing.
    """

    name: str
    columns: tuple[Column, ...]
    values: dict[str, Database] = field(repr=False)
    public: bool
    title: str = ""
    about: str = ""
    unused: tuple[str, ...] = ()  # columns that are empty, or hold more text than is read
    renamed: tuple[
        str, ...
    ] = ()  # sentences on columns that are called otherwise than in their file, or whose numbers are rounded
    oracle: dict[str, Any] | None = None  # JSON of the oracle that the catalogue suggests
    target: dict[str, Any] | None = None  # JSON of the target that it suggests
    suggested_columns: tuple[str, ...] = ()  # the columns that these two are for
    digest: str = field(default="", repr=False)  # of its columns' values: under any names, in any form of file
    told_by: frozenset[str] = field(default=frozenset(), repr=False)  # digests of columns that other records hardly have
    unit: Unit = field(default_factory=Unit)  # of one row, and whether one person can have several
    form: Form | None = None  # how its file was read
    cells: Cells = field(default_factory=Cells, repr=False)  # of its file as they are written, until the columns are declared
    persons: Persons | None = None  # the person of each row; then records are people
    left_out: str = ""  # in words: lines of its file that are not records, and rows that count as missing
    guesses: Guesses = field(default_factory=Guesses)  # of the user, before any access to the table
    stated: int | None = None  # approximate number of records, stated before any access to them; None if the true one is public

    def __post_init__(self) -> None:
        for column in self.columns:
            is_text = self.values[column.name].dtype.kind == "U"
            if is_text != (column.role == TEXT):
                expected = (
                    f"“{TEXT}”, for its values are texts" if is_text else f"other than “{TEXT}”, for its values are numbers"
                )
                raise InvalidValueError(f"role of {quoted(column.name)}", expected, column.role)

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(next(iter(self.values.values())))

    @property
    def adjacency(self) -> Adjacency:
        """The difference between the table and its neighbours."""
        return self.adjacency_of_rows if self.persons is None else self.persons.adjacency

    @property
    def adjacency_of_rows(self) -> Adjacency:
        """The adjacency of a question about rows: one is replaced if their number is public, otherwise added or removed."""
        public = self.stated is None or self.persons is not None
        return Adjacency.REPLACE_ONE_RECORD if public else Adjacency.ADD_OR_REMOVE_ONE_RECORD

    @cached_property
    def _arranged(self) -> tuple[NDArray[np.int64], Database]:
        """The order that puts the rows of each person together, and the person of each row."""
        assert self.persons is not None
        whose = self.values[self.persons.column]
        rows = whose if whose.dtype == users.PERSON else users.numbered(whose)
        return users.in_order(rows)

    @property
    def text_columns(self) -> tuple[Column, ...]:
        """Columns of text."""
        return tuple(column for column in self.columns if column.role == TEXT)

    @property
    def number_columns(self) -> tuple[Column, ...]:
        """Columns of numbers."""
        return tuple(column for column in self.columns if column.role != TEXT)

    @property
    def persons_column(self) -> tuple[Column, ...]:
        """The column that names the person of each row; nothing if records are rows."""
        return () if self.persons is None else (Column(self.persons.column, role=PERSON),)

    def column(self, name: str) -> Column:
        """Return the declaration of a column. Raise UnknownKindError if there is none."""
        found = [column for column in (*self.persons_column, *self.columns) if column.name == name]
        if not found:
            raise UnknownKindError(f"column of {self.title or self.name}", name, tuple(c.name for c in self.columns))
        return found[0]

    def taken(self, names: tuple[str, ...], target: Target) -> tuple[Column, ...]:
        """Return the columns as a target takes them: those of categories as numbers, if it asks for that."""
        columns = tuple(self.column(name) for name in names)
        return tuple(column.coded for column in columns) if target.accepts_codes else columns

    def declared(self, *columns: Column, public: bool | None = None) -> Table:
        """Return the table with these declarations in place of the old ones."""
        new = {column.name: column for column in columns}
        kept = tuple(new.get(column.name, column) for column in self.columns)
        return replace(self, columns=kept, public=self.public if public is None else public)

    def size(self, names: tuple[str, ...], target: Target = AS_IT_IS) -> int:
        """Return the number of records of ``prepare``: of people if records are people, or the stated number."""
        if self.persons is not None:
            return self.persons.stated or users.count(self._arranged[1])
        if self.stated is not None:
            return self.stated
        if target.accepts_structured:
            return len(self)
        arrays = self._picked(names, target)
        return int(_usable(arrays).sum()) if self.public else len(self)

    def read_as(self, names: tuple[str, ...]) -> str:
        """Return how the file and these columns are read, as the user declared; empty for a table of the catalogue."""
        if self.form is None or not any(column.read_as for column in self.columns):
            return ""
        kinds = [f"{name} as {self.column(name).read_as}" for name in names if self.column(name).read_as]
        return f"The file was read as {self.form.words}{''.join(f'; {kind}' for kind in kinds)}."

    def missing_rule(self, names: tuple[str, ...], target: Target = AS_IT_IS) -> str:
        """Return what ``prepare`` does with missing values of these columns for this target, in one or several sentences."""
        chosen = [self.column(name) for name in names]
        said = [*filter(None, [self.left_out]), *(_rule_of(column) for column in chosen if column.missing)]
        if target.accepts_codes:
            said += [_neither(column, target, self.public) for column in chosen if column.classes and column.role == TEXT]
        if self.persons is not None and target.person is not None:
            said.append(self.persons.words)
        if target.accepts_structured:
            none = _OWN_RULE if target.reads_missing else _KNOWN_ALONE
            kept = [] if target.person is not None else ["No row was left out."]
            return " ".join([*said, none, *kept])
        if self.public:
            return " ".join([*said, "Rows with a missing or infinite value were left out."])
        if open_ := [column.name for column in chosen if not column.missing]:
            other = "a missing category none more than another" if target.accepts_codes else "missing text the empty text"
            filled = f"became the middle of its public bounds, {other}"
            what = "stayed missing: only known values count" if _keeps_missing(target) else filled
            said.append(f"A missing value {what}." if len(open_) == len(chosen) else f"A missing {listed(open_)} {what}.")
        return " ".join([*said, "No row was left out."])

    def prepare(self, names: tuple[str, ...], target: Target = AS_IT_IS) -> Database:
        """Return the database that a target gets.

        Of a confidential table every record stays. A missing value becomes the middle of its bounds, and missing text the empty
        string. For a ``target`` that takes missing values they stay missing, and a column of which only known values count is
        for such a target only. Of a public table, records with a missing or infinite value are dropped. Values out of bounds
        stay: the target clips them.

        Args:
            names: The columns.
            target: The target; by default one that takes plain numbers or text.

        Returns:
            A read-only array: shape (n,) for one column, (n, d) for several columns of numbers; for a target that takes named
            fields a structured array (n,) of every record, public or not.

        Raises:
            InvalidValueError: If a confidential column of numbers has no bounds, or the columns do not suit the target.
        """
        if target.accepts_structured:
            return self._fields(names, target)
        arrays = self._picked(names, target)
        matrix = np.stack(arrays, axis=1)
        if self.public:
            matrix = matrix[_usable(arrays)]
        if matrix.dtype.kind != "U":
            columns = self.taken(names, target)
            self._refuse_unbounded(columns)
            if not _keeps_missing(target):
                self._fill(matrix, columns)
        database = np.ascontiguousarray(matrix[:, 0] if len(names) == 1 else matrix)
        database.flags.writeable = False
        return database

    def _picked(self, names: tuple[str, ...], target: Target = AS_IT_IS) -> list[Database]:
        if not names:
            raise InvalidValueError("columns", "at least one column", names)
        taken = self.taken(names, target)
        if len(names) > 1 and any(column.role == TEXT for column in taken):
            raise InvalidValueError("columns", "columns of numbers, or a single column of text", names)
        return [_codes(self.values[name], self.column(name), column) for name, column in zip(names, taken, strict=True)]

    def _fields(self, names: tuple[str, ...], target: Any) -> Database:
        """Return the columns under their names. Those that the target computes with need bounds."""
        self._refuse_unbounded(self.taken(target.columns, target))
        whose = None if self.persons is None else self.persons.column
        arrays = {name: self.values[self.column(name).name] for name in names if name != whose}
        if whose in names:
            return users.with_people(arrays, *self._arranged, str(whose))
        database = np.empty(len(self), dtype=[(name, array.dtype) for name, array in arrays.items()])
        for name, array in arrays.items():
            database[name] = array
        database.flags.writeable = False
        return database

    def _refuse_unbounded(self, columns: tuple[Column, ...]) -> None:
        """Raise InvalidValueError for a confidential column of numbers without bounds."""
        unbounded = [quoted(column.name) for column in columns if of_numbers(column) and column.bounds is None]
        if unbounded and not self.public:
            raise InvalidValueError(f"bounds of {unbounded[0]}", "declared before a confidential column is used", None)

    def _fill(self, matrix: FloatArray, columns: tuple[Column, ...]) -> None:
        """Put the middle of the bounds in place of missing values, except between more than two categories."""
        for values, column in zip(matrix.T, columns, strict=True):
            if column.missing == KNOWN:  # whatever the records are: an error is an answer too
                raise InvalidValueError(
                    "target", f"one that takes missing values, for only known ones of {column.name} count", "another"
                )
            own = self.column(column.name)
            if column.bounds and (column is own or (column.categories == own.categories and column.classes)):
                values[np.isnan(values)] = sum(column.bounds) / 2


def _rule_of(column: Column) -> str:
    """Return the rule that the user chose for a missing value."""
    if column.missing == CONSTANT:
        return f"A missing {column.name} counted as {column.stands}."
    return f"Only the known values of {column.name} counted."


def _neither(column: Column, target: Target, public: bool) -> str:
    """Return what happens to a third category if a target distinguishes two."""
    first, second = column.classes
    if public:
        what = "its row was left out"
    elif target.accepts_missing:
        what = "its row counted nowhere"
    else:
        what = f"it counted as {first} in a label, and as the middle of both in a feature"
    return f"Where {column.name} was neither {first} nor {second}, {what}."


def _keeps_missing(target: Target) -> bool:
    """Return whether a target takes missing values; if it combines blocks, whether the target of each block does."""
    inner: Target = target.target if target.scores_of is not None else target
    return inner.accepts_missing


def _codes(values: Database, own: Column, taken: Column) -> Database:
    """Return the values, or the numbers of their categories if a target takes these, NaN for any other category."""
    if own.categories is None or own.categories == taken.categories:
        return values
    listed = own.categories if len(own.categories) == len(taken.categories or ()) else own.classes
    return np.select([values == category for category in listed], list(taken.categories or ()), np.nan)


def _usable(arrays: list[Database]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.asarray(np.all([array != "" if array.dtype.kind == "U" else np.isfinite(array) for array in arrays], axis=0))


# Reading.


def proposed(content: bytes) -> tuple[Seen, ...]:
    """Return the ways to read a file, by its first bytes and not by its name.

    Returns:
        One way for each visible sheet of a workbook, and one for a file of another kind.

    Raises:
        TableError: If the file cannot be read.
    """
    refuse_sizes(content)
    if content.startswith((UNENCRYPTED, ENCRYPTED)):
        return (Seen(Parquet()),)
    if content.startswith(_WORKBOOKS):
        return tuple(
            Seen(
                Sheet(one["name"], HeaderLines(one["first"], one["lines"]), *one["marks"]),
                tuple(one["shown"]),
                one["rows"],
                one["columns"],
            )
            for one in parsed(content, "sheets")[0]["sheets"]
        )
    form, doubt = text_detection.detect(content)
    return (Seen(form, in_doubt=doubt),)


def best(ways: Sequence[Seen]) -> Seen:
    """Return the sheet with the most columns among those that have records; of several, the one with the most rows."""
    return max(ways, key=lambda way: (way.rows > _LEAST_ROWS, way.columns, way.rows))


def read_csv(content: bytes, name: str, *, public: bool, form: Format | None = None) -> Table:
    """Return the table of a CSV, or of text like it.

    Args:
        content: The bytes of the file.
        name: Name of the table.
        public: Whether it is public.
        form: How it is written. By default this is detected, which depends on the records: show ``Table.form`` to the user, and
            pass it from then on.

    Raises:
        TableError: If it cannot be read.
    """
    form = form or text_detection.detect(content)[0]
    return _table(name, read_cells(content, form), public=public, form=form)


def read_file(content: bytes, name: str, form: Form, *, public: bool) -> Table:
    """Return the table of a file that is read in this form.

    It is parsed once: the table keeps the cells as they are written. A large file is parsed in another process, and this one
    continues meanwhile.

    Raises:
        TableError: If it cannot be read.
    """
    if isinstance(form, Format) and len(content) <= MOST_HERE:
        cells = read_cells(content, form)
    elif isinstance(form, Format):
        cells = _cells(*parsed(content, "text", to_plain(form)))
    elif isinstance(form, Parquet):
        cells = _cells(*parsed(content, "parquet"))
    else:
        cells = _cells(*parsed(content, "sheet", form.name, form.names.first, form.names.lines, form.decimal))
    with in_turn(cells.nbytes):
        return _table(name, cells, public=public, form=form)


def _cells(said: dict[str, Any], found: Any) -> Cells:
    """Return the cells of a reader, without columns with a zero byte: an array of texts would drop it from the end of a text."""
    columns = dict(zip(found.column_names, found.columns, strict=True))
    kept = {name: column for name, column in columns.items() if not pc.any(pc.match_substring(column, "\0")).as_py()}
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
    columns = tuple(Column(column, role=TEXT if values[column].dtype.kind == "U" else "measure") for column in values)
    unused = tuple(column for column, own in zip(header, cells.names, strict=True) if own and column not in values)
    digests = identity.digests(values)
    told_by = frozenset(digest for column, digest in digests.items() if identity.telling(values[column]))
    told_by |= identity.unordered(values)
    rounded = tuple(
        f"{quoted(column)} is not read: some of its numbers have more digits than a workbook keeps. Store identifiers as text."
        for column in cells.rounded
    )
    return Table(
        name,
        columns,
        values,
        public,
        title=name,
        unused=unused,
        renamed=renamed(cells.names) + rounded,
        digest=identity.of_table(digests.values()),
        told_by=told_by,
        form=form,
        cells=cells,
    )


def read_catalog(folder: Path) -> dict[str, Table]:
    """Return the tables in ``folder/catalog.json`` by name, with their declared columns, units and people."""
    tables = {}
    for entry in json.loads((folder / "catalog.json").read_text(encoding="utf-8")):
        table = read_csv((folder / entry["file"]).read_bytes(), entry["name"], public=entry["public"])
        tables[table.name] = replace(
            table,
            cells=Cells(),
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
