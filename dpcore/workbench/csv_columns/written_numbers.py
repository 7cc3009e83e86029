"""Columns of numbers with a mark between thousands, which no parser takes strictly: 12.5 is no 125 where the point is one."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.base.types import Database
from dpcore.workbench.csv_columns.format import Format

if TYPE_CHECKING:
    import pandas as pd


@final
class WrittenNumbers:
    """Columns that were read as text, gathered as numbers for as long as each value of theirs is one, or is missing."""

    def __init__(self, names: list[str], form: Format, missing: list[str]) -> None:
        self._form, self._missing = form, missing
        self.read: list[str] = []  # those that ``arrays`` gave, or would have if they held a number
        self._parts: dict[str, list[Database]] = {name: [] for name in names}

    @property
    def names(self) -> list[str]:
        """The columns that are numbers so far."""
        return list(self._parts)

    def add(self, part: pd.DataFrame) -> None:
        """Add the records of a part; a column with a value that is no number is let go."""
        for name in self.names:
            numbers = self._numbers(part[name])
            if numbers is None:
                del self._parts[name]
            else:
                self._parts[name].append(numbers)

    def arrays(self) -> dict[str, Database]:
        """Those that hold a number at all. The parts are used up."""
        self.read = self.names
        whole = {name: np.concatenate(self._parts.pop(name)) for name in self.read}
        return {name: array for name, array in whole.items() if not np.isnan(array).all()}

    def _numbers(self, values: pd.Series[str]) -> Database | None:
        arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
        words = pc.utf8_trim_whitespace(pc.fill_null(arrow.array(values, type=arrow.string()), ""))
        missing = pc.is_in(words, value_set=arrow.array(self._missing, type=arrow.string()))
        if not pc.all(pc.or_(missing, pc.match_substring_regex(words, self._form.number)), min_count=0).as_py():
            return None
        return _parsed(pc.replace_substring_regex(pc.if_else(missing, "", words), self._form.separator, ""), self._form.decimal)


def _parsed(words: Any, decimal: str) -> Database:
    """By the parser of all other numbers, so that a number is the same to its last bit however it is written."""
    import pandas as pd

    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    lines = arrow.ListArray.from_arrays([0, len(words)], words)
    text = pc.binary_join(lines, "\n")[0].as_py() + "\n"  # the last value may be missing: its line would be none
    columns = pd.read_csv(io.StringIO(text), sep="\t", names=["_"], decimal=decimal, skip_blank_lines=False, dtype="float64")
    return columns["_"].to_numpy()
