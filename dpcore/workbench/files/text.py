"""Large text files, as the app's own process reads small ones; and whose each row of one is."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.people import CODE, KEY
from dpcore.workbench.csv_columns import Format, read_as_declared, read_columns
from dpcore.workbench.persons import LONGEST_ID, told_apart

Answer = tuple[dict[str, Any], list[NDArray[Any]]]


def read(content: bytes, form: dict[str, str], numbers: list[str]) -> Answer:
    """The names in the header, and those and the values of the columns that are not empty."""
    header, values = read_columns(content, Format.from_json(form), frozenset(numbers))
    return {"names": header, "read": list(values)}, list(values.values())


def declared(content: bytes, form: dict[str, str], numbers: list[str], words: dict[str, int]) -> Answer:
    """The columns of a file that was read before, as they are declared."""
    values = read_as_declared(content, Format.from_json(form), frozenset(numbers), words)
    return {"read": list(values)}, list(values.values())


def people(content: bytes, form: dict[str, str], column: str, rows: int) -> Answer:
    """Code and key of the person of each row; a column without a text in it names nobody."""
    texts = read_as_declared(content, Format.from_json(form), frozenset(), {column: LONGEST_ID + 1}).get(column)
    whose = told_apart(np.full(rows, "") if texts is None else texts, column)
    return {}, [whose[CODE].copy(), whose[KEY].copy()]
