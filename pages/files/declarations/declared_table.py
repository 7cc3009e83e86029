"""The table that a file is under the declarations of its user, and the problems of these declarations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpcore.base.columns import KNOWN, OTHER, Column
from dpcore.base.text import counted
from dpcore.errors import TableError
from pages.files.cells import LONG_MINUS, Cells, words_of
from pages.files.declarations.column_types import TYPES, Text
from pages.files.declarations.declaration import LONGEST, Declaration, WholeFile
from pages.files.form import PLAIN, Format
from pages.files.limits import MOST_TEXT_BYTES
from pages.files.persons import Persons, told_apart
from pages.files.tables import Table

Rows = NDArray[np.bool_]
EVERY_ROW = WholeFile()
_WIDEST = 256  # characters of a text, if the number of records is confidential
_LONGEST_TEXT = 100_000


def problems(declared: Sequence[Declaration], whole: WholeFile = EVERY_ROW, form: Format = PLAIN) -> dict[str, TableError]:
    """Return what is missing or impossible in the declarations of used columns, by name; nothing for a column that is ready."""
    found = {}
    for one in declared:
        if one.used:
            try:
                TYPES[one.type].column(one)
                _refuse_codes_that_are_values(one, whole, form)
            except TableError as error:
                found[one.name] = error
    return found


def _refuse_codes_that_are_values(one: Declaration, whole: WholeFile, form: Format) -> None:
    """Raise TableError for a code of the file that is also a value of a column, unless it is a code of that column too.

    Any word is a value of a column of text, so a code is meant there.
    """
    codes = [code for code in whole.codes if code not in one.codes]
    if not codes or one.type == Text.title:
        return
    kind, plain = TYPES[one.type], replace(one, codes=(), constant="")
    column = kind.column(plain)
    values = kind.values(np.array([code.replace(LONG_MINUS, "-") for code in codes]), plain, form)
    if values.dtype.kind == "U":
        also = np.isin(values, [word for word in column.categories or () if word != OTHER])
    else:
        low, high = column.bounds or (-np.inf, np.inf)
        also = (values >= low) & (values <= high)
    if also.any():
        raise TableError(
            f"“{codes[int(np.argmax(also))]}” is a code for a missing value in every column, and {one.name} can have that value.",
            "If it is missing there too, enter it under Missing codes of that column.",
        )


def declared_table(
    draft: Table,
    declared: tuple[Declaration, ...],
    *,
    public: bool,
    persons: Persons | None = None,
    whole: WholeFile = EVERY_ROW,
) -> Table:
    """Return the table of the columns that are used and ready.

    Args:
        draft: The file as it was read first, with its cells. A declaration decides how a cell is read; other cells never do.
        declared: The declarations of its columns.
        public: Whether the table is public.
        persons: The person of each row; None if a record is a row.
        whole: Records and omitted rows. A row that is omitted by its content is a record whose values
            are all missing, and stays its person's.

    Raises:
        TableError: If no column is ready, or people cannot be told apart.
    """
    whose, form, rows = "" if persons is None else persons.column, numbers_written(draft), records(draft, whole)
    waiting = problems(declared, whole, form)
    chosen = [whole.of(one) for one in declared if one.used and one.name not in waiting and one.name != whose]
    if not chosen:
        raise next(iter(waiting.values()), TableError("No column is used.", "Tick one under Use."))
    out = _rows_left_out(draft, whole, declared)
    room = _room(draft, chosen, records_are_public=persons is None and draft.stated is None)
    values = {one.name: TYPES[one.type].values(_cells(draft, one, room, out, rows), one, form) for one in chosen}
    if persons is not None:
        if whose not in draft.cells.columns:
            raise TableError(f"The file has no column {whose} that can be read.", "Choose another column for the people.")
        codes = next((whole.of(one).codes for one in declared if one.name == whose), whole.codes)
        values[whose] = told_apart(written(draft, whose)[:rows], whose, codes)
    columns = tuple(_column_of(one, public=public) for one in chosen)
    return replace(draft, columns=columns, values=values, public=public, persons=persons, left_out=whole.said, cells=Cells())


def _cells(draft: Table, one: Declaration, room: int, out: Rows | None, rows: int) -> Any:
    """Return the first cells of a column, empty in omitted rows."""
    cells = cells_of(draft, one)[:rows]
    if isinstance(cells, np.ndarray):
        return cells if out is None else np.where(out[:rows], np.nan, cells)
    if out is not None:
        cells = pc.if_else(pa.chunked_array([out[:rows]]), "", cells)
    return pc.utf8_slice_codeunits(cells, 0, room if one.type == Text.title else LONGEST + 1)


def cells_of(draft: Table, one: Declaration) -> Any:
    """Return the cells of a column: numbers if it was read so and its type takes them, otherwise as they are written."""
    values = draft.values.get(one.name)
    if TYPES[one.type].numbers and values is not None and values.dtype.kind == "f":
        return values
    return written(draft, one.name)


def _room(draft: Table, chosen: Sequence[Declaration], *, records_are_public: bool) -> int:
    """Return how many characters of a free text are kept.

    The number is fixed if that of records is confidential: otherwise one more record would cut the values of others.
    """
    free = sum(one.type == Text.title for one in chosen)
    if not records_are_public or not free:
        return _WIDEST
    return min(_LONGEST_TEXT, max(1, MOST_TEXT_BYTES // (4 * len(draft) * free)))


def _column_of(one: Declaration, *, public: bool) -> Column:
    """Return the declared column. Records of a public table with a missing value are dropped, unless a rule replaces it."""
    kind, codes = TYPES[one.type], " or ".join(f"“{code}”" for code in one.codes)
    nothing_known = f", where {codes} says that nothing is known" if codes else ""
    column = replace(kind.column(one), read_as=f"{kind.in_words(one)}{nothing_known}")
    return replace(column, missing="", stands="") if public and column.missing == KNOWN else column


def numbers_written(draft: Table) -> Format:
    """Return how the cells of a file write numbers."""
    return PLAIN if draft.form is None else draft.form.written


def written(draft: Table, name: str) -> Any:
    """Return the cells of a column as they are written, a chunked Arrow array; empty texts for an unknown column."""
    return draft.cells.columns.get(name, pa.chunked_array([np.full(len(draft), "")], pa.string()))


# The rows that are records, and those that count as missing.


def records(draft: Table, whole: WholeFile) -> int:
    """Return how many rows of the file are records: all except the last lines. TableError if fewer than 2 are left."""
    left = len(draft) - whole.last
    if whole.last and left < 2:
        last = counted(whole.last, " lines")
        raise TableError(f"Without the last {last} fewer than 2 rows are left.", "Leave out fewer lines.")
    return left


def refuse_unknown(draft: Table, whole: WholeFile) -> None:
    """Raise TableError if the column by which rows are omitted is not in the file, or if it omits every row."""
    if whole.by and (whole.by not in draft.cells.columns or (whole.by in draft.unused and not whole.words)):
        problem = f"Rows are left out by {whole.by}, and the file has no such column with values."
        raise TableError(problem, "Choose another column, or leave no row out.")


def _rows_left_out(draft: Table, whole: WholeFile, declared: Sequence[Declaration]) -> Rows | None:
    """Return for each row of the file whether it is omitted by its content; None if no row can be.

    Each cell is read by itself, as it is written. A code of its column or of the file is an empty cell.
    """
    if not whole.by:
        return None
    refuse_unknown(draft, whole)
    own = next((one.codes for one in declared if one.name == whole.by), ())
    words = words_of(written(draft, whole.by), most=LONGEST + 1).without((*own, *whole.codes))
    asked = whole.words or ("",)
    return np.asarray(words.mapped(np.array([float(word in asked) for word in words.different])) == 1)
