"""The base class of kinds of answers: how a response of a target is named, shown and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from dpcore.base.defaults import default
from dpcore.base.types import Offered


class KindOfAnswer(ABC):
    """What the answer of a target is, for people who read it.

    Attributes:
        picked: Whether a response is one of several candidates.
        foretold: ``foretold(law, response, share, least=, most=)``, the least and the largest ± before a release, if they depend
            on how many values are known.
    """

    __slots__ = ()
    picked: ClassVar[bool] = False
    foretold: ClassVar[Offered] = None

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """A name for each part that people see."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """The unit of its numbers, empty if they have none in common."""

    @default
    def after(self) -> str:
        """The unit as it stands behind a number, with a blank before it."""
        return f" {self.unit}" if self.unit else ""

    @default
    def moved_after(self) -> str | None:
        """The unit behind how far the target moves; None if it is the answer's own."""
        return None

    @default
    def from_zero(self) -> bool:
        """Whether 0 is nothing of what is answered, so that bars may stand for it."""
        return False

    @default
    def ranked(self) -> bool:
        """Whether a score tells how many records lie between a candidate and the one asked for."""
        return False

    @default
    def bounds(self) -> tuple[float, float] | None:
        """The public bounds between which the answer lies."""
        return None

    def under(self, scale: float, /) -> KindOfAnswer:
        """Return the same kind, for responses under noise of this scale."""
        return self

    @default
    def within(self) -> Offered:
        """``within(law, response, share)``: how close each number is to that without noise."""
        return None

    @default
    def values(self) -> Offered:
        """``values(response)``: the numbers that a chart shows."""
        return None

    @default
    def shown(self) -> Offered:
        """``shown(response)``: each number by itself."""
        return None

    @default
    def rounded(self) -> Offered:
        """``rounded(response, near)``: the numbers, each rounded to its ±."""
        return None

    @abstractmethod
    def brief(self, response: Any, /) -> str:
        """Return a response in a few characters."""

    @abstractmethod
    def parts(self, response: Any, /) -> tuple[tuple[str, str], ...]:
        """Return a response as people read it: a name and what stands behind it, for each part."""

    @abstractmethod
    def plain(self, response: Any, /) -> Any:
        """Return a response as JSON."""
