"""How a file is read that settings of another file speak of: by the names of its columns, wherever they stand in it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from dpcore.errors import TableError
from pages.files.csv_columns import header_lines
from pages.files.csv_columns.detection import first_rows
from pages.files.csv_columns.format import Format
from pages.files.csv_columns.header import different
from pages.files.csv_columns.header_lines import LAST_LINE, HeaderLines, Span
from pages.files.forms import Form, Seen, Sheet, first_rows_of_sheet, names_under


def form_for(saved: Form, known: Collection[str], content: bytes, ways: Sequence[Seen]) -> Form | None:
    """The form under which most of the ``known`` names are there; of equally good ones what was saved comes first, then the same
    with another line of names, then what was detected. None where no name is known."""
    best, most = None, 0
    for way in _tried(saved, known, content, ways):
        if (found := _known(way.names, known)) > most:
            best, most = way.form, found
    return best


def _tried(saved: Form, known: Collection[str], content: bytes, ways: Sequence[Seen]) -> Iterator[Seen]:
    seen = ways[0].form
    if isinstance(saved, Format) and isinstance(seen, Format):
        for form in (saved, seen):
            yield Seen(form, names_under(content, form))
            yield from _moved(form, known, content, saved.names.lines)
        return
    if isinstance(saved, Sheet) and isinstance(seen, Sheet):
        same = [way for way in ways if isinstance(way.form, Sheet) and way.form.name == saved.name]
        yield from _moved_in_sheet(saved if same else _closest(ways, known), known, content, saved.names.lines)
    yield from ways


def _closest(ways: Sequence[Seen], known: Collection[str]) -> Sheet:
    closest = max(ways, key=lambda way: _known(way.names, known)).form
    assert isinstance(closest, Sheet)
    return closest


def _moved(form: Format, known: Collection[str], content: bytes, lines: int) -> Iterator[Seen]:
    """The same with the names in another line."""
    try:
        rows = first_rows(content, form)
    except TableError:
        return
    at, names = _place([row for _, row in rows], (), known, lines)
    if rows[at][0] <= LAST_LINE:
        yield Seen(replace(form, names=HeaderLines(rows[at][0], lines)), names)


def _moved_in_sheet(sheet: Sheet, known: Collection[str], content: bytes, lines: int) -> Iterator[Seen]:
    try:
        said = first_rows_of_sheet(content, sheet.name)
    except TableError:
        return
    at, names = _place(said["rows"], [tuple(span) for span in said["merged"]], known, lines)
    yield Seen(replace(sheet, names=HeaderLines(at + 1, lines)), names)


def _place(rows: Sequence[list[str]], merged: Sequence[Span], known: Collection[str], lines: int) -> tuple[int, tuple[str, ...]]:
    """The row in which most of the known names begin, and all names there."""
    called = [
        tuple(different(header_lines.joined(rows[at : at + lines], header_lines.within(merged, at, lines))))
        for at in range(len(rows))
    ]
    at = max(range(len(rows)), key=lambda at: _known(called[at], known))
    return at, called[at]


def _known(names: Sequence[str], known: Collection[str]) -> int:
    return len(set(names).intersection(known))
