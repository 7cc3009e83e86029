"""What differs between the two databases of a pair: for showing one, where nothing of it was kept but its distance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from dpcore.base.types import Database


@final
@dataclass(frozen=True, eq=False)
class Replaced:
    """A record of the first database, and the one that stands in its place; None where one was removed.

    Of people, all rows of the person.
    """

    before: Database
    after: Database | None


@final
@dataclass(frozen=True, slots=True)
class Ranked:
    """The same by their ranks, from 1, among all ``of`` sorted records of both: the direct way draws no more of them."""

    before: int
    after: int
    of: int


Change = Replaced | Ranked
