"""A table: what its holder declares of the columns, and the database that a target gets."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base import people
from dpcore.base.declared import CATEGORY, CONSTANT, KNOWN, PERSON, TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.quoted import quoted
from dpcore.base.slots import of_numbers
from dpcore.base.types import (
    Database,
    FloatArray,
    person_of,
    takes_codes,
    takes_fields,
    takes_missing,
)
from dpcore.errors import InvalidValueError, UnknownKindError
from dpcore.guarantees.privacy import Adjacency, Unit
from pages.files.cells import Cells
from pages.files.csv_columns.header import listed
from pages.files.forms import Form
from pages.files.persons import Guesses, Persons

_KNOWN_ALONE = "A missing value fits no condition and no group. Only known values count."
_OWN_RULE = "A missing value stayed missing, and what is asked says what becomes of it."


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
    renamed: tuple[
        str, ...
    ] = ()  # sentences on columns that are called otherwise than in their file, or whose numbers are rounded
    oracle: dict[str, Any] | None = None  # JSON of the oracle that the catalogue suggests
    target: dict[str, Any] | None = None  # JSON of the target that it suggests
    suggested_columns: tuple[str, ...] = ()  # the columns that these two are for
    digest: str = field(default="", repr=False)  # of its columns' values: under any names, in any form of file
    told_by: frozenset[str] = field(default=frozenset(), repr=False)  # digests of columns that other records hardly have
    unit: Unit = field(default_factory=Unit)  # what one row is, and whether one person can have several
    form: Form | None = None  # how its file was read
    cells: Cells | None = field(default=None, repr=False)  # of its file as they are written, until the columns are declared
    persons: Persons | None = None  # whose the rows are: then its records are people
    left_out: str = ""  # which lines of its file are no records, and which rows count as missing, in words
    guesses: Guesses = field(default_factory=Guesses)  # its holder's, without a look at it
    stated: int | None = None  # about how many records it has, said without a look; None where their true number is public

    def __post_init__(self) -> None:
        for column in self.columns:
            is_text = self.values[column.name].dtype.kind == "U"
            if is_text != (column.role == TEXT):
                expected = (
                    f"“{TEXT}”, for its values are texts" if is_text else f"other than “{TEXT}”, for its values are numbers"
                )
                raise InvalidValueError(f"role of {quoted(column.name)}", expected, column.role)

    def __len__(self) -> int:
        """How many rows there are."""
        return len(next(iter(self.values.values())))

    @property
    def adjacency(self) -> Adjacency:
        """How a neighbour of the table differs from it."""
        return self.adjacency_of_rows if self.persons is None else self.persons.adjacency

    @property
    def adjacency_of_rows(self) -> Adjacency:
        """The same for a question about rows: a row is replaced where their number is public, else added or removed."""
        public = self.stated is None or self.persons is not None
        return Adjacency.REPLACE_ONE_RECORD if public else Adjacency.ADD_OR_REMOVE_ONE_RECORD

    @cached_property
    def _arranged(self) -> tuple[NDArray[np.int64], Database]:
        """The order in which people's rows stand together, and whose they are."""
        assert self.persons is not None
        whose = self.values[self.persons.column]
        rows = whose if whose.dtype == people.PERSON else people.numbered(whose)
        return people.in_order(rows, left_out=self.persons.left_out)

    @property
    def text_columns(self) -> tuple[Column, ...]:
        """Those that hold strings."""
        return tuple(column for column in self.columns if column.role == TEXT)

    @property
    def number_columns(self) -> tuple[Column, ...]:
        """Those that hold numbers."""
        return tuple(column for column in self.columns if column.role != TEXT)

    @property
    def persons_column(self) -> tuple[Column, ...]:
        """The one that says whose a row is; none where records are rows."""
        return () if self.persons is None else (Column(self.persons.column, role=PERSON),)

    def column(self, name: str) -> Column:
        """A column's declaration; UnknownKindError where there is none of that name."""
        found = [column for column in (*self.persons_column, *self.columns) if column.name == name]
        if not found:
            raise UnknownKindError(f"column of {self.title or self.name}", name, tuple(c.name for c in self.columns))
        return found[0]

    def taken(self, names: tuple[str, ...], target: object) -> tuple[Column, ...]:
        """The columns as a target takes them: those of categories as numbers, where it says so."""
        columns = tuple(self.column(name) for name in names)
        return tuple(column.coded for column in columns) if takes_codes(target) else columns

    def declared(self, *columns: Column, public: bool | None = None) -> Table:
        """The table with these declarations in place of the old ones."""
        new = {column.name: column for column in columns}
        kept = tuple(new.get(column.name, column) for column in self.columns)
        return replace(self, columns=kept, public=self.public if public is None else public)

    def size(self, names: tuple[str, ...], target: object = None) -> int:
        """How many records ``prepare`` returns: people, where the table's records are people, or the number that is stated."""
        if self.persons is not None:
            return self.persons.stated or people.count(self._arranged[1])
        if self.stated is not None:
            return self.stated
        if takes_fields(target):
            return len(self)
        arrays = self._picked(names, target)
        return int(_usable(arrays).sum()) if self.public else len(self)

    def read_as(self, names: tuple[str, ...]) -> str:
        """How the file and these columns are read: what its holder confirmed or declared; empty for a table of ours."""
        if self.form is None or not any(column.read_as for column in self.columns):
            return ""
        kinds = [f"{name} as {self.column(name).read_as}" for name in names if self.column(name).read_as]
        return f"The file was read as {self.form.words}{''.join(f'; {kind}' for kind in kinds)}."

    def missing_rule(self, names: tuple[str, ...], target: object = None) -> str:
        """What ``prepare`` does with missing values of these columns for this target, in a sentence or several."""
        chosen = [self.column(name) for name in names]
        said = [*filter(None, [self.left_out]), *(_rule_of(column) for column in chosen if column.missing)]
        if takes_codes(target):
            said += [_neither(column, target, self.public) for column in chosen if column.classes and column.role == TEXT]
        if self.persons is not None and person_of(target) is not None:
            said.append(self.persons.words)
        if takes_fields(target):
            none = _OWN_RULE if facts(target).reads_missing else _KNOWN_ALONE
            kept = [] if person_of(target) is not None else ["No row was left out."]
            return " ".join([*said, none, *kept])
        if self.public:
            return " ".join([*said, "Rows with a missing or infinite value were left out."])
        if open_ := [column.name for column in chosen if not column.missing]:
            other = "a missing category none more than another" if takes_codes(target) else "missing text the empty text"
            filled = f"became the middle of its public bounds, {other}"
            what = "stayed missing: only known values count" if _keeps_missing(target) else filled
            said.append(f"A missing value {what}." if len(open_) == len(chosen) else f"A missing {listed(open_)} {what}.")
        return " ".join([*said, "No row was left out."])

    def prepare(self, names: tuple[str, ...], target: object = None) -> Prepared:
        """(n,) for one column, of numbers or of text; (n, d) for several columns of numbers.

        Confidential: every record stays. A missing value becomes the middle of its bounds (so bounds are needed), missing text
        the empty string; for a ``target`` that takes missing values they stay missing, and where its holder chose that only
        known values count there is no other. Public: records with a missing or infinite value are dropped. Clipping is the
        target's; here it is counted.

        A target that takes named fields gets them as they are, (n,), of every record, public or not.
        """
        if takes_fields(target):
            return self._fields(names, target)
        arrays = self._picked(names, target)
        matrix = np.stack(arrays, axis=1)
        dropped = 0
        if self.public:
            usable = _usable(arrays)
            matrix, dropped = matrix[usable], int((~usable).sum())
        if matrix.dtype.kind == "U":
            replaced, clipped = 0 if _keeps_missing(target) else int((matrix == "").sum()), 0
        else:
            replaced, clipped = self._bounded(matrix, self.taken(names, target), fill=not _keeps_missing(target))
        database = np.ascontiguousarray(matrix[:, 0] if len(names) == 1 else matrix)
        database.flags.writeable = False
        return Prepared(database, replaced, clipped, dropped)

    def _picked(self, names: tuple[str, ...], target: object = None) -> list[Database]:
        if not names:
            raise InvalidValueError("columns", "at least one column", names)
        taken = self.taken(names, target)
        if len(names) > 1 and any(column.role == TEXT for column in taken):
            raise InvalidValueError("columns", "columns of numbers, or a single column of text", names)
        return [_codes(self.values[name], self.column(name), column) for name, column in zip(names, taken, strict=True)]

    def _fields(self, names: tuple[str, ...], target: Any) -> Prepared:
        """The columns under their names; counted as clipped is what a target's own columns hold of the records it asks for."""
        whose = None if self.persons is None else self.persons.column
        arrays = {name: self.values[self.column(name).name] for name in names if name != whose}
        database = _with_fields(arrays) if whose not in names else people.with_people(arrays, *self._arranged, str(whose))
        clipped = self._clipped(target, database)
        return Prepared(database, 0, clipped, 0)

    def _clipped(self, question: Any, database: Database) -> int:
        """How many of the values that a question asks for are out of bounds."""
        own = self.taken(question.columns, question)
        if facts(question).asked is None:  # it reads its columns as they are
            numbers = [one for one in own if of_numbers(one)]
            return sum(self._bounded(database[one.name][:, None].copy(), (one,), fill=False)[1] for one in numbers)
        asked = question.asked(database)
        if asked.dtype.kind == "U":
            return 0
        return self._bounded(asked.reshape(len(database), len(own)), own, fill=False)[1]

    def _bounded(self, matrix: FloatArray, columns: tuple[Column, ...], *, fill: bool) -> tuple[int, int]:
        """Puts the middle of the bounds in place of missing values; returns how many, and how many are out of bounds.

        Between more than two categories there is no middle: a missing one stays missing.
        """
        missing = np.isnan(matrix)
        clipped = 0
        for i, column in enumerate(columns):
            bounds, name = column.bounds, column.name
            if bounds is None and not self.public:
                raise InvalidValueError(f"bounds of {quoted(name)}", "declared before a confidential column is used", None)
            if fill and column.missing == KNOWN:  # whatever the records are: an error is an answer too
                raise InvalidValueError(
                    "target", f"one that takes missing values, for only known ones of {name} count", "another"
                )
            if bounds is not None:
                own = self.column(name)
                if fill and (column is own or (column.categories == own.categories and column.classes)):
                    matrix[missing[:, i], i] = (bounds[0] + bounds[1]) / 2
                clipped += int(((matrix[:, i] < bounds[0]) | (matrix[:, i] > bounds[1])).sum())
        return int(missing.sum()) if fill else 0, clipped


