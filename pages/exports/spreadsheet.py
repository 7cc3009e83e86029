"""A table as CSV for people's spreadsheets: no cell of it is taken for a formula there."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Any

_STARTS = "=+-@＝＋－＠﹦﹢﹣﹫"  # with which a spreadsheet begins a formula, in wide and small letters too
_SKIPPED = " '\""  # some programs skip these first, as well as other blanks and controls
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")
_MARK = "\ufeff"  # by which spreadsheets know UTF-8


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Return a table with headings as CSV. None is an empty cell.

    A text that a spreadsheet would compute gets an apostrophe in front. Numbers stay as they are, also negative ones.

    Args:
        rows: The rows, by column.
    """
    if not rows:
        return _MARK
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    writer.writerow([_inert(name) for name in rows[0]])
    writer.writerows([["" if cell is None else _inert(cell) for cell in row.values()] for row in rows])
    return _MARK + text.getvalue()


def _inert(cell: object) -> object:
    if not isinstance(cell, str):
        return cell
    begins = next((letter for letter in cell if letter.isprintable() and letter not in _SKIPPED), "")
    control = cell[:1] in ("\t", "\r")
    return f"'{cell}" if control or (begins and begins in _STARTS and not _NUMBER.fullmatch(cell)) else cell
