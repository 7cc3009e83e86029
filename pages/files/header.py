"""The names of columns: which lines hold them, one name a column, and the sentences on names that cannot be used."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, count, zip_longest

from dpcore.base.text import counted, quoted
from dpcore.errors import TableError
from pages.files.cells import says_nothing, trimmed
from pages.files.form import HeaderLines
from pages.files.limits import MOST_COLUMNS

MOST_LISTED = 10
SAY_WHERE = "Say in which line of the file the names of the columns are."
_NAMES = f"{SAY_WHERE} If there are none, say so."
_MOST_ABOVE = 60  # lines among which the names are looked for
_CELLS = 20_000  # that are examined for what a column holds
_TYPED = 0.5  # of a column's cells are values, if it is a column of numbers or dates
_MOST_LETTERS = 3  # of a value: a unit, or a month
_YEAR = re.compile("(?:19|20)[0-9]{2}")
_VALUE = re.compile(r"[+\-−(]?\s*[€$£]?\s*[.,]?\d")
_NUMBER = re.compile(r"[+-]?[.,]?\d[\d.,]*(?:[eE][+-]?\d+)?")
Cells = Sequence[str]


def found(rows: Sequence[Cells]) -> tuple[int, int]:
    """Find the lines that name the columns, under titles and notes.

    A row of names is as wide as the records. No row between it and an empty row above is as wide and has a value in a column of
    numbers or dates. Among the candidates, the row with the most words over such columns wins. If several have equally many,
    the first one wins, but a row with an empty row below it comes last. If few such columns have a word above them, as under
    years, the names are the first row that is wide enough, or several words above it.

    Args:
        rows: The cells of the first lines.

    Returns:
        The place of the first row of names, from 0, and the number of such rows. The number is 0 if this row has numbers where
        its columns have numbers, unless these are years.
    """
    filled = [place for place, row in enumerate(rows) if _width(row)]
    if not filled:
        return 0, 1
    least = _usual([_width(rows[place]) for place in filled])
    least_cut = _usual([_cut(rows[place]) for place in filled])
    wide = [p for p in filled[:_MOST_ABOVE] if _width(rows[p]) >= least and _cut(rows[p]) >= least_cut] or filled[:1]
    typed = _typed([rows[place] for place in filled])
    # by place, how many words are over columns of numbers or dates
    named = {place: sum(not is_value(cell) for cell in _over(rows[place], typed)) for place in _above_records(rows, wide, typed)}
    first = max(named, key=lambda place: (named[place], bool(_width(_row(rows, place + 1)))))
    if 2 * named[first] <= len(typed):
        above = _row(rows, wide[0] - 1)
        first = wide[0] - (sum(map(bool, above)) > 1 and not any(map(is_value, above)))
    over = _over(rows[first], typed)
    if over and all(map(is_value, over)) and not all(map(_YEAR.fullmatch, over)):
        return first, 0
    if _continues(rows[first], _row(rows, first + 1), typed):
        return first, 2
    if first and _are_groups(rows[first - 1], rows[first]):
        return first - 1, 2
    return first, 1


def is_value(cell: str) -> bool:
    """Return whether a cell begins like a number, and has no more letters than a unit or a month."""
    return bool(_VALUE.match(cell)) and sum(map(str.isalpha, cell[:40])) <= _MOST_LETTERS


def _width(row: Cells) -> int:
    """Return the place behind the last filled cell."""
    return next((place for place in range(len(row), 0, -1) if row[place - 1]), 0)


def _cut(row: Cells) -> int:
    """Return the number of cells, without an empty one behind the last separator."""
    return len(row) - (len(row) > 1 and not row[-1])


def _usual(widths: list[int]) -> int:
    """Return the width that at least one row in ten does not exceed."""
    return sorted(widths)[int(0.9 * (len(widths) - 1))]


def _row(rows: Sequence[Cells], place: int) -> Cells:
    return rows[place] if 0 <= place < len(rows) else ()


def _typed(rows: Sequence[Cells]) -> frozenset[int]:
    """Return the columns that hold numbers or dates, by the first rows."""
    first = rows[: max(10, _CELLS // max(map(len, rows)))]
    columns = [[cell for cell in column if cell] for column in zip_longest(*first, fillvalue="")]
    values = [sum(map(is_value, column)) for column in columns]
    return frozenset(place for place, column in enumerate(columns) if 0 < values[place] >= _TYPED * len(column))


def _above_records(rows: Sequence[Cells], places: Sequence[int], typed: frozenset[int]) -> list[int]:
    """Return those of these rows that are above every record, or below an empty row."""
    above: list[int] = []
    below = False
    for place in places:
        below = below and all(map(_width, rows[above[-1] : place]))
        if not below:
            above.append(place)
        below = below or any(map(is_value, _over(rows[place], typed)))
    return above


def _over(row: Cells, typed: frozenset[int]) -> list[str]:
    """Return the cells of a row in columns of numbers or dates."""
    return [row[place] for place in typed if place < len(row) and not says_nothing(row[place])]


def _continues(upper: Cells, lower: Cells, typed: frozenset[int]) -> bool:
    """Return whether the line below the names fills cells that the names leave empty, and has only words."""
    over = _over(lower, typed)
    fills = any(cell and not upper[place] for place, cell in enumerate(lower[: len(upper)]))
    return bool(over) and fills and not any(map(is_value, over))


def _are_groups(upper: Cells, lower: Cells) -> bool:
    """Return whether the line above the names holds names of groups of columns, and not a title or a note.

    A title is one cell, the first. A note has two, its subject and its text. Groups are over several columns each, or replace a
    name that is missing below.
    """
    filled = [place for place, cell in enumerate(upper[: _width(lower)]) if cell]
    words = [upper[place] for place in filled]
    if (
        not filled
        or filled == [0]
        or _width(upper) > _width(lower)
        or any(is_value(word) or word.endswith(":") for word in words)
    ):
        return False
    twice = len(set(filter(None, lower))) < sum(map(bool, lower))
    instead = any(not lower[place] for place in filled)
    return instead or ((twice or filled != [0, 1]) and len(filled) < _width(lower))


def joined(rows: Sequence[Cells]) -> list[str]:
    """Return one name a column: “Costs: drugs” below a cell “Costs”, which reaches up to the next cell in its row.

    A column gets no name from a group that reaches over it from the left if it has no cell of its own.
    """
    columns = [*zip_longest(*rows, fillvalue="")]
    own = [*zip(*columns, strict=True)]  # rows of one width
    groups: list[list[str]] = [list(accumulate(row, lambda left, cell: cell or left)) for row in own[:-1]]
    parts = zip(*groups, *own[-1:], strict=True)
    names = [": ".join(dict.fromkeys(filter(None, part))) for part in parts]
    return list(trimmed([name if any(cells) else "" for name, cells in zip(names, columns, strict=True)]).to_pylist())


def refuse_unusable(names: Sequence[str], at: HeaderLines) -> None:
    """Raise TableError for more names than are read, and for lines of names that hold numbers or nothing."""
    refuse_many(len(names))
    if at.lines and all(_NUMBER.fullmatch(name) for name in names if name):
        what = "numbers" if any(names) else "nothing"
        raise TableError(f"Line {at.first} of the file holds {what}, not names of columns.", _NAMES)


def refuse_many(columns: int) -> None:
    """Raise TableError for more columns than are read."""
    if columns > MOST_COLUMNS:
        raise TableError(
            f"The file names {columns:,} columns; at most {MOST_COLUMNS:,} are read.", "Leave out columns that are not needed."
        )


def no_such_line(line: int, lines: int) -> TableError:
    """Return the error for names that begin beyond the end of the file."""
    return TableError(f"The file ends after line {lines}, and the names were looked for in line {line}.", SAY_WHERE)


def few_rows(records: int) -> TableError:
    """Return the error for fewer than two records below the names."""
    return TableError(
        f"The table has {counted(str(records), ' rows')} below its names of columns; at least 2 are needed.",
        f"Upload a table with more rows. {SAY_WHERE}",
    )


def different(names: Sequence[str]) -> list[str]:
    """Return a different name for each column: a second “Diagnosis” is “Diagnosis (2)”, a fourth column without a name is
    “Column 4”."""
    taken, told = set(names), dict[str, None]()
    for place, name in enumerate(names, 1):
        own = name or f"Column {place}"
        if own in told or (not name and own in taken):
            own = next(one for number in count(2) if (one := f"{own} ({number})") not in taken)
        told[own] = None
        taken.add(own)
    return list(told)


def renamed(names: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each name that several columns have, up to ten."""
    new_names: dict[str, list[str]] = {}
    for old, new in zip(names, different(names), strict=True):
        new_names.setdefault(old, []).append(quoted(new))
    said = [
        f"{len(new)} columns are named {quoted(old)}: they are called {listed(new)}."
        for old, new in new_names.items()
        if old and len(new) > 1
    ]
    return tuple(said[:MOST_LISTED])


def listed(names: Sequence[str]) -> str:
    """Return names in words: 2; 2 and 4; 2, 4 and 5; of a long list the first nine and how many more there are."""
    if len(names) > MOST_LISTED:
        shown = MOST_LISTED - 1
        return f"{', '.join(names[:shown])} and {len(names) - shown:,} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))
