"""What is known of a CSV once its header is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.counted import counted
from dpcore.workbench.csv_columns.format import Format


@final
@dataclass(frozen=True, slots=True)
class Layout:
    """The text from its header on, in UTF-8 with plain line ends; how it is written, its columns, and the blank lines before."""

    body: bytes
    form: Format
    header: list[str]
    blank_lines: int

    @property
    def delimiter(self) -> str:
        """What stands between its columns."""
        return self.form.delimiter

    @property
    def columns_in_words(self) -> str:
        """1 column, 2 columns."""
        return counted(len(self.header), " columns")
