"""The types that a column can be declared to have, in the order in which they are offered."""

from __future__ import annotations

from pages.files.declarations.column_types.column_type import ColumnType
from pages.files.declarations.column_types.dated import ORDERS, Dated
from pages.files.declarations.column_types.number import Number
from pages.files.declarations.column_types.words import Category, Text, YesNo

TYPES: dict[str, ColumnType] = {
    known.title: known for known in (Number(), YesNo(), Category(), *(Dated(order) for order in ORDERS), Text())
}
