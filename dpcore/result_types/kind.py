"""The base class of kinds of answers: how a response of a target is named, shown and written."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.defaults import default
from dpcore.base.text import first_of
from dpcore.base.types import Offered

Within = float | tuple[float, ...] | None
"""Distance to the answer without noise that 95% of responses keep: one for all numbers, one for each, or unknown."""
_SEED = 2017


class KindOfAnswer(ABC):
    """A kind of answer of a target, for people who read it.

    A new kind states ``labels``, ``unit``, ``parts`` and ``plain``. Everything else has a default.

    Attributes:
        picked: Whether a response is one of several candidates.
        predicted_margins: ``predicted_margins(law, response, share, least=, most=)``, the least and the largest margin before a
            release, if margins depend on how many values are known.
        within: ``within(law, response, share)``: the margin of each number, which this share of releases keeps.
        values: ``values(response)``: the numbers that a chart shows.
        shown: ``shown(response)``: each number by itself.
        rounded: ``rounded(response, near)``: the numbers as text, each rounded to its margin.

    Example:
        >>> import numpy as np
        >>> from dpcore import Column, targets
        >>> from dpcore.result_types.numbers import answer_of
        >>> answer_of(targets.Mean(), (Column("height", unit="cm"),)).parts(np.array([171.5]))
        (('height', '171.5 cm'),)
    """

    __slots__ = ()
    picked: ClassVar[bool] = False
    predicted_margins: ClassVar[Offered] = None
    within: ClassVar[Offered] = None
    values: ClassVar[Offered] = None
    shown: ClassVar[Offered] = None
    rounded: ClassVar[Offered] = None

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
        """The unit as it follows a number, with a blank before it."""
        return f" {self.unit}" if self.unit else ""

    @default
    def moved_unit(self) -> str:
        """The unit of the distance between the target's values on two neighbours."""
        return self.unit

    @default
    def moved_after(self) -> str:
        """The same unit as it follows a number."""
        return self.after

    @default
    def from_zero(self) -> bool:
        """True if 0 means nothing at all, so that bars may start there."""
        return False

    @default
    def ranked(self) -> bool:
        """True if a score counts the records between a candidate and the wanted one."""
        return False

    @default
    def bounds(self) -> tuple[float, float] | None:
        """The public bounds of the answer."""
        return None

    def under(self, scale: float, /) -> KindOfAnswer:
        """Return the same kind, for responses under noise of this scale."""
        return self

    @abstractmethod
    def parts(self, response: Any, /) -> tuple[tuple[str, str], ...]:
        """Return a response as people read it: the name and the text of each part."""

    def brief(self, response: Any, /) -> str:
        """Return a response in a few characters: by default its first parts."""
        parts = self.parts(response)
        return first_of((f"{name}: {text}" for name, text in parts), len(parts))

    @abstractmethod
    def plain(self, response: Any, /) -> Any:
        """Return a response as JSON."""


def simulated(law: Any, raw: FloatArray, draws: int) -> FloatArray:
    """Return simulated responses, one a row, with the same noise at each call, so that a margin is a smooth function of ε.

    Args:
        law: The law of the response.
        raw: The raw response, shape (d,).
        draws: The number of responses.
    """
    return np.asarray(law.simulate(raw, size=draws, rng=np.random.default_rng(_SEED)))


def margins(errors: FloatArray, share: float) -> tuple[float, ...]:
    """Return the distance from 0 that this share of simulated errors keeps, for each column: (draws, d) -> d numbers."""
    return tuple(np.quantile(np.abs(errors), share, axis=0).tolist())
