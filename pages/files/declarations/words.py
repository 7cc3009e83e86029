"""Columns of text by their different values, of which there are few where there are many records."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from dpcore.base.types import Database

_WHOLE = 1e15  # below that a whole number is written without a point


@final
@dataclass(frozen=True, eq=False)
class Words:
    """``different``: the values that there are; ``places``: where in these each record's value stands, (n,)."""

    different: list[str]
    places: NDArray[np.int32]

    def mapped(self, values: NDArray[Any]) -> Database:
        """What each record has, from one value a different word: (different,) -> (n,)"""
        if not len(values):
            return np.full(len(self.places), np.nan if values.dtype.kind == "f" else "", dtype=values.dtype)
        return np.ascontiguousarray(values[self.places])


def words_of(values: Database, *, most: int | None = None) -> Words:
    """The values of a column, trimmed, numbers as they are written by hand; ``most``: only the first characters of each."""
    arrow, pc = import_module("pyarrow"), import_module("pyarrow.compute")
    if values.dtype.kind != "U":
        different, places = np.unique(values, return_inverse=True)
        return Words([_written(float(number)) for number in different], places.astype(np.int32))
    strings = pc.utf8_trim_whitespace(arrow.array(values, type=arrow.large_string()))
    if most is not None:
        strings = pc.utf8_slice_codeunits(strings, 0, most)
    coded = pc.dictionary_encode(strings)
    return Words(coded.dictionary.to_pylist(), coded.indices.to_numpy())


def _written(number: float) -> str:
    if np.isnan(number):
        return ""
    return str(int(number)) if number.is_integer() and abs(number) < _WHOLE else repr(number)
