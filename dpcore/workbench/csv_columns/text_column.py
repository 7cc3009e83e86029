"""Columns of text as arrays of fixed width, gathered part after part within one limit of memory for all of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import Database
from dpcore.workbench.csv_columns.content import MOST_BYTES

MOST_TEXT_BYTES = 4 * MOST_BYTES  # all columns of text: an array of fixed width takes 4 bytes a character, short value or long
_TOGETHER = 2**22  # characters that are decoded at once


@final
@dataclass(slots=True)
class TextColumn:
    """The values so far; while they wait, those of ASCII take one byte a character."""

    parts: list[NDArray[Any]] = field(default_factory=list)
    width: int = 0
    records: int = 0

    @property
    def takes(self) -> int:
        """Bytes of the array that it will be."""
        return 4 * max(self.width, 1) * self.records

    def add(self, values: Any, most: int) -> bool:
        """Add strings, a Series say, without spaces around them; False, with nothing added, where ``most`` bytes are too few."""
        arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
        words = pc.utf8_trim_whitespace(arrow.array(values, type=arrow.large_string()))
        self.width = max(self.width, pc.max(pc.utf8_length(words)).as_py() or 0)
        self.records += len(words)
        if self.takes > most:
            return False
        self.parts.append(_fixed(words, max(1, self.width)))
        return True

    def array(self) -> Database:
        """All values, (n,). The parts are used up."""
        codes = np.zeros((self.records, self.width), dtype=np.uint32)  # no array of strings: numpy casts 8,192 of those at once
        start = 0
        for i in range(len(self.parts)):
            part, self.parts[i] = self.parts[i], _NONE
            codes[start : start + len(part), : part.shape[1]] = part
            start += len(part)
        return codes.view(f"U{self.width}").reshape(self.records)


_NONE = np.empty((0, 0), dtype=np.uint8)


def _fixed(words: Any, width: int) -> NDArray[Any]:
    """Strings of Arrow as their characters' codes, (n, width), with zeros behind; one byte each where all are ASCII."""
    pc = import_module("pyarrow.compute")
    if pc.all(pc.string_is_ascii(words)).as_py():
        return np.frombuffer(_padded(words, width), dtype=np.uint8).reshape(len(words), width)
    at_once = max(1, _TOGETHER // width)
    codes = np.empty((len(words), width), dtype=np.uint32)
    for start in range(0, len(words), at_once):
        characters = str(_padded(words[start : start + at_once], width), "utf-8").encode("utf-32-le")
        codes[start : start + at_once] = np.frombuffer(characters, dtype="<u4").reshape(-1, width)
    return codes


def _padded(words: Any, width: int) -> Any:
    """The bytes of all strings, one behind the other, each filled up to so many characters."""
    filled = import_module("pyarrow.compute").utf8_rpad(words, width, padding="\0")
    _, offsets, data = filled.buffers()
    first, last = np.frombuffer(offsets, np.int64)[[filled.offset, filled.offset + len(filled)]]
    return memoryview(data)[first:last]
