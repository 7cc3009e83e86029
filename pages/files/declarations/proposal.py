"""Proposed declarations: the types of columns, and for public tables also bounds and categories."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow.compute as pc

from dpcore.base.columns import TEXT, Column
from pages.files.cells import AMONG_WORDS, PADDED, Words, has_identifiers, words_of
from pages.files.declarations.column_types import (
    TYPES,
    Category,
    ColumnType,
    Dated,
    Number,
    Text,
    YesNo,
    floats,
    share,
    unit_beside,
)
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.declared_table import cells_of, numbers_written, written
from pages.files.form import Format, Parquet
from pages.files.tables import Table

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
_PEOPLE = (
    r"pati[eë]nt|pa[cz]iente?|pacjent|person|kund|client|klient|customer|user|member|mitglied|subject|proband|employee|"
    r"mitarbeiter|medewerker|empleado|student|versichert|assuré|bewohner"
)
_NUMBER = r"(?:id|nr|no|n[°º]|num|number|nummer|numer|numéro|número|numero|key|code|kod|código)"
_LINK = r"[ _.:-]{0,3}(?:(?:de|du|del|di|des|der|van) )?"
_IS_SOMEBODY = rf"(?:{_PEOPLE})[a-z]{{0,4}}[ _.:-]{{0,3}}{_NUMBER}(?![^\W\d_])|(?<![^\W_]){_NUMBER}{_LINK}(?:{_PEOPLE})a?\b"
_NUMBERED = r"^(?:n[°º]|nr)[ _.]+(?!of\b)"  # N° séjour
_IDENTIFIES = re.compile(rf"^(?:{_WHOLE})$|(?:^|[ _.-])(?:u?u?id)$|{_PART}|{_IS_SOMEBODY}|{_NUMBERED}", re.IGNORECASE)
_SOMEBODY = re.compile(_IS_SOMEBODY, re.IGNORECASE)
_PERSON = re.compile(_PEOPLE, re.IGNORECASE)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")


def identifies(name: str) -> bool:
    """Return whether a column of this name is likely to identify people."""
    return _IDENTIFIES.search(_CAMEL.sub("_", name.strip())) is not None


_LOOKED_AT = 10_000  # first records
_MOST = 0.9  # of the filled cells fit a proposed type
_WHOLE_NUMBER = "^[0-9]+$"
_SOME = 0.01  # of the cells of an identifier have a leading zero


def proposed(draft: Table) -> tuple[Declaration, ...]:
    """Propose a type for each column of a file, in its order, and the unit of its numbers.

    Columns that identify people by their names, and columns of text, are not used unless the user selects them. If there are no
    others, the first column is used.
    """
    found = [_declared(draft, column) for column in draft.columns]
    used = {one.name for one in found if one.type != Text.title and not identifies(one.name)} or {found[0].name}
    unread = () if isinstance(draft.form, Parquet) else draft.unused  # blank here, or too long: the next file's may not be
    found += [Declaration(name=name, type=Text.title) for name in unread]
    return tuple(replace(one, used=one.name in used) for one in found)


def read_off(draft: Table, declared: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
    """Add the bounds and categories of a public table to declarations that have none."""
    form, known = numbers_written(draft), draft.values
    return tuple(TYPES[one.type].read_off(cells_of(draft, one), one, form) if one.name in known else one for one in declared)


def whose(draft: Table) -> str:
    """Return the column that seems to name the person of each row, by leading zeros or by its name; empty if there is none."""
    padded = [
        column.name
        for column in draft.text_columns
        if _padded(written(draft, column.name)) and _declared(draft, column).type == Text.title
    ]
    padded.sort(key=lambda name: _PERSON.search(name) is None)
    named = [column.name for column in draft.columns if _SOMEBODY.search(_CAMEL.sub("_", column.name))]
    return next(iter((*padded, *named)), "")


def _padded(words: Any) -> bool:
    filled = pc.sum(pc.not_equal(words, "")).as_py()
    whole, padded = (pc.sum(pc.match_substring_regex(words, pattern)).as_py() for pattern in (_WHOLE_NUMBER, PADDED))
    return bool(whole >= _MOST * filled and padded >= max(1, _SOME * filled))


def _declared(draft: Table, column: Column) -> Declaration:
    """Propose the first type that fits nine in ten of the cells.

    A column that was read as numbers is a number, or yes or no. A column of text that has an identifier is never a number.
    """
    name, cells, form = column.name, written(draft, column.name), numbers_written(draft)
    words = words_of(cells[:_LOOKED_AT])
    words = words.without(tuple(word for word in words.different if word.casefold() in AMONG_WORDS))  # these tell no type
    if column.role != TEXT:
        return Declaration(name=name, type=(YesNo if _fits(YesNo(), words, form) == 1 else Number).title)
    identifying = has_identifiers(cells, form)
    dates = [known for known in TYPES.values() if isinstance(known, Dated)]
    for known in (*(() if identifying else (Number(),)), YesNo(), *dates):
        if _fits(known, words, form) >= _MOST:
            return Declaration(name=name, type=known.title)
    number = Declaration(name=name, type=Number.title, unit="" if identifying else unit_beside(words, form))
    if number.unit and share(np.isfinite(floats(words.different, form, number.units)), words) >= _MOST:
        return number
    few = _fits(Category(), words, form) >= _MOST and not (identifying and identifies(name))
    return Declaration(name=name, type=(Category if few else Text).title)


def _fits(kind: ColumnType, words: Words, form: Format) -> float:
    return share(kind.holds(words, form), words)
