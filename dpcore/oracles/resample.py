"""Records drawn again from a public table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.declared import Column
from dpcore.base.people import is_person
from dpcore.base.slots import NUMBERS, of_text, stand_in
from dpcore.base.types import Database, FloatArray, Inverse, Oracle
from dpcore.errors import InvalidValueError

_WIDEST = 4_096  # bytes of a text: a block of draws has 16,384 of them


@final
@dataclass(frozen=True, eq=False)
class Resample(Oracle):
    """Records drawn with replacement from the records of a *public* table (an empirical law, columns kept together).

    Never the confidential table itself: an oracle that was made from it voids the guarantee. Records with named fields may have
    missing values.
    """

    records: Database
    independent_records: ClassVar[bool] = True
    draws_in_order: ClassVar[bool] = True
    title: ClassVar[str] = "Rows drawn again"

    def __post_init__(self) -> None:
        object.__setattr__(self, "records", checked_records(self.records))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Texts for a column of text, fields for columns of their names, else as many numbers a record as there are columns."""
        return records_fit(self.records, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.asarray(self.records[rng.integers(len(self.records), size=(databases, records))])

    @property
    def draws_fields(self) -> bool:
        """Where the table's columns have names."""
        return self.records.dtype.names is not None

    @property
    def inverse(self) -> Inverse | None:
        """F⁻¹(u), number ⌈u·N⌉ of the N sorted records where each is a single number; else None."""
        single = self.records.dtype.kind == "f" and self.records.size == len(self.records)
        return self._inverse if single else None

    def _inverse(self, u: FloatArray) -> FloatArray:
        ordered = np.sort(self.records, axis=None)
        return np.asarray(ordered[np.ceil(u * len(ordered)).astype(np.int64) - 1], dtype=np.float64)


def checked_records(given: Database) -> Database:
    """Public records as a read-only array of its own; InvalidValueError where they are none."""
    records = np.array(given)
    if records.dtype.kind in "iub":
        records = records.astype(np.float64)
    if records.ndim not in (1, 2) or not len(records) or records.dtype.hasobject:
        raise InvalidValueError("records", "a table of at least one row", records.shape)
    if any(is_person(records.dtype[name]) for name in records.dtype.names or ()):
        raise InvalidValueError("records", "without a column of people, who are drawn whole elsewhere", records.dtype)
    if records.dtype.kind == "f" and not np.isfinite(records).all():
        raise InvalidValueError("records", "finite", None)
    records.flags.writeable = False
    return records


def records_fit(records: Database, columns: tuple[Column, ...]) -> bool:
    """Whether these records are of these columns."""
    if (names := records.dtype.names) is not None:
        return of_columns_like(records, names, columns)
    if records.dtype.kind != "f":
        return records.ndim == len(columns) == 1 and of_text(columns[0]) and _like(records.dtype, columns[0])
    return records.shape[1:] == (() if len(columns) == 1 else (len(columns),)) and stand_in(NUMBERS, columns)


def of_columns_like(records: Database, names: tuple[str, ...], columns: tuple[Column, ...]) -> bool:
    """Whether the columns have these names, and the fields of these names hold values as each column does."""
    parts = [(records.dtype[name], column) for name, column in zip(names, columns, strict=False)]
    return names == tuple(column.name for column in columns) and all(_like(part, column) for part, column in parts)


def _like(part: np.dtype[Any], column: Column) -> bool:
    """Whether values of this type are a column's: texts, none too wide, of one of text, else numbers."""
    return part.kind == "U" and part.itemsize <= _WIDEST if of_text(column) else part.kind == "f"


def of_records(records: Database) -> Oracle:
    """The oracle that draws these records again, with replacement: they must be public."""
    return Resample(records)
