"""A fault, what was seen of it, and what is judged: the seconds until things were normal again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, final

if TYPE_CHECKING:
    from tests.faults.stand import Stand

FAULTS: dict[str, Fault] = {}


class MissedError(Exception):
    """What was waited for did not come."""

    def __init__(self, awaited: str, seconds: float, said: Sequence[str]) -> None:
        super().__init__(f"{awaited}: not within {seconds:.0f} s")
        self.said = tuple(said)


@final
@dataclass(frozen=True)
class Seen:
    """What became normal again, after how many seconds of how many that it may take, and what the page said meanwhile."""

    what: str
    amount: float
    limit: float
    said: Sequence[str] = ()
    unit: str = "s"

    @property
    def kept(self) -> bool:
        """Whether it was in time."""
        return self.amount <= self.limit


@final
@dataclass(frozen=True)
class Fault:
    """A fault by its name; ``inject`` does it, and gives what was seen."""

    name: str
    inject: Callable[[Stand], Iterator[Seen]]

    @property
    def what(self) -> str:
        """In a sentence."""
        return (self.inject.__doc__ or self.name).strip()


def fault(inject: Callable[[Stand], Iterator[Seen]]) -> Callable[[Stand], Iterator[Seen]]:
    """The function is a fault: its name is the fault's, and its docstring says what happens."""
    FAULTS[inject.__name__] = Fault(inject.__name__, inject)
    return inject
