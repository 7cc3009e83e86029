"""Which rows of a file are left out by what they hold, as its holder states it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from dpcore.base.counted import counted
from dpcore.base.types import Database
from dpcore.errors import TableError
from pages.files.declarations.declaration import LONGEST, Declaration, words_of
from pages.files.declarations.whole_file import WholeFile
from pages.files.tables import Parquet, Table, read_again

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


def rows_left_out(draft: Table, content: bytes, whole: WholeFile, declared: Sequence[Declaration]) -> Rows | None:
    """Of each row of the file whether it is; None where there is no such condition. Each cell is read by itself, as it is
    written, without the codes of its column and of the file."""
    if not whole.by:
        return None
    refuse_unknown(draft, whole)
    own = next((one for one in declared if one.name == whole.by), Declaration(name=whole.by, type="text"))
    words = words_of(written_cells(draft, content, (whole.by,))[whole.by]).without(whole.of(own).codes)
    asked = whole.words or ("",)
    return np.asarray(words.mapped(np.array([float(word in asked) for word in words.different])) == 1)


def written_cells(draft: Table, content: bytes, names: Sequence[str]) -> dict[str, Database]:
    """What stands in the cells of these columns, as text where the file is text; nothing in those of a column that is empty."""
    found = {name: draft.values[name] for name in names if name in draft.values}
    other = [name for name in names if name not in found or found[name].dtype.kind != "U"]
    if other and draft.form is not None and not isinstance(draft.form, Parquet):
        found |= dict.fromkeys(other, np.full(len(draft), ""))
        found |= read_again(content, draft.form, frozenset(), dict.fromkeys(other, LONGEST + 1))
    return dict.fromkeys(names, np.full(len(draft), "")) | found
