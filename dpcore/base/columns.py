"""Declared columns of a table, and the slots that say which columns a member takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import final

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import categories, set_fields
from dpcore.base.text import quoted
from dpcore.errors import InvalidValueError

TEXT = "text"  # the role of a column whose values are strings
PERSON = "person"  # the role of the column that says whose a row is
OTHER = "other"  # the category of values that are in no list of categories
KNOWN, CONSTANT = "only known values count", "it counts as a constant"  # rules for missing values


@final
@dataclass(frozen=True)
class Column:
    """The public declaration of a column. A member is chosen by declarations only, before it reads the table.

    Attributes:
        name: The name in the table.
        label: The name for people; empty for ``name``.
        unit: The unit of its numbers.
        role: "measure", "text" (its values are strings, and it has no bounds), "person", "label" or another role of a slot.
        bounds: The public bounds of its numbers.
        categories: Its public categories: different texts, none empty, for the role "text", and codes otherwise.
        missing: The owner's rule for a missing value: KNOWN, CONSTANT, or empty.
        stands: The constant of the rule CONSTANT.
        read_as: How its cells are read, such as "number".
        category_names: The name of each category that is a code.
        since: The day, as 2024-12-31, from which a column of dates counts days.

    Raises:
        InvalidValueError: If bounds, categories or the rule for missing values are not as described.

    Examples:
        >>> Column("age", "Age", unit="years", bounds=(0, 110)).words
        'Age (years)'
    """

    name: str
    label: str = ""
    unit: str = ""
    role: str = "measure"
    bounds: Interval | None = None
    categories: tuple[float, ...] | tuple[str, ...] | None = None
    missing: str = ""
    stands: str = ""
    read_as: str = ""
    category_names: tuple[str, ...] = ()
    since: str = ""

    def __post_init__(self) -> None:
        name = quoted(self.name)
        if self.bounds is not None:
            if self.role == TEXT:
                raise InvalidValueError(f"bounds of {name}", "left out, because the column holds text", self.bounds)
            set_fields(self, bounds=interval(f"bounds of {name}", self.bounds))
        if self.categories is not None:
            listed = categories(f"categories of {name}", self.categories)
            if isinstance(listed[0], str) != (self.role == TEXT):
                raise InvalidValueError(f"categories of {name}", "texts in a column of text, otherwise numbers", self.categories)
            set_fields(self, categories=listed)
        if self.missing not in ("", KNOWN, CONSTANT):
            rules = f"“{KNOWN}” or “{CONSTANT}”"
            raise InvalidValueError(f"rule for a missing {name}", rules, self.missing)

    @property
    def classes(self) -> tuple[float | str, ...]:
        """The two categories of a column that has two besides OTHER; empty otherwise."""
        listed = tuple(category for category in self.categories or () if category != OTHER)
        return listed if len(listed) == 2 else ()

    @property
    def coded(self) -> Column:
        """The column with the indices of its categories, 0, 1, …, as its numbers; itself if it has fewer than two.

        With two classes, a value that is neither counts as missing.
        """
        listed = self.classes or self.categories or ()
        if len(listed) < 2:
            return self
        places = tuple(map(float, range(len(listed))))
        names = self.category_names or tuple(self.shown(category) for category in listed)
        role = "category" if self.role == TEXT else self.role
        return replace(self, role=role, bounds=(0.0, places[-1]), categories=places, category_names=names)

    def shown(self, constant: float | str | None) -> str:
        """Return a public constant of the column as people know it: a day, a category's name, or a number in full."""
        if isinstance(constant, float):
            if self.since and constant.is_integer() and 0 <= constant <= (date.max - date.fromisoformat(self.since)).days:
                return (date.fromisoformat(self.since) + timedelta(days=constant)).isoformat()
            if constant in (names := dict(zip(self.categories or (), self.category_names, strict=False))):
                return names[constant]
            if constant.is_integer() and abs(constant) < 1e15:
                return f"{constant:.0f}"
        return str(constant)

    @property
    def words(self) -> str:
        """The label with the unit."""
        return (self.label or self.name) + (f" ({self.unit})" if self.unit else "")


def of_numbers(column: Column) -> bool:
    """Return whether a column holds numbers."""
    return column.role not in (TEXT, PERSON)


def of_text(column: Column) -> bool:
    """Return whether a column holds strings."""
    return column.role == TEXT


def of_rows(column: Column) -> bool:
    """Return whether a column describes a row, and does not say whose row it is."""
    return column.role != PERSON


def of_numbers_or_categories(column: Column) -> bool:
    """Return whether a column holds numbers, or texts of public categories."""
    return of_numbers(column) or column.categories is not None


def bounded(column: Column) -> bool:
    """Return whether a column holds numbers with public bounds."""
    return of_numbers(column) and column.bounds is not None


def of_two_classes(column: Column) -> bool:
    """Return whether a column holds two public categories besides OTHER."""
    return bool(column.classes)


def feature(column: Column) -> bool:
    """Return whether a column holds numbers with public bounds, or at least two public categories."""
    return bounded(column) or (column.categories is not None and len(column.categories) > 1)


@final
@dataclass(frozen=True)
class Slot:
    """A place for one column, or for several of them.

    A class states its slots as ``takes``. A member whose options say more of its columns overrides ``fits(columns)``.

    Attributes:
        name: The name in links.
        label: The text at its control.
        accepts: Whether a column can be in it.
        several: Whether it takes several columns.
        usual: How many columns it has until others are picked.
        least: The fewest columns that it takes.
        role: Columns of this role are taken first.
        help: The help at its control.
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


def stand_in(slots: Slots, columns: tuple[Column, ...]) -> bool:
    """Return whether columns fill slots in this order: one column each, and all that are left in a slot for several."""
    extra = len(columns) - len(slots)
    if extra < 0 or (extra and not any(slot.several for slot in slots)):
        return False
    placed = [slot for slot in slots for _ in range(1 + extra * slot.several)]
    return all(slot.accepts(column) for slot, column in zip(placed, columns, strict=True))
