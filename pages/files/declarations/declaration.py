"""What is declared of one column, as its holder wrote it: the constants by which its cells are read."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import final

from dpcore.base.declared import CATEGORY, CONSTANT, KNOWN
from dpcore.errors import InvalidValueError

MISSING = (KNOWN, CONSTANT, CATEGORY)
DAYS, YEAR, MONTH, WEEKDAY = "days", "year", "month", "weekday"
DATES_AS = (DAYS, YEAR, MONTH, WEEKDAY)
LONGEST = 200  # characters of a field
MOST_CATEGORIES = 100


@final
@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """Every field is text, for a person types it, and a column's type says what of it is needed and what that must be.

    ``type`` is the title of a type, ``lowest`` and ``highest`` are public bounds, ``constant`` is what a missing value counts as
    where ``missing`` says so. InvalidValueError for what is none of that, or too long.
    """

    name: str
    type: str
    used: bool = True
    lowest: str = ""
    highest: str = ""
    categories: tuple[str, ...] = ()
    unit: str = ""
    label: str = ""
    missing: str = KNOWN
    constant: str = ""
    dates_as: str = DAYS

    def __post_init__(self) -> None:
        if not isinstance(self.used, bool):
            raise InvalidValueError(f"whether {self.name} is used", "true or false", self.used)
        listed = isinstance(self.categories, (list, tuple)) and all(_short(one) and one for one in self.categories)
        if not listed or len(self.categories) > MOST_CATEGORIES:
            raise InvalidValueError(f"categories of {self.name}", f"at most {MOST_CATEGORIES} texts", self.categories)
        object.__setattr__(self, "categories", tuple(self.categories))
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("used", "categories") and (not isinstance(value, str) or not _usable(field.name, value)):
                raise InvalidValueError(f"{field.name} of {self.name}", f"a text of at most {LONGEST} characters", value)
        for name, known in (("missing", MISSING), ("dates_as", DATES_AS)):
            if getattr(self, name) not in known:
                raise InvalidValueError(f"{name} of {self.name}", f"one of {', '.join(known)}", getattr(self, name))


def _usable(field: str, value: str) -> bool:
    return field == "name" or _short(value)  # a column's name is as long as its file has it


def _short(value: object) -> bool:
    return isinstance(value, str) and len(value) <= LONGEST and (value.isprintable() or not value)
