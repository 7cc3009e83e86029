"""Columns of numbers that no parser takes as they are: with a mark between thousands, or declared and with strays among them."""

from __future__ import annotations

import io
from importlib import import_module
from typing import TYPE_CHECKING, Any, final

import numpy as np

from dpcore.base.types import Database
from dpcore.workbench.csv_columns.format import Format

if TYPE_CHECKING:
    import pandas as pd

_TRUE, _FALSE, _INFINITE = "^(?:True|TRUE|true)$", "^(?:False|FALSE|false)$", "^[+-]?(?i:inf|infinity)$"


@final
class WrittenNumbers:
    """Columns that were read as text, gathered as numbers for as long as each value of theirs is one, or is missing.

    In a column that is declared to hold numbers, what is none is missing, and the column stays.
    """

    def __init__(self, names: list[str], form: Format, missing: list[str], declared: frozenset[str] = frozenset()) -> None:
        self._form, self._missing, self._declared = form, missing, declared
        self.read: list[str] = []  # those that ``arrays`` gave, or would have if they held a number
        self._parts: dict[str, list[Database]] = {name: [] for name in names}

    @property
    def names(self) -> list[str]:
        """The columns that are numbers so far."""
        return list(self._parts)

    def add(self, part: pd.DataFrame) -> None:
        """Add the records of a part; a column with a value that is no number is let go."""
        for name in self.names:
            numbers = self._numbers(part[name], name in self._declared)
            if numbers is None:
                del self._parts[name]
            else:
                self._parts[name].append(numbers)

    def arrays(self) -> dict[str, Database]:
        """Those that hold a number at all. The parts are used up."""
        self.read = self.names
        whole = {name: np.concatenate(self._parts.pop(name)) for name in self.read}
        return {name: array for name, array in whole.items() if name in self._declared or not np.isnan(array).all()}

    def _numbers(self, values: pd.Series[str], declared: bool) -> Database | None:
        arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
        words = pc.utf8_trim_whitespace(pc.fill_null(arrow.array(values, type=arrow.string()), ""))
        missing = pc.is_in(words, value_set=arrow.array(self._missing, type=arrow.string()))
        if declared:
            words = _truths_as_numbers(words)
            missing = pc.invert(pc.match_substring_regex(words, f"{self._form.number}|{_INFINITE}"))
        elif not pc.all(pc.or_(missing, pc.match_substring_regex(words, self._form.number)), min_count=0).as_py():
            return None
        return _parsed(pc.replace_substring_regex(pc.if_else(missing, "", words), self._form.separator, ""), self._form.decimal)


def _truths_as_numbers(words: Any) -> Any:
    """As the parser has them where a column holds nothing else."""
    pc = import_module("pyarrow.compute")
    return pc.replace_substring_regex(pc.replace_substring_regex(words, _TRUE, "1"), _FALSE, "0")


def _parsed(words: Any, decimal: str) -> Database:
    """By the parser of all other numbers, so that a number is the same to its last bit however it is written."""
    import pandas as pd

    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    lines = arrow.ListArray.from_arrays([0, len(words)], words)
    text = pc.binary_join(lines, "\n")[0].as_py() + "\n"  # the last value may be missing: its line would be none
    columns = pd.read_csv(io.StringIO(text), sep="\t", names=["_"], decimal=decimal, skip_blank_lines=False, dtype="float64")
    return columns["_"].to_numpy()
