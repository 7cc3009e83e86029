"""The table that a file is under its holder's declarations, and what of them is still missing or cannot be."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import KNOWN, OTHER, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import MOST_TEXT_BYTES
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.column_types.column_type import PLAIN
from pages.files.declarations.column_types.text import Text
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.left_out import Rows, records, rows_left_out
from pages.files.declarations.whole_file import WholeFile
from pages.files.persons import Persons, told_apart
from pages.files.tables import Parquet, Sheet, Table, names_again, people_again, read_again

EVERY_ROW = WholeFile()
_WIDEST = 256  # characters of a text, where how many records there are is no public number
_LONGEST_TEXT = 100_000


@dataclass(eq=False)
class CodeIsAValueError(TableError):
    """A code for "nothing is known" that is a value of its column too; its holder can allow it."""


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
    """Of a column without a list or bounds any word is a value, and a code is meant."""
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
        raise CodeIsAValueError(
            f"“{code}” says that nothing is known of {one.name}, and it is also a value that {one.name} can have.",
            "Declare the column otherwise, or let the code count.",
        )


def ready(declared: tuple[Declaration, ...], whole: WholeFile = EVERY_ROW, form: Format = PLAIN) -> tuple[Declaration, ...]:
    """Those that are used and have all that they need."""
    waiting = problems(declared, whole, form)
    return tuple(one for one in declared if one.used and one.name not in waiting)


def declared_table(
    draft: Table,
    content: bytes,
    declared: tuple[Declaration, ...],
    *,
    public: bool,
    persons: Persons | None = None,
    whole: WholeFile = EVERY_ROW,
) -> Table:
    """The ready columns of a file, read as they are declared, and whose its rows are; TableError where there are none.

    Its last lines may be no records. A row that is left out by what it holds is one whose cells are all missing, and stays its
    person's.

    ``draft`` is the same file as it was read first, each column as it seemed. Where that is not what a column is declared to be,
    the file is read again: what is declared decides how a cell is read, and never the cells beside it.
    """
    whose, form, rows = "" if persons is None else persons.column, numbers_written(draft), records(draft, whole)
    chosen = tuple(whole.of(one) for one in ready(declared, whole, form) if one.name != whose)
    if not chosen:
        raise _none_ready(list(problems(declared, whole, form).values()))
    cells = _cells(draft, content, chosen, records_are_public=persons is None and draft.stated is None)
    out = rows_left_out(draft, content, whole, declared)
    cells = {name: _blanked(found[:rows], None if out is None else out[:rows]) for name, found in cells.items()}
    columns = {one.name: _column_of(one, public=public) for one in chosen}
    values = {one.name: TYPES[one.type].values(cells[one.name], one, form) for one in chosen}
    if persons is not None:
        own = next((whole.of(one).codes for one in declared if one.name == whose), whole.codes)
        values[whose] = _people(draft, content, whose, rows, own)
    return replace(draft, columns=tuple(columns.values()), values=values, public=public, persons=persons, left_out=whole.said)


def _blanked(cells: Database, out: Rows | None) -> Database:
    """Without what stands in the rows that are left out."""
    if out is None or not out.any():
        return cells
    return np.where(out, np.nan if cells.dtype.kind == "f" else "", cells)


def _people(draft: Table, content: bytes, name: str, rows: int, codes: tuple[str, ...]) -> Database:
    """Whose each of so many rows is, by the names as they are written; a code names nobody. TableError where these cannot be told
    apart."""
    if draft.form is not None and not isinstance(draft.form, Parquet):
        return people_again(content, draft.form, name, rows, codes)
    found = None if draft.form is None else names_again(content, name)
    found = draft.values.get(name) if found is None else found
    if found is None:
        raise TableError(f"The file has no column {name} that can be read.", "Choose another column for the people.")
    return told_apart(found[:rows], name, codes)


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
    """How the numbers of its cells are written; those of Parquet files as in any CSV."""
    return draft.form.written if isinstance(draft.form, Sheet) else draft.form if isinstance(draft.form, Format) else PLAIN


def _cells(draft: Table, content: bytes, chosen: tuple[Declaration, ...], *, records_are_public: bool) -> dict[str, Database]:
    """What the types read. A value is cut to a width that the type tells, and the number of records where that is public."""
    as_numbers = {one.name: TYPES[one.type].as_numbers(one) for one in chosen}
    widths = _widths(len(draft) if records_are_public else None, chosen)
    found = {name: cells for name, cells in draft.values.items() if name in as_numbers}
    other = [name for name, asked in as_numbers.items() if name not in found or (found[name].dtype.kind == "f") != asked]
    if other and draft.form is not None:
        numbers = frozenset(name for name in other if as_numbers[name])
        again = read_again(content, draft.form, numbers, {name: widths[name] for name in other if name in widths})
        for name in () if isinstance(draft.form, Parquet) else other:
            found.pop(name, None)  # of a text file that column had no value of its kind, unless it was found now
        found |= again
    empty = {name: np.full(len(draft), np.nan) if asked else np.full(len(draft), "") for name, asked in as_numbers.items()}
    return empty | {name: _cut(cells, widths.get(name)) for name, cells in found.items()}


def _widths(records: int | None, chosen: tuple[Declaration, ...]) -> dict[str, int]:
    """How many characters of a value count: what the type can need. Of free text, of which any can, as many as all columns of it
    have room for; or a fixed number where that of records is not public: else one more of them would cut the others' values."""
    texts = [one for one in chosen if not TYPES[one.type].as_numbers(one)]
    needed = {one.name: TYPES[one.type].most_characters(one) for one in texts}
    free = sum(most is None for most in needed.values())
    room = _WIDEST if records is None or not free else min(_LONGEST_TEXT, max(1, MOST_TEXT_BYTES // (4 * records * free)))
    return {name: room if most is None else most for name, most in needed.items()}


def _cut(cells: Database, width: int | None) -> Database:
    wide = width is not None and cells.dtype.kind == "U" and cells.dtype.itemsize // 4 > width
    return cells.astype(f"U{width}") if wide else cells
