"""One answer for each public group: the same kind of answer in all of them, one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from dpcore.base.rounded import ShownNumber, first_of
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.result_types.kind import KindOfAnswer

Within = Callable[[Any, Any, float], tuple[float, ...]]


@final
@dataclass(frozen=True, slots=True)
class Grouped(KindOfAnswer):
    """``of``: what is answered in each group. ``groups``: their names, in order, all different.

    A response is a vector of numbers, the same number for each group. What a kind of answer says beyond the usual, this one says
    where the inner kind does, of each group by itself.
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
        """The group's name; with what the number is, where a group has several."""
        return tuple(name for group in self.groups for name in named(group, self.of.labels))

    @property
    def unit(self) -> str:
        """That of each group's answer."""
        return self.of.unit

    @property
    def after(self) -> str:
        """The unit as it stands behind a number."""
        return self.of.after

    @property
    def moved_after(self) -> str | None:
        """The unit behind how far a target moves, where the inner kind has one of its own."""
        return self.of.moved_after

    @property
    def from_zero(self) -> bool:
        """Whether 0 is nothing of what is answered, so that bars may stand for it."""
        return bool(self.of.from_zero)

    @property
    def within(self) -> Callable[[Any, Any, float], tuple[float, ...]] | None:
        """(law, response, share) -> within which distance of each group's answer that share of responses lies; None where the
        inner kind has no such thing."""
        one = self.of.within
        if one is None:
            return None

        def each(law: Any, response: Any, share: float) -> tuple[float, ...]:
            return tuple(float(one(law, part, share)) for part in self.split(response))

        return each

    @property
    def shown(self) -> Callable[[Any], tuple[ShownNumber, ...]] | None:
        """(response,) -> each number of each group by itself; None where the inner kind has none."""
        one = self.of.shown
        if one is None:
            return None

        def each(response: Any) -> tuple[ShownNumber, ...]:
            found: list[ShownNumber] = []
            for group, part in zip(self.groups, self.split(response), strict=True):
                numbers = one(part)
                names = named(group, tuple(number.name for number in numbers))
                found += [number.called(name) for number, name in zip(numbers, names, strict=True)]
            return tuple(found)

        return each

    def split(self, response: Any, /) -> tuple[Any, ...]:
        """The part of each group, as many numbers each."""
        return tuple(np.asarray(response).reshape(len(self.groups), -1))

    @property
    def values(self) -> Callable[[Any], FloatArray] | None:
        """(response,) -> the numbers that a chart shows of it, those of one group after another; None where there are none."""
        one = self.of.values
        return None if one is None else lambda response: np.concatenate([one(part) for part in self.split(response)])

    def brief(self, response: Any, /) -> str:
        """The first groups."""
        said = (f"{group}: {self.of.brief(part)}" for group, part in zip(self.groups, self.split(response), strict=True))
        return first_of(said, len(self.groups))

    def parts(self, response: Any, /) -> tuple[tuple[str, str], ...]:
        """The group's name and its answer with the unit; a row for each number where a group has several."""
        rows: list[tuple[str, str]] = []
        for group, part in zip(self.groups, self.split(response), strict=True):
            names, texts = zip(*self.of.parts(part), strict=True)
            rows += zip(named(group, names), texts, strict=True)
        return tuple(rows)

    @property
    def rounded(self) -> Callable[[Any, tuple[float, ...]], tuple[str, ...]] | None:
        """(response, a ± a number) -> each number rounded to its ±; None where the inner kind has none."""
        one = self.of.rounded
        if one is None:
            return None

        def each(response: Any, near: tuple[float, ...]) -> tuple[str, ...]:
            size = len(near) // len(self.groups)
            parts = enumerate(self.split(response))
            return tuple(text for place, part in parts for text in one(part, near[place * size : (place + 1) * size]))

        return each

    def plain(self, response: Any, /) -> dict[str, Any]:
        """As JSON: what stands for each group's answer, under the group's name."""
        return {group: self.of.plain(part) for group, part in zip(self.groups, self.split(response), strict=True)}


def named(group: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """What the numbers of a group are called: as the group, where there is one."""
    return (group,) if len(names) == 1 else tuple(f"{group}: {name}" for name in names)
