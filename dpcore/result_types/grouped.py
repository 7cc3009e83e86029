"""One answer for each public group: the same kind of answer in all of them, one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.base.text import ShownNumber, first_of
from dpcore.errors import InvalidValueError
from dpcore.result_types.kind import KindOfAnswer


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

    Example:
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
    def after(self) -> str:
        """The unit as it follows a number."""
        return self.of.after

    @property
    def moved_unit(self) -> str:
        """The unit of the distance between the target's values on two neighbours."""
        return self.of.moved_unit

    @property
    def moved_after(self) -> str:
        """The same unit as it follows a number."""
        return self.of.moved_after

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

    @property
    def shown(self) -> Callable[[Any], tuple[ShownNumber, ...]] | None:
        """``shown(response)``: each number of each group by itself."""
        one = self.of.shown

        def each(response: Any) -> tuple[ShownNumber, ...]:
            numbers: list[ShownNumber] = []
            for group, part in zip(self.groups, self.split(response), strict=True):
                own = one(part)
                names = _named(group, tuple(number.name for number in own))
                numbers += [number.called(name) for number, name in zip(own, names, strict=True)]
            return tuple(numbers)

        return None if one is None else each

    @property
    def values(self) -> Callable[[Any], FloatArray] | None:
        """``values(response)``: the numbers that a chart shows, those of one group after another."""
        one = self.of.values

        def each(response: Any) -> FloatArray:
            return np.concatenate([one(part) for part in self.split(response)])

        return None if one is None else each

    @property
    def rounded(self) -> Callable[[Any, tuple[float, ...]], tuple[str, ...]] | None:
        """``rounded(response, near)``: each number as text, rounded to its margin."""
        one = self.of.rounded

        def each(response: Any, near: tuple[float, ...]) -> tuple[str, ...]:
            parts = zip(self.split(response), self.split(near), strict=True)
            return tuple(text for part, margin in parts for text in one(part, tuple(margin)))

        return None if one is None else each

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
