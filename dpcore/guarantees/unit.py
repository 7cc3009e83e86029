"""What one row of a table stands for: the unit that a guarantee about replacing one record protects."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.checks import set_fields
from dpcore.errors import InvalidValueError

LONGEST = 40  # characters of a name
ROW = "row"


@final
@dataclass(frozen=True, slots=True)
class Unit:
    """What one row is, in the singular, and whether one person can have several: its holder's word, never read off a table.

    ``several`` is None where the rows are not about persons, and where nobody has said: then ``answered`` is False.
    ``name`` is one line of at most 40 printable characters, from outside: escape it where it is shown.
    """

    name: str = ROW
    several: bool | None = None
    answered: bool = False

    def __post_init__(self) -> None:
        name = " ".join(self.name.split()) if isinstance(self.name, str) else ""
        if not 0 < len(name) <= LONGEST or not name.isprintable():
            raise InvalidValueError("name of what one row is", f"a word or a few, of at most {LONGEST} characters", self.name)
        if self.several is not None and not isinstance(self.several, bool):
            raise InvalidValueError("several", "true, false or left out", self.several)
        set_fields(self, name=name, answered=bool(self.answered) or self.several is not None)

    @property
    def of_no_person(self) -> bool:
        """Whether the holder said that the rows are not about persons."""
        return self.answered and self.several is None
