"""Which rows of a file are left out by what they hold, as its holder states it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.counted import counted
from dpcore.errors import TableError
from pages.files.declarations.declaration import LONGEST, Declaration, words_of
from pages.files.declarations.whole_file import WholeFile
from pages.files.tables import Table

Rows = NDArray[np.bool_]


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
    if not whole.words:
        raise TableError(
            f"{whole.by} holds no value that is read, so every row would be left out.", "Choose another column for that."
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
