"""What is publicly declared of a column: all that a kind may know of a table before it is chosen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import final

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import categories, numbers
from dpcore.base.quoted import quoted
from dpcore.errors import InvalidValueError

TEXT = "text"  # the role of a column whose values are strings
PERSON = "person"  # the role of the column that says whose a row is
OTHER = "other"  # the category of what is in no list of categories
KNOWN, CONSTANT = "only known values count", "it counts as a constant"  # a missing value


@final
@dataclass(frozen=True, slots=True)
class Column:
    """What is publicly declared of a column; ``categories`` are its codes where it holds categories.

    A column of text has the role "text" and no bounds; its categories are texts, all different, and none of them empty.
    ``missing`` is its holder's rule for a missing value, empty where none was chosen, and ``stands`` the constant of that rule.
    ``read_as`` says how its cells are read, as in "number". ``category_names`` are those of categories that are codes, one each;
    ``since`` is the day, as 2024-12-31, from which a column of dates counts days.
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
        if self.role == TEXT and self.bounds is not None:
            raise InvalidValueError(f"bounds of {quoted(self.name)}", "left out, for the column holds text", self.bounds)
        if self.bounds is not None:
            object.__setattr__(self, "bounds", interval(f"bounds of {quoted(self.name)}", self.bounds))
        if self.categories is not None:
            object.__setattr__(self, "categories", self._categories())
        if self.missing not in ("", KNOWN, CONSTANT):
            raise InvalidValueError(f"rule for a missing {quoted(self.name)}", f"“{KNOWN}” or “{CONSTANT}”", self.missing)

    def _categories(self) -> tuple[float, ...] | tuple[str, ...]:
        name = f"categories of {quoted(self.name)}"
        if self.role != TEXT:
            return numbers(name, self.categories)
        found = categories(name, self.categories)
        if not all(isinstance(item, str) for item in found):
            raise InvalidValueError(name, "texts: the column holds text", self.categories)
        return found

    @property
    def classes(self) -> tuple[float | str, ...]:
        """Its two categories, where it has two besides that of what is in no list; else none."""
        listed = tuple(category for category in self.categories or () if category != OTHER)
        return listed if len(listed) == 2 else ()

    @property
    def coded(self) -> Column:
        """The same with the places of its categories, 0, 1, …, in place of their texts or numbers, for a kind that takes numbers
        alone; itself where it has none. Between two, what is neither counts as missing."""
        listed = self.classes or self.categories or ()
        if len(listed) < 2:
            return self
        places = tuple(map(float, range(len(listed))))
        names = self.category_names or tuple(self.shown(category) for category in listed)
        role = "category" if self.role == TEXT else self.role
        return replace(self, role=role, bounds=(0.0, places[-1]), categories=places, category_names=names)

    def shown(self, constant: float | str | None) -> str:
        """A public constant of the column, as people know it: a day, a category by its name, or a number with all its digits."""
        if isinstance(constant, float):
            if self.since and constant.is_integer() and 0 <= constant <= self._days_left:
                return (date.fromisoformat(self.since) + timedelta(days=constant)).isoformat()
            if constant in (names := dict(zip(self.categories or (), self.category_names, strict=False))):
                return names[constant]
            if constant.is_integer() and abs(constant) < 1e15:
                return f"{constant:.0f}"
        return str(constant)

    @property
    def _days_left(self) -> int:
        """From its first day to the last that there is."""
        return (date.max - date.fromisoformat(self.since)).days

    @property
    def words(self) -> str:
        """Its label with its unit."""
        return (self.label or self.name) + (f" ({self.unit})" if self.unit else "")
