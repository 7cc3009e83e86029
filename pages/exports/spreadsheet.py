"""A table as CSV for people's spreadsheets: no cell of it is taken for a formula there."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from typing import Any

_STARTS = "=+-@＝＋－＠﹦﹢﹣﹫"  # with which a spreadsheet begins a formula, in wide and small letters too
_LOOKED_OVER = "'\""  # what some leave out before they look, as they do spaces and controls
_MARK = "\ufeff"  # by which spreadsheets know UTF-8


def as_csv(rows: Sequence[dict[str, Any]]) -> str:
    """Its headings and rows, quoted where that is needed; None is an empty cell. A text that a spreadsheet would compute begins
    with an apostrophe; numbers stay what they are, negative ones too."""
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
    begins = next((letter for letter in cell if not _looked_over(letter)), "")
    control = cell[:1] in ("\t", "\r")
    return f"'{cell}" if control or (begins and begins in _STARTS and not _number(cell)) else cell


def _looked_over(letter: str) -> bool:
    return letter in _LOOKED_OVER or unicodedata.category(letter)[0] in "ZC"


def _number(cell: str) -> bool:
    """Whether it is nothing but a plain number, of letters that cannot begin anything else."""
    if not cell.isascii() or set(cell) - set("0123456789+-.eE"):
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True
