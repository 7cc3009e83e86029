"""Which lines of a file name its columns, whatever stands above them: looked for in its first lines, and proposed."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from dpcore.errors import InvalidValueError
from pages.files.csv_columns.missing import says_nothing

MOST_ABOVE = 60  # lines among which the names are looked for
LAST_LINE = 1_000  # in which its holder can say that they begin
MOST_LINES = 3  # of names, one below the other
_CELLS = 20_000  # that are looked at for what a column holds
_TYPED = 0.5  # of a column's cells are values, where it is one of numbers or dates
_MOST_LETTERS = 3  # of a value: a unit, or a month
_MOST_COMPOSED = 1_000  # letters of a name

Cells = Sequence[str]


@final
@dataclass(frozen=True, slots=True)
class HeaderLines:
    """``first``: the line in which the names begin, from 1. ``lines``: how many lines of names stand below each other; if 0, the
    columns have no names, and records begin in ``first``."""

    first: int = 1
    lines: int = 1

    def __post_init__(self) -> None:
        first, lines = ("line of the names", self.first, 1, LAST_LINE), ("lines of names", self.lines, 0, MOST_LINES)
        for name, value, least, most in (first, lines):
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise InvalidValueError(name, f"a whole number from {least} to {most:,}", value)

    @property
    def words(self) -> str:
        """Names in line 3; names in lines 3 and 4, joined; no names, rows from line 3."""
        if self.lines == 0:
            return f"no names, rows from line {self.first}"
        if self.lines == 1:
            return f"names in line {self.first}"
        between = "and" if self.lines == 2 else "to"
        return f"names in lines {self.first} {between} {self.first + self.lines - 1}, joined"


FIRST_LINE: Final = HeaderLines()


def found(rows: Sequence[Cells]) -> tuple[int, int]:
    """The place of the first row of names, and how many rows have names: none if this row has numbers where its columns have
    some, unless these are years.

    A row of names is as wide as the records, and between it and an empty row above stands none of these: no row as wide with a
    value in a column of numbers and dates. Among the rows that are left, it is the one with the most words over such columns;
    of equal ones the first, but one with an empty row below comes last. Where few such columns have a word above them, as under
    years, it is the first row that is wide enough, or several words above that: of records that are wider than their names
    nobody is told the first as if it were names.
    """
    filled = [place for place, row in enumerate(rows) if width(row)]
    if not filled:
        return 0, 1
    least = _usual([width(rows[place]) for place in filled])
    least_cut = _usual([_cut(rows[place]) for place in filled])
    wide = [p for p in filled[:MOST_ABOVE] if width(rows[p]) >= least and _cut(rows[p]) >= least_cut] or filled[:1]
    typed = _typed([rows[place] for place in filled])
    named = {place: _named(rows[place], typed) for place in _above_records(rows, wide, typed)}
    first = max(named, key=lambda place: (named[place], bool(width(_row(rows, place + 1)))))
    if 2 * named[first] <= len(typed):
        first = wide[0] - _several_words(_row(rows, wide[0] - 1))
    over = _over(rows[first], typed)
    if over and all(map(is_value, over)) and not all(map(_YEAR.fullmatch, over)):
        return first, 0
    if _goes_on(rows[first], _row(rows, first + 1), typed):
        return first, 2
    if first and _groups(rows[first - 1], rows[first]):
        return first - 1, 2
    return first, 1


def width(row: Cells) -> int:
    """Up to the last cell that holds something."""
    return next((place for place in range(len(row), 0, -1) if row[place - 1]), 0)


def is_value(cell: str) -> bool:
    """Whether it begins like a number, and has no more letters than a unit or a month has."""
    return bool(_NUMBER.match(cell)) and sum(map(str.isalpha, cell[:40])) <= _MOST_LETTERS


_YEAR = re.compile("(?:19|20)[0-9]{2}")
_NUMBER = re.compile(r"[+\-−(]?\s*[€$£]?\s*[.,]?\d")


def _cut(row: Cells) -> int:
    """How many cells the line has, but for an empty one behind its last separator."""
    return len(row) - (len(row) > 1 and not row[-1])


def _usual(widths: list[int]) -> int:
    """What one in ten rows, or more, do not reach beyond."""
    return sorted(widths)[int(0.9 * (len(widths) - 1))]


def _typed(rows: Sequence[Cells]) -> frozenset[int]:
    """The columns that hold numbers or dates, by the first rows."""
    columns = max(map(len, rows))
    looked_at = rows[: max(10, _CELLS // columns)]
    counts, values = [0] * columns, [0] * columns
    for row in looked_at:
        for place, cell in enumerate(row):
            counts[place] += bool(cell)
            values[place] += is_value(cell)
    return frozenset(place for place in range(columns) if values[place] and values[place] >= _TYPED * counts[place])


def _above_records(rows: Sequence[Cells], places: Sequence[int], typed: frozenset[int]) -> list[int]:
    """Those of these rows that stand above every record, or below an empty row."""
    found: list[int] = []
    below = False
    for place in places:
        below = below and not any(not width(row) for row in rows[found[-1] : place])
        if not below:
            found.append(place)
        below = below or any(map(is_value, _over(rows[place], typed)))
    return found


def _over(row: Cells, typed: frozenset[int]) -> list[str]:
    """What a row says in columns of numbers or dates."""
    return [row[place] for place in typed if place < len(row) and not says_nothing(row[place])]


def _named(row: Cells, typed: frozenset[int]) -> int:
    """How many words stand over columns of numbers or dates."""
    return sum(not is_value(cell) for cell in _over(row, typed))


def _several_words(row: Cells) -> bool:
    return sum(map(bool, row)) > 1 and not any(map(is_value, row))


def _row(rows: Sequence[Cells], place: int) -> Cells:
    return rows[place] if 0 <= place < len(rows) else ()


def _goes_on(upper: Cells, lower: Cells, typed: frozenset[int]) -> bool:
    """Whether the line below fills what the names leave open, with words alone."""
    over = _over(lower, typed)
    fills = any(cell and not upper[place] for place, cell in enumerate(lower[: len(upper)]))
    return bool(over) and fills and not any(map(is_value, over))


def _groups(upper: Cells, lower: Cells) -> bool:
    """Whether the line above the names names groups of columns, and is no title and no note.

    A title is one cell, the first. A note has two, what it is of and what it says. Groups stand over several columns each, or in
    the place of a name that is missing below.
    """
    said = [place for place, cell in enumerate(upper[: width(lower)]) if cell]
    words = [upper[place] for place in said]
    if not said or said == [0] or width(upper) > width(lower) or any(is_value(word) or word.endswith(":") for word in words):
        return False
    twice = len(set(filter(None, lower))) < sum(map(bool, lower))
    instead = any(not lower[place] for place in said)
    return instead or ((twice or said != [0, 1]) and len(said) < width(lower))


def joined(rows: Sequence[Cells]) -> list[str]:
    """One name a column: “Costs: drugs” below a cell “Costs”, which reaches up to the next one in its row."""
    columns = max(map(len, rows), default=0)
    own = [[*row, *[""] * (columns - len(row))] for row in rows]
    parts = [*map(_reaching, own[:-1]), *own[-1:]]
    return [_name([part[c] for part in parts], [row[c] for row in own]) for c in range(columns)]


def _reaching(row: list[str]) -> list[str]:
    reach = list(row)
    for place in range(1, len(row)):
        reach[place] = reach[place] or reach[place - 1]
    return reach


def _name(parts: Sequence[str], own: Sequence[str]) -> str:
    """Groups and name, each once; a group that reaches from the left names no column by itself."""
    if not own[-1] and not any(own):
        return ""
    return composed(": ".join(dict.fromkeys(filter(None, parts))))


def composed(name: str) -> str:
    """Return a name with each letter and its marks as one character, and without what nobody sees."""
    seen = name.replace("\u200b", "").replace("\ufeff", "")
    return unicodedata.normalize("NFC", seen) if len(seen) <= _MOST_COMPOSED else seen
