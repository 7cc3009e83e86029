"""The columns that a kind takes, as slots: from these its columns are picked, and the form asks for them.

A kind states them as ``takes``; one that states nothing takes one column of numbers. A member whose options say more of its
columns, such as how many they are, has ``fits(columns)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

from dpcore.base.declared import PERSON, TEXT, Column

TWO = (0.0, 1.0)  # the categories of a label


def of_numbers(column: Column) -> bool:
    """Whether it holds numbers."""
    return column.role not in (TEXT, PERSON)


def of_text(column: Column) -> bool:
    """Whether it holds strings."""
    return column.role == TEXT


def of_rows(column: Column) -> bool:
    """Whether it holds something of a row, and not whose row it is."""
    return column.role != PERSON


def of_numbers_or_categories(column: Column) -> bool:
    """Whether it holds numbers, or texts of public categories."""
    return of_numbers(column) or column.categories is not None


def bounded(column: Column) -> bool:
    """Whether it holds numbers with public bounds."""
    return of_numbers(column) and column.bounds is not None


def of_two_classes(column: Column) -> bool:
    """Whether it holds two public categories, besides that of what is in no list."""
    return bool(column.classes)


def feature(column: Column) -> bool:
    """Whether it holds numbers with public bounds, or at least two public categories."""
    return bounded(column) or (column.categories is not None and len(column.categories) > 1)


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one column, or for ``several`` of them: ``usual`` many until others are picked, and never fewer than ``least``.

    ``accepts``: whether a column can stand there. ``role``: columns of this role are taken before others. ``label`` and
    ``help`` stand at its control.
    """

    name: str
    label: str
    accepts: Callable[[Column], bool] = of_numbers
    several: bool = False
    usual: int = 1
    least: int = 1
    role: str = ""
    help: str = ""


Slots = tuple[Slot, ...]

ONE_NUMBER: Slots = (Slot("column", "Column"),)
ONE_NUMBER_OR_CATEGORY: Slots = (Slot("column", "Column", of_numbers_or_categories),)
NUMBERS: Slots = (Slot("columns", "Columns", several=True),)
BOUNDED_NUMBERS: Slots = (
    Slot(
        "columns",
        "Columns",
        bounded,
        several=True,
        usual=4,
        least=2,
        help="Two columns of numbers or more, each with public bounds.",
    ),
)
TWO_NUMBERS: Slots = (Slot("column", "Across (x)"), Slot("column_1", "Up (y)", role="label"))
NUMBERS_AND_ONE: Slots = (Slot("columns", "Across (x)", several=True), Slot("column_1", "Up (y)", role="label"))
ALL_THAT_ARE_READ: Slots = (Slot("columns", "Columns", of_rows, several=True),)
ONE_TEXT: Slots = (Slot("column", "Column", of_text),)
FEATURES_AND_LABEL: Slots = (
    Slot(
        "features",
        "Features",
        feature,
        several=True,
        usual=2,
        help="Columns of numbers with public bounds, or of public categories: the answer has a weight for each number, and for "
        "each category but the first.",
    ),
    Slot("label", "Label, of two classes", of_two_classes, role="label"),
)
FEATURES_AND_NUMBER: Slots = (
    Slot(
        "features",
        "Features",
        feature,
        several=True,
        help="Columns of numbers with public bounds, or of public categories: the line has a slope for each number, and a step "
        "for each category but the first.",
    ),
    Slot("label", "Label, a number to predict", bounded, role="label", help="A column of numbers with public bounds."),
)


def slots_of(kind: Any) -> Slots:
    """Return the slots of a class or a member."""
    slots: Slots = kind.takes
    return slots


def stand_in(slots: Slots, columns: tuple[Column, ...]) -> bool:
    """Whether the columns, in their order, fill the slots: one each, and as many as are left where it is for several."""
    extra = len(columns) - len(slots)
    if extra < 0 or (extra and not any(slot.several for slot in slots)):
        return False
    placed = [slot for slot in slots for _ in range(1 + extra * slot.several)]
    return all(slot.accepts(column) for slot, column in zip(placed, columns, strict=True))


def fits(member: Any, columns: tuple[Column, ...]) -> bool:
    """Whether a member can work on exactly these columns: as its own ``fits(columns)`` has it, else as its slots have it."""
    return bool(member.fits(columns))
