"""What a file's columns seem to be, as it is proposed; and the table that the file is under its holder's declarations."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.declared import KNOWN, Column
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.csv_columns.file_content import MOST_TEXT_BYTES
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.column_types.category import Category
from pages.files.declarations.column_types.column_type import share
from pages.files.declarations.column_types.dated import Dated
from pages.files.declarations.column_types.number import Number
from pages.files.declarations.column_types.text import Text
from pages.files.declarations.column_types.yes_no import YesNo
from pages.files.declarations.declaration import Declaration, words_of
from pages.files.persons import Persons, told_apart
from pages.files.tables import Parquet, Table, names_again, people_again, read_again

_WIDEST = 256  # characters of a value of a table of people: how many rows and texts it has is no public number


def problems(declared: tuple[Declaration, ...]) -> dict[str, TableError]:
    """Of the columns that are used, what is still missing or cannot be, by name; none where a column is ready."""
    found = {}
    for one in declared:
        if one.used:
            try:
                TYPES[one.type].column(one)
            except TableError as error:
                found[one.name] = error
    return found


def ready(declared: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    """Those that are used and have all that they need."""
    waiting = problems(declared)
    return tuple(one for one in declared if one.used and one.name not in waiting)


def declared_table(
    draft: Table, content: bytes, declared: tuple[Declaration, ...], *, public: bool, persons: Persons | None = None
) -> Table:
    """The ready columns of a file, read as they are declared, and whose its rows are; TableError where there are none.

    ``draft`` is the same file as it was read first, each column as it seemed. Where that is not what a column is declared to be,
    the file is read again: what is declared decides how a cell is read, and never the cells beside it.
    """
    whose = "" if persons is None else persons.column
    chosen = tuple(one for one in ready(declared) if one.name != whose)
    if not chosen:
        raise _none_ready(list(problems(declared).values()))
    cells = _cells(draft, content, chosen, records_are_public=persons is None)
    columns = {one.name: _column(one, public=public) for one in chosen}
    values = {one.name: TYPES[one.type].values(cells[one.name], one) for one in chosen}
    if persons is not None:
        values[whose] = _people(draft, content, whose)
    return replace(draft, columns=tuple(columns.values()), values=values, public=public, persons=persons)


def _people(draft: Table, content: bytes, name: str) -> Database:
    """Whose each row is, by the names as they are written; TableError where these cannot be told apart."""
    if draft.form is not None and not isinstance(draft.form, Parquet):
        return people_again(content, draft.form, name, len(draft))
    found = None if draft.form is None else names_again(content, name)
    found = draft.values.get(name) if found is None else found
    if found is None:
        raise TableError(f"The file has no column {name} that can be read.", "Choose another column for the people.")
    return told_apart(found, name)


def _none_ready(waiting: list[TableError]) -> TableError:
    if not waiting:
        return TableError("No column is used.", "Tick one under Use.")
    first = waiting[0]
    more = f" Of {counted(len(waiting) - 1, ' more columns')} something is missing too." if len(waiting) > 1 else ""
    return TableError(first.problem, f"{first.remedy}{more}")


def _column(one: Declaration, *, public: bool) -> Column:
    """Of a public table records with a missing value are left out, where no constant or category stands for it."""
    kind = TYPES[one.type]
    column = replace(kind.column(one), read_as=kind.in_words(one))
    return replace(column, missing="", stands="") if public and column.missing == KNOWN else column


def _cells(draft: Table, content: bytes, chosen: tuple[Declaration, ...], *, records_are_public: bool) -> dict[str, Database]:
    """What the types read. A value is cut to a width that the type tells, and the number of records where that is public."""
    as_numbers = {one.name: TYPES[one.type].numbers for one in chosen}
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
    """How many characters of a value count: what the type can need, and no more than all columns of text have room for, or than
    is always read where the number of records is not public."""
    texts = [one for one in chosen if not TYPES[one.type].numbers]
    room = _WIDEST if records is None else max(1, MOST_TEXT_BYTES // (4 * records * max(1, len(texts))))
    return {one.name: min(room, TYPES[one.type].most_characters) for one in texts}


def _cut(cells: Database, width: int | None) -> Database:
    wide = width is not None and cells.dtype.kind == "U" and cells.dtype.itemsize // 4 > width
    return cells.astype(f"U{width}") if wide else cells


# What a file's columns seem to be: types are proposed, bounds and categories only where the table is public.


# Columns that identify a person, by their names: they are not proposed for use.


_WHOLE = r"id|uid|guid|uuid|nr|no|name|vorname|nachname|surname|key|index|row|line|zeile"
_PART = (
    r"(?:patient|person|user|client|customer|member|subject|case|record|visit|stay|employee|student|fall|kunden|personal|konto|"
    r"account|card|phone|tel|telefon|mobile|handy|fax|order|invoice|policy|versicherungs?|versicherten|sozialversicherungs)"
    r"[ _.-]?(?:id|nr|no|num|nummer|number|key|code)|"
    r"(?:first|last|full|family|given|user|maiden|patient)[ _.-]?name|"
    r"e[ _-]?mail|phone|telefon|mobile|fax|ssn|social[ _-]?security|nhs[ _-]?n|mrn|iban|bic|passport|licen[cs]e|ausweis|"
    r"insurance[ _-]?n|steuer[ _-]?id|tax[ _-]?id|address|adresse|street|strasse|straße|ip[ _-]?addr|url|username|login|"
    r"credit[ _-]?card|(?:birth|geburts)[ _-]?(?:date|datum|day|tag)|date[ _-]?of[ _-]?birth|\bdob\b"
)
_IDENTIFIES = re.compile(rf"^(?:{_WHOLE})$|(?:^|[ _.-])(?:u?u?id)$|{_PART}", re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def identifies(name: str) -> bool:
    """Whether a column of this name is likely to tell who somebody is."""
    return _IDENTIFIES.search(_CAMEL.sub("_", name.strip())) is not None


_LOOKED_AT = 10_000  # records, the first ones
_MOST = 0.9  # of the cells that are not blank are of a type that is proposed


def proposed(draft: Table) -> tuple[Declaration, ...]:
    """The type of each column of the file that was read, in its order.

    Those that identify somebody, by their names, and columns of text are not used unless their holder ticks them. Where there
    is no other, the first one is.
    """
    kinds = {column.name: _type(draft.values[column.name][:_LOOKED_AT], _written(draft)) for column in draft.columns}
    used = {name for name, kind in kinds.items() if kind != Text().title and not identifies(name)} or {next(iter(kinds))}
    unread = () if isinstance(draft.form, Parquet) else draft.unused  # blank here, or too long: the next file's may not be
    kinds |= dict.fromkeys(unread, Text().title)
    return tuple(Declaration(name=name, type=kind, used=name in used) for name, kind in kinds.items())


def read_off(draft: Table, declared: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    """With the bounds and categories of a public table where none were given."""
    form, values = _written(draft), draft.values
    return tuple(TYPES[one.type].read_off(values[one.name], one, form) if one.name in values else one for one in declared)


def _written(draft: Table) -> Format:
    """How the numbers of its cells are written; those of workbooks and Parquet files as in any CSV."""
    return draft.form if isinstance(draft.form, Format) else Format()


def _type(cells: Database, form: Format) -> str:
    """The first type that holds nine in ten of the cells; a column that was read as numbers is one, or yes or no."""
    words = words_of(cells)
    if cells.dtype.kind != "U":
        return (YesNo() if share(YesNo().holds(words, form), words) == 1 else Number()).title
    dates = [known for known in TYPES.values() if isinstance(known, Dated)]
    for known in (Number(), YesNo(), *dates, Category()):
        if share(known.holds(words, form), words) >= _MOST:
            return known.title
    return Text().title
