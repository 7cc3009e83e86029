"""What a file's columns seem to be: types are proposed, bounds and categories only where the table is public."""

from __future__ import annotations

import re

from dpcore.base.types import Database
from pages.files.csv_columns.format import Format
from pages.files.declarations.column_types import TYPES
from pages.files.declarations.column_types.category import Category
from pages.files.declarations.column_types.column_type import share
from pages.files.declarations.column_types.dated import Dated
from pages.files.declarations.column_types.number import Number
from pages.files.declarations.column_types.text import Text
from pages.files.declarations.column_types.yes_no import YesNo
from pages.files.declarations.declaration import Declaration, words_of
from pages.files.tables import Parquet, Table

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
