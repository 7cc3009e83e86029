"""Any function of a table under pure DP: it is asked of blocks of the records, and a median of its answers is chosen."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.answers.answer import KindOfAnswer, answer_of
from dpcore.answers.place import Place
from dpcore.answers.places import Places
from dpcore.base.bounds import Bounds, bounds_or_none, intervals, on_scales
from dpcore.base.checks import numbers, set_fields, whole
from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.base.norms import RangeNorm, RangesNorm, ranges
from dpcore.base.types import Database, FloatArray, Target
from dpcore.errors import InvalidValueError
from dpcore.targets.each_block import AskedOfBlocks
from dpcore.targets.median_scores import MOST_POINTS, grid, median_scores

_POINTS = 1_001
_LEAST, _MOST = 1e-6, 1e6  # of a width


@final
@dataclass(frozen=True, slots=True)
class SampleAndAggregate(AskedOfBlocks):
    """Scores of public places for the median of what the target answers on each of k blocks; (n, …) -> (d·places,).

    The target is asked of each block by itself (Nissim, Raskhodnikova & Smith 2007; Smith 2011), and a mechanism that chooses
    picks a place near the median of its answers. One replaced record changes one block's answer, however far, so this is
    differential privacy itself for any target that remembers nothing from block to block (mathematics, section 20.1). Where the
    target fails on a block, or answers otherwise than with d finite numbers, the block counts nowhere.

    ``bounds`` are public, one interval for each of the d numbers; answers are clipped to them. Of one number a place is one of
    ``points`` between its bounds; of several it is a share of them, which ``on_their_scales`` turns into numbers. ``widths``:
    each number's share of the noise, all alike where it is None. ``person``: the field that tells whose a row is; then a person's
    rows lie in the block of the person's key. ``seed`` is public too.

        >>> from dpcore import Exponential, PureDP, targets
        >>> blocks = targets.SampleAndAggregate(targets.Mean((0.0, 20.0)), k=80, bounds=(0.0, 20.0))
        >>> chosen = Exponential.suited(blocks).calibrate(blocks.proved(500), PureDP(1.0))
        >>> chosen.release(np.full(500, 3.0)).guarantee
        PureDP(epsilon=1.0)
    """

    target: Target
    k: int = field(metadata={"label": "Blocks", "min": 2, "step": 1})
    bounds: Bounds
    widths: tuple[float, ...] | None = None
    person: str | None = None
    seed: int = 0
    points: int = _POINTS
    title: ClassVar[str] = "Sample and aggregate"
    aggregate: ClassVar[str] = "median"

    def __post_init__(self) -> None:
        self._check_blocks()
        if facts(self.target).from_a_part not in ("alike", "in proportion"):
            expected = (
                "one that says how its answer goes from a part of the rows to all, “alike” as a mean or “in proportion” as a "
                "sum; a maximum or a number of different values goes neither way"
            )
            raise InvalidValueError("target", expected, self.target)
        bounds = bounds_or_none("bounds", self.bounds)
        if bounds is None:
            raise InvalidValueError("bounds", "public bounds, one interval for each number that the target answers with", None)
        set_fields(self, bounds=bounds, points=whole("points", self.points, least=2))
        if self.points > MOST_POINTS:
            raise InvalidValueError("points", f"at most {MOST_POINTS:,}", self.points)
        ranges(self.numbers)
        if self.widths is not None:
            widths = numbers("widths", self.widths)
            if len(widths) != self.numbers or not all(_LEAST <= width <= _MOST for width in widths):
                expected = f"{self.numbers}, one for each number, each from {_LEAST:g} to {_MOST:g}"
                raise InvalidValueError("widths", expected, self.widths)
            set_fields(self, widths=widths)

    @property
    def numbers(self) -> int:
        """How many numbers the target answers with, d."""
        return len(intervals(self.bounds))

    @property
    def groups(self) -> tuple[str, ...]:
        """The numbers, of which each has a place of its own; () of a single one."""
        return tuple(f"number {g}" for g in range(1, self.numbers + 1)) if self.numbers > 1 else ()

    @property
    def candidates(self) -> tuple[float, ...]:
        """The places: of one number between its bounds, of several in shares of theirs."""
        return tuple(self._grid.tolist())

    @property
    def norm(self) -> RangeNorm | RangesNorm:
        """That of the mechanism which chooses a place for each number."""
        return ranges(self.numbers)

    def answer(self, columns: tuple[Column, ...], /) -> KindOfAnswer:
        """A place on the scale of the target's answer; of several numbers one each, read as the target's answer."""
        own = answer_of(self.target, columns)
        if self.numbers == 1:
            return Place(own.labels[:1], own.unit, ranked=False)
        names = own.labels if len(own.labels) == self.numbers else self.groups
        return Places(own, names, intervals(self.bounds), self.target)

    def said_around(self, what: str, /) -> str:
        """What is asked of each block, with how its answers are made one."""
        each = tuple(f"{low:g} to {high:g}" for low, high in intervals(self.bounds))
        scales = f"{each[0]} each" if len(set(each)) < min(2, len(each)) else " and ".join(each)
        shares = "" if self.widths is None else f", in shares of the noise of {', '.join(f'{width:g}' for width in self.widths)}"
        return f"{what}, {self._dealt}; the median of their answers, from {scales}, on {self.points:,} places{shares}"

    def __call__(self, database: Database, /) -> FloatArray:
        return self.scores_of(self.answers(database))

    def scores_of(self, answers: FloatArray, /) -> FloatArray:
        """The scores of all places for these answers, clipped: each number's over its width. (k, d) -> (d·places,)"""
        low, high = np.array(intervals(self.bounds)).T
        clipped = np.clip(answers, low, high)
        own = clipped if self.numbers == 1 else (clipped - low) / (high - low)
        parts = zip(own.T, self._widths, strict=True)
        return np.concatenate([median_scores(part, self._grid) / width for part, width in parts])

    def on_their_scales(self, response: tuple[float, ...], /) -> FloatArray:
        """The numbers of a response, each in its own unit: (d,)."""
        places = np.asarray(response, dtype=np.float64).ravel()
        return places if self.numbers == 1 else on_scales(places, intervals(self.bounds))

    @property
    def _grid(self) -> FloatArray:
        return grid(intervals(self.bounds)[0] if self.numbers == 1 else (0.0, 1.0), self.points)

    @property
    def _widths(self) -> tuple[float, ...]:
        return self.widths or (1.0,) * self.numbers

    @property
    def _told_numbers(self) -> int:
        return self.numbers

    def _told(self, answer: FloatArray, times: float, /) -> FloatArray:
        return answer * times if facts(self.target).from_a_part == "in proportion" else answer

    def _moved(self, changed: int, /) -> tuple[float, Sequence[float], str]:
        """2·Σ 1/width in the ranges of all numbers added (mathematics, section 20.2)."""
        value = changed * math.fsum(2 / width for width in self._widths) * (1 + 2.0**-48)
        largest = [self.k / width for width in self._widths for _ in range(2 * changed)]
        return value, largest, "a changed answer moves the score of each place by at most 1, up or down"


def of_blocks(target: Target, k: int, bounds: Bounds) -> SampleAndAggregate:
    """The target asked of so many blocks of rows."""
    return SampleAndAggregate(target, k, bounds)
