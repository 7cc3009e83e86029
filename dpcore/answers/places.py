"""Several numbers, each picked among public places between bounds of its own, and read as what was asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer
from dpcore.base.bounds import Interval, on_scales
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, Target


@final
@dataclass(frozen=True, slots=True)
class Places:
    """``of``: what the numbers are together, as they would be without this. ``groups``: a name for each. ``scales``: between
    which bounds each lies; none of numbers that are their own places. ``asked``: whose numbers they are, which says by
    ``released_as`` what they are made where ``of`` reads no numbers, as a curve does.

    A response has a place from 0 to 1 for each number, its share of the way from the lower bound to the upper one.
    """

    of: KindOfAnswer
    groups: tuple[str, ...]
    scales: tuple[Interval, ...] = ()
    asked: Target | None = None
    moved_after: ClassVar[str] = ""  # what moves between neighbours is a score
    picked: ClassVar[bool] = True  # so a mechanism that chooses leaves it as it is
    from_zero: ClassVar[bool] = False

    @property
    def labels(self) -> tuple[str, ...]:
        """A name for each number."""
        return self.groups

    @property
    def unit(self) -> str:
        """That of what was asked for."""
        return self.of.unit

    @property
    def after(self) -> str:
        """The unit as it stands behind a number."""
        return self.of.after

    def numbers(self, response: Any, /) -> FloatArray:
        """Each number in its own unit: (d,)."""
        shares = np.asarray(response, dtype=np.float64).ravel()
        return on_scales(shares, self.scales) if self.scales else shares

    def split(self, scores: FloatArray, /) -> tuple[FloatArray, ...]:
        """The scores of each number's places: (d·places,) -> d times (places,)"""
        return tuple(scores.reshape(len(self.groups), -1))

    def own(self, response: Any, /) -> Any:
        """The response as ``of`` reads one."""
        found, made = self.numbers(response), facts(self.asked).released_as
        return found if made is None else made(found)

    @property
    def values(self) -> Callable[[Any], FloatArray] | None:
        """(response,) -> the numbers that a chart shows of it; None where there are none."""
        one = facts(self.of).values
        return None if one is None else lambda response: np.asarray(one(self.own(response)))

    def brief(self, response: Any, /) -> str:
        """As of what was asked for."""
        return self.of.brief(self.own(response))

    def parts(self, response: Any, /) -> tuple[tuple[str, str], ...]:
        """As of what was asked for."""
        return self.of.parts(self.own(response))

    def plain(self, response: Any, /) -> Any:
        """As of what was asked for, as JSON."""
        return self.of.plain(self.own(response))
