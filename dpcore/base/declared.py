"""What is publicly declared of a column: all that a kind may know of a table before it is chosen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.bounds import Interval, interval
from dpcore.base.checks import numbers
from dpcore.errors import InvalidValueError

TEXT = "text"  # the role of a column whose values are strings


@final
@dataclass(frozen=True, slots=True)
class Column:
    """What is publicly declared of a column; ``categories`` are its codes where it holds categories.

    A column of text has the role "text" and neither bounds nor categories.
    """

    name: str
    label: str = ""
    unit: str = ""
    role: str = "measure"
    bounds: Interval | None = None
    categories: tuple[float, ...] | None = None

    def __post_init__(self) -> None:
        if self.role == TEXT and (self.bounds, self.categories) != (None, None):
            expected = "None: the column holds text"
            raise InvalidValueError(f"bounds and categories of {self.name}", expected, (self.bounds, self.categories))
        if self.bounds is not None:
            object.__setattr__(self, "bounds", interval(f"bounds of {self.name}", self.bounds))
        if self.categories is not None:
            object.__setattr__(self, "categories", numbers(f"categories of {self.name}", self.categories))

    @property
    def words(self) -> str:
        """Its label with its unit."""
        return (self.label or self.name) + (f" ({self.unit})" if self.unit else "")
