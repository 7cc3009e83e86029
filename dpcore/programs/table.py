"""A database as the bytes that a program reads."""

from __future__ import annotations

import io
import re
from typing import Any

from dpcore.base.as_declared import numbers_of, places_of, values_of
from dpcore.base.declared import TEXT, Column
from dpcore.base.extras import needs
from dpcore.base.types import Database
from dpcore.sql.as_arrow import as_arrow

_QUOTED = re.compile('[",\r\n]|^ | $')


def as_csv(columns: tuple[Column, ...], database: Database) -> bytes:
    """A line of names, then a line for each record, in UTF-8; each line ends with a line feed, the last one too.

    A number is the shortest decimal that is read back to its very bits. A cell with a comma, a quotation mark, a line's end or a
    blank at an end stands in quotation marks, its own doubled. A missing value is an empty cell, and "" where it stands alone,
    so that no line is empty.
    """
    values = zip(columns, values_of(columns, database), strict=True)
    cells = [_texts(column, some) if column.role == TEXT else _numbers(column, some) for column, some in values]
    lines = (",".join(row) or '""' for row in zip(*cells, strict=True))
    return "".join(f"{line}\n" for line in (",".join(_cell(column.name) for column in columns), *lines)).encode()


def as_parquet(columns: tuple[Column, ...], database: Database) -> bytes:
    """A file of Parquet with a column of doubles or texts each; a missing value is null."""
    with needs("parquet"):
        import pyarrow.parquet as pq

    file = io.BytesIO()
    pq.write_table(as_arrow(columns, database), file, compression="none")
    return file.getvalue()


def _numbers(column: Column, values: Database) -> list[str]:
    return ["" if number != number else repr(number) for number in numbers_of(column, values).tolist()]


def _texts(column: Column, values: Database) -> list[str]:
    if column.categories is None:
        return list(map(_cell, values.tolist()))
    listed: list[Any] = list(map(str, column.categories))
    cells = [*map(_cell, listed), ""]  # the last is also that of place −1
    return [cells[place] for place in places_of(listed, values)]


def _cell(text: str) -> str:
    return '"{}"'.format(text.replace('"', '""')) if _QUOTED.search(text) else text
