"""Kinds of answers: how a response of a target is named, shown and written, and the same for each of several groups."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.text import first_of
from dpcore.base.types import Offered, default
from dpcore.errors import InvalidValueError

Within = float | tuple[float, ...] | None
"""Distance to the answer without noise that 95% of responses keep: one for all numbers, one for each, or unknown."""
SHARE = "share"  # the unit of shares of all records
_SEED = 2017


class KindOfAnswer(ABC):
    """A kind of answer of a target, for people who read it.

    A new kind states ``labels``, ``unit``, ``parts`` and ``plain``. Everything else has a default.

    Attributes:
        picked: Whether a response is one of several candidates.
        predicted_margins: ``predicted_margins(law, response, share, least=, most=)``, the least and the largest margin before a
            release, if margins depend on how many values are known.
        within: ``within(law, response, share)``: the margin of each number, which this share of releases keeps; None if it is
            the margin of the noise.

    Examples:
        >>> import numpy as np
        >>> from dpcore import Column, targets
        >>> from dpcore.result_types.numbers import answer_of
        >>> answer_of(targets.Mean(), (Column("height", unit="cm"),)).parts(np.array([171.5]))
        (('height', '171.5 cm'),)
    """

    picked: ClassVar[bool] = False
    predicted_margins: ClassVar[Offered] = None
    within: ClassVar[Offered] = None

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
        """The unit as it follows a number, with a blank before it; nothing for a share."""
        return _behind(self.unit)

    @default
    def moved_unit(self) -> str:
        """The unit of the distance between the target's values on two neighbours."""
        return self.unit

    @default
    def moved_after(self) -> str:
        """The same unit as it follows a number."""
        return _behind(self.moved_unit)

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

    def rounded(self, response: Any, near: tuple[float, ...], /) -> tuple[str, ...]:
        """Return the text of each part, rounded to its margin in ``near`` if it is a number."""
        return tuple(text for _, text in self.parts(response))

    def values(self, response: Any, /) -> FloatArray | None:
        """Return the numbers that a chart shows, in one unit; None if a response has no such numbers."""
        return None

    @abstractmethod
    def plain(self, response: Any, /) -> Any:
        """Return a response as JSON."""


def _behind(unit: str) -> str:
    return f" {unit}" if unit not in ("", SHARE) else ""


def simulated(law: Any, raw: FloatArray, draws: int) -> FloatArray:
    """Return simulated responses, one a row, with the same noise at each call, so that a margin is a smooth function of ε.

    Args:
        law: The law of the response.
        raw: The raw response, shape (d,).
        draws: The number of responses.
    """
    return np.asarray(law.simulate(raw, size=draws, rng=np.random.default_rng(_SEED)))


def margins(errors: FloatArray, share: float) -> tuple[float, ...]:
    """Return the distance from 0 that this share of simulated errors keeps in each column: (draws, d) -> d numbers."""
    return tuple(np.quantile(np.abs(errors), share, axis=0).tolist())


@final
@dataclass(frozen=True, slots=True)
class Grouped(KindOfAnswer):
    """An answer for each public group; a response is a vector, with the same number of entries for each group.

    An optional method is here for each group if the inner kind has it, and None otherwise.

    Args:
        of: The kind of answer in each group.
        groups: The names of the groups, in order, all different.

    Raises:
        InvalidValueError: If names are missing or repeated.

    Examples:
        >>> from dpcore.result_types.numbers import Numbers
        >>> Grouped(Numbers(("Stays",), "rows"), ("women", "men")).parts(np.array([12.5, 3.0]))
        (('women', '12.5 rows'), ('men', '3 rows'))
    """

    of: KindOfAnswer
    groups: tuple[str, ...]

    def __post_init__(self) -> None:
        groups = tuple(self.groups)
        if not groups or not all(isinstance(group, str) for group in groups) or len(set(groups)) < len(groups):
            raise InvalidValueError("groups", "at least one name, all different", self.groups)
        object.__setattr__(self, "groups", groups)

    @property
    def labels(self) -> tuple[str, ...]:
        """The group's name; with the number's name if a group has several."""
        return tuple(name for group in self.groups for name in _named(group, self.of.labels))

    @property
    def unit(self) -> str:
        """The unit of each group's answer."""
        return self.of.unit

    @property
    def moved_unit(self) -> str:
        """The unit of the distance between the target's values on two neighbours."""
        return self.of.moved_unit

    @property
    def from_zero(self) -> bool:
        """True if 0 means nothing at all, so that bars may start there."""
        return self.of.from_zero

    @property
    def within(self) -> Callable[[Any, Any, float], tuple[float, ...]] | None:
        """``within(law, response, share)``: the margin of each group's answer."""
        one = self.of.within

        def each(law: Any, response: Any, share: float) -> tuple[float, ...]:
            return tuple(float(one(law, part, share)) for part in self.split(response))

        return None if one is None else each

    def values(self, response: Any, /) -> FloatArray | None:
        """Return the numbers that a chart shows, those of one group after another; None if the inner kind has none."""
        values = [self.of.values(part) for part in self.split(response)]
        return np.concatenate([part for part in values if part is not None]) if values[0] is not None else None

    def rounded(self, response: Any, near: tuple[float, ...], /) -> tuple[str, ...]:
        """Return each number as text, rounded to its margin."""
        parts = zip(self.split(response), self.split(near), strict=True)
        return tuple(text for part, margin in parts for text in self.of.rounded(part, tuple(margin)))

    def split(self, response: Any, /) -> tuple[Any, ...]:
        """Return the part of each group, with equally many entries."""
        return tuple(np.asarray(response).reshape(len(self.groups), -1))

    def brief(self, response: Any, /) -> str:
        """Return the first groups."""
        parts = zip(self.groups, self.split(response), strict=True)
        return first_of((f"{group}: {self.of.brief(part)}" for group, part in parts), len(self.groups))

    def parts(self, response: Any, /) -> tuple[tuple[str, str], ...]:
        """Return the group's name and its answer; a row for each number if a group has several."""
        rows: list[tuple[str, str]] = []
        for group, part in zip(self.groups, self.split(response), strict=True):
            names, texts = zip(*self.of.parts(part), strict=True)
            rows += zip(_named(group, names), texts, strict=True)
        return tuple(rows)

    def plain(self, response: Any, /) -> dict[str, Any]:
        """Return each group's answer as JSON, under the group's name."""
        return {group: self.of.plain(part) for group, part in zip(self.groups, self.split(response), strict=True)}


def _named(group: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of a group's numbers: the group's own if there is one number."""
    return (group,) if len(names) == 1 else tuple(f"{group}: {name}" for name in names)
