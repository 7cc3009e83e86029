"""What a target of a single column accepts."""

from __future__ import annotations

from dpcore.base.types import Database
from dpcore.errors import InvalidValueError


def single_columns(databases: Database) -> Database:
    """(b, n) or (b, n, 1) -> (b, n); InvalidValueError for more columns."""
    if databases.ndim == 3 and databases.shape[2] == 1:
        column: Database = databases[:, :, 0]
        return column
    if databases.ndim != 2:
        raise InvalidValueError("databases", "of a single column", databases.shape[2:])
    return databases


def single_column(database: Database) -> Database:
    """(n,) or (n, 1) -> (n,); InvalidValueError for more columns."""
    if database.ndim == 2 and database.shape[1] == 1:
        column: Database = database[:, 0]
        return column
    if database.ndim != 1:
        raise InvalidValueError("database", "of a single column", database.shape[1:])
    return database