def _rule_of(column: Column) -> str:
    """What its holder chose for a missing value."""
    told = {CONSTANT: f"counted as {column.stands}", CATEGORY: "was a category of its own"}.get(column.missing)
    return f"Only the known values of {column.name} counted." if told is None else f"A missing {column.name} {told}."


def _neither(column: Column, target: object, public: bool) -> str:
    """What becomes of a category that is none of the two that a target tells apart."""
    first, second = column.classes
    if public:
        what = "its row was left out"
    elif takes_missing(target):
        what = "its row counted nowhere"
    else:
        what = f"it counted as {first} in a label, and as the middle of both in a feature"
    return f"Where {column.name} was neither {first} nor {second}, {what}."


def _keeps_missing(target: object) -> bool:
    """Whether missing values stay missing for it; where blocks are asked, for what is asked of each."""
    return takes_missing(facts(target).target if facts(target).scores_of is not None else target)


def _codes(values: Database, own: Column, taken: Column) -> Database:
    """The values, or the places of their categories where these are taken: NaN of one that is none of them."""
    if own.categories is None or own.categories == taken.categories:
        return values
    listed = own.categories if len(own.categories) == len(taken.categories or ()) else own.classes
    return np.select([values == category for category in listed], list(taken.categories or ()), np.nan)


def _with_fields(arrays: dict[str, Database]) -> Database:
    """Records with these fields, read-only."""
    records = len(next(iter(arrays.values())))
    database = np.empty(records, dtype=[(name, array.dtype) for name, array in arrays.items()])
    for name, array in arrays.items():
        database[name] = array
    database.flags.writeable = False
    return database


def _usable(arrays: list[Database]) -> np.ndarray[Any, np.dtype[np.bool_]]:
    return np.asarray(np.all([array != "" if array.dtype.kind == "U" else np.isfinite(array) for array in arrays], axis=0))
