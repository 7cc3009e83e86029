"""The table that a file is under its holder's declarations, and what of them is still missing or cannot be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from dpcore.base.counted import counted
from dpcore.base.declared import KNOWN, OTHER, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.cells import words_of
from pages.files.declarations.column_types import TYPES, Text
from pages.files.declarations.declaration import LONGEST, Declaration, WholeFile
from pages.files.form import PLAIN, Format
from pages.files.limits import MOST_TEXT_BYTES
from pages.files.persons import Persons, told_apart
from pages.files.table import Table

Rows = NDArray[np.bool_]
EVERY_ROW = WholeFile()
_WIDEST = 256  # characters of a text, where how many records there are is no public number
_LONGEST_TEXT = 100_000


def problems(declared: tuple[Declaration, ...], whole: WholeFile = EVERY_ROW, form: Format = PLAIN) -> dict[str, TableError]:
    """Of the columns that are used, what is still missing or cannot be, by name; none where a column is ready."""
    found = {}
    for one in declared:
        if one.used:
            try:
                TYPES[one.type].column(one)
                _refuse_codes_that_are_values(whole.of(one), form)
            except TableError as error:
                found[one.name] = error
    return found


def _refuse_codes_that_are_values(one: Declaration, form: Format) -> None:
    """A code that is a value of its column too; its holder can allow it. Of text any word is a value, and a code is meant."""
    if one.codes_count or not one.codes or one.type == Text.title:
        return
    kind, plain = TYPES[one.type], replace(one, codes=(), missing=KNOWN)
    column, cells = kind.column(plain), np.array([code.replace("\u2212", "-") for code in one.codes])
    values = kind.values(cells, plain, form)
    if values.dtype.kind == "U":
        also = np.isin(values, [word for word in column.categories or () if word != OTHER])
    else:
        low, high = column.bounds or (-np.inf, np.inf)
        also = (values >= low) & (values <= high)
    if also.any():
        code = one.codes[int(np.argmax(also))]
        raise TableError(
            f"“{code}” says that nothing is known of {one.name}, and it is also a value that {one.name} can have.",
            "Declare the column otherwise, or let the code count.",
        )


def ready(declared: tuple[Declaration, ...], whole: WholeFile = EVERY_ROW, form: Format = PLAIN) -> tuple[Declaration, ...]:
    """Those that are used and have all that they need."""
    waiting = problems(declared, whole, form)
    return tuple(one for one in declared if one.used and one.name not in waiting)


def declared_table(
    draft: Table,
    declared: tuple[Declaration, ...],
    *,
    public: bool,
    persons: Persons | None = None,
    whole: WholeFile = EVERY_ROW,
) -> Table:
    """The ready columns of a file, read as they are declared, and whose its rows are; TableError where there are none.

    Its last lines may be no records. A row that is left out by what it holds is one whose cells are all missing, and stays its
    person's.

    ``draft`` is the same file as it was read first, with its cells as they are written: what is declared decides how a cell is
    read, and never the cells beside it.
    """
    whose, form, rows = "" if persons is None else persons.column, numbers_written(draft), records(draft, whole)
    chosen = tuple(whole.of(one) for one in ready(declared, whole, form) if one.name != whose)
    if not chosen:
        raise _none_ready(list(problems(declared, whole, form).values()))
    out = rows_left_out(draft, whole, declared)
    room = _room(draft, chosen, records_are_public=persons is None and draft.stated is None)
    columns = {one.name: _column_of(one, public=public) for one in chosen}
    values = {one.name: TYPES[one.type].values(_cells(draft, one, room, out, rows), one, form) for one in chosen}
    if persons is not None:
        own = next((whole.of(one).codes for one in declared if one.name == whose), whole.codes)
        values[whose] = _people(draft, whose, rows, own)
    return replace(
        draft, columns=tuple(columns.values()), values=values, public=public, persons=persons, left_out=whole.said, cells=None
    )


def _cells(draft: Table, one: Declaration, room: int, out: Rows | None, rows: int) -> Any:
    """What the type reads of so many rows: numbers, where it takes them and the column was read so, or else what is written,
    with nothing in rows that are left out."""
    kind, values = TYPES[one.type], draft.values.get(one.name)
    if kind.numbers and values is not None and values.dtype.kind == "f":
        return values[:rows] if out is None else np.where(out[:rows], np.nan, values[:rows])
    cells = written(draft, one.name)
    if isinstance(cells, np.ndarray):
        return cells[:rows] if out is None else np.where(out[:rows], "", cells[:rows])
    cells = cells.slice(0, rows)
    if out is not None:
        cells = pc.if_else(pa.chunked_array([out[:rows]]), "", cells)
    return pc.utf8_slice_codeunits(cells, 0, room if one.type == Text.title else LONGEST + 1)


def _room(draft: Table, chosen: tuple[Declaration, ...], *, records_are_public: bool) -> int:
    """How many characters of free text count, of which any can: as many as all columns of it have room for; or a fixed number
    where that of records is not public: else one more of them would cut the others' values."""
    free = sum(one.type == Text.title for one in chosen)
    if not records_are_public or not free:
        return _WIDEST
    return min(_LONGEST_TEXT, max(1, MOST_TEXT_BYTES // (4 * len(draft) * free)))


def _people(draft: Table, name: str, rows: int, codes: tuple[str, ...]) -> Database:
    """Whose each of so many rows is, by the names as they are written; a code names nobody. TableError where these cannot be told
    apart."""
    if name not in (draft.values if draft.cells is None else draft.cells.columns):
        raise TableError(f"The file has no column {name} that can be read.", "Choose another column for the people.")
    return told_apart(written(draft, name)[:rows], name, codes)


def _none_ready(waiting: list[TableError]) -> TableError:
    """Why there is no table where no column is ready."""
    if not waiting:
        return TableError("No column is used.", "Tick one under Use.")
    first = waiting[0]
    more = f" Of {counted(len(waiting) - 1, ' more columns')} something is missing too." if len(waiting) > 1 else ""
    return TableError(first.problem, f"{first.remedy}{more}")


def _column_of(one: Declaration, *, public: bool) -> Column:
    """Of a public table records with a missing value are left out, where no constant or category stands for it."""
    kind = TYPES[one.type]
    column = replace(kind.column(one), read_as=f"{kind.in_words(one)}{_nothing_known(one.codes)}")
    return replace(column, missing="", stands="") if public and column.missing == KNOWN else column


def _nothing_known(codes: tuple[str, ...]) -> str:
    """All of them, however many: each is part of how the column is read."""
    said = " or ".join(f"“{code}”" for code in codes)
    return f", where {said} says that nothing is known" if codes else ""


def numbers_written(draft: Table) -> Format:
    """How the numbers of its cells are written."""
    return PLAIN if draft.form is None else draft.form.written


def records(draft: Table, whole: WholeFile) -> int:
    """How many of the file's rows are records: all but the last lines; TableError where fewer than 2 would be left."""
    left = len(draft) - whole.last
    if whole.last and left < 2:
        last = counted(whole.last, " lines")
        raise TableError(f"Without the last {last} fewer than 2 rows are left.", "Leave out fewer lines.")
    return left


def refuse_unknown(draft: Table, whole: WholeFile) -> None:
    """TableError where the column by which rows are left out is not in the file, or holds nothing at all."""
    if not whole.by or whole.by in draft.values:
        return
    if whole.by not in draft.unused:
        raise TableError(
            f"Rows are left out by {whole.by}, and the file has no such column.", "Choose another column, or leave no row out."
        )
    if not whole.words or (draft.cells is not None and whole.by not in draft.cells.columns):
        raise TableError(
            f"{whole.by} holds no value that is read, so no row or every row would be left out.",
            "Choose another column for that.",
        )


def rows_left_out(draft: Table, whole: WholeFile, declared: Sequence[Declaration]) -> Rows | None:
    """Of each row of the file whether it is; None where there is no such condition. Each cell is read by itself, as it is
    written, without the codes of its column and of the file."""
    if not whole.by:
        return None
    refuse_unknown(draft, whole)
    own = next((one for one in declared if one.name == whole.by), Declaration(name=whole.by, type="text"))
    words = words_of(written(draft, whole.by), most=LONGEST + 1).without(whole.of(own).codes)
    asked = whole.words or ("",)
    return np.asarray(words.mapped(np.array([float(word in asked) for word in words.different])) == 1)


def written(draft: Table, name: str) -> Any:
    """The cells of a column as they are written, a chunked array of Arrow; its values if the table is of no file, and empty texts
    if there is no such column."""
    found = draft.values if draft.cells is None else draft.cells.columns
    return found.get(name, np.full(len(draft), ""))
