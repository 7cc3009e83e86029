"""How a file is read, of any kind: what is proposed to its holder, and a constant once that is confirmed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.workbench.csv_columns.content import refuse_sizes
from dpcore.workbench.csv_columns.detected import detected
from dpcore.workbench.csv_columns.format import Format


@final
@dataclass(frozen=True, slots=True)
class Parquet:
    """A Parquet file, which says itself how each of its columns is written."""

    @property
    def words(self) -> str:
        """A Parquet file, and what its dates become."""
        return "a Parquet file, with dates as text such as 2024-01-31"


Form = Format | Parquet


def proposed(content: bytes) -> tuple[Form, ...]:
    """The ways to read a file, by its first bytes and whatever its name; TableError, in a sentence, where there is none."""
    refuse_sizes(content)
    if content.startswith(b"PAR1"):
        return (Parquet(),)
    return (detected(content),)
