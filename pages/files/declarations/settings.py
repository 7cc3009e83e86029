"""What a holder declared of a table, kept for when its file comes again."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from dpcore.guarantees.unit import Unit
from pages.files.declarations.declaration import Declaration
from pages.files.declarations.whole_file import WholeFile
from pages.files.persons import Guesses, Persons
from pages.files.tables import Form


@final
@dataclass(frozen=True, slots=True)
class Settings:
    """How the file is read, what one row is, and a declaration a column. Nothing in it was computed from a record, but for
    bounds, categories and codes of a table that is ``public``."""

    form: Form
    public: bool
    unit: Unit
    columns: tuple[Declaration, ...]
    persons: Persons | None = None
    guesses: Guesses = field(default_factory=Guesses)
    stated: int | None = None
    whole: WholeFile = field(default_factory=WholeFile)

    def fitted(self, proposed: tuple[Declaration, ...]) -> tuple[Declaration, ...]:
        """The declarations of this file's columns, and the proposed ones of columns that are read now and were not then."""
        known = {one.name: one for one in self.columns}
        return tuple(known.get(one.name, one) for one in proposed)
