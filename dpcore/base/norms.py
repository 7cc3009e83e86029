"""Norms on the last axis. Each is a type of its own, so that a sensitivity in one cannot be taken for another's."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cache
from typing import final

import numpy as np

from dpcore.base.checks import whole
from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError, UnknownKindError

MOST_GROUPS = 256
_RANGES = re.compile(r"RANGE_([1-9][0-9]{0,2})")


class Norm(ABC):
    """A (semi)norm: ``norm(x)`` maps (..., d) to (...). ``groups``: how many parts of an answer it looks at by themselves."""

    name: str
    groups: int = 1

    @abstractmethod
    def __call__(self, values: FloatArray, /) -> FloatArray: ...

    def __repr__(self) -> str:
        return self.name

    @property
    def words(self) -> str:
        """As mathematicians write it."""
        several = f"range of each of {self.groups} groups, added"
        return several if self.groups > 1 else {"LINF": "L∞", "RANGE": "range"}.get(self.name, self.name)

    def __reduce__(self) -> str | tuple[Callable[..., Norm], tuple[int, ...]]:
        return self.name  # one object each, in every process


@final
class L1Norm(Norm):
    """Σ |x_i|: what Laplace noise is calibrated in."""

    name = "L1"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        return np.abs(values[..., 0]) if values.shape[-1] == 1 else np.abs(values).sum(axis=-1)


@final
class L2Norm(Norm):
    """(Σ x_i²)^½, scaled so that it neither overflows nor underflows: what Gaussian noise is calibrated in."""

    name = "L2"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        size = np.abs(values)
        if values.shape[-1] == 1:
            return size[..., 0]
        largest = size.max(axis=-1)
        unit = np.where((largest > 0) & np.isfinite(largest), largest, 1.0)
        return np.asarray(unit * np.sqrt(((size / unit[..., None]) ** 2).sum(axis=-1)))


@final
class LInfNorm(Norm):
    """max |x_i|."""

    name = "LINF"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        return np.abs(values[..., 0]) if values.shape[-1] == 1 else np.asarray(np.abs(values).max(axis=-1))


@final
class RangeNorm(Norm):
    """max x_i − min x_i: a seminorm, 0 for a shift of all entries, and never more than 2·LINF."""

    name = "RANGE"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        return np.asarray(values.max(axis=-1) - values.min(axis=-1))


@final
class RangesNorm(Norm):
    """Σ over groups of (max x_i − min x_i) of the group's entries, which stand one group after another, equally many in each:
    what choices of one candidate a group are calibrated in. Made by ``ranges`` alone."""

    def __init__(self, groups: int) -> None:
        self.groups = groups
        self.name = f"{RANGE.name}_{groups}"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        size = values.shape[-1]
        if not size or size % self.groups:
            raise InvalidValueError("answer", f"of {self.groups:,} groups with equally many numbers each", size)
        parts = values.reshape(*values.shape[:-1], self.groups, size // self.groups)
        return np.asarray(RANGE(parts).sum(axis=-1))

    def __reduce__(self) -> tuple[Callable[..., Norm], tuple[int, ...]]:
        return ranges, (self.groups,)


L1, L2, LINF, RANGE = L1Norm(), L2Norm(), LInfNorm(), RangeNorm()
NORMS: dict[str, Norm] = {norm.name: norm for norm in (L1, L2, LINF, RANGE)}


def ranges(groups: int) -> RangeNorm | RangesNorm:
    """The norm of so many groups, 1 to 256: RANGE of each, added. One object for each number of groups; RANGE itself for 1."""
    if whole("groups", groups) > MOST_GROUPS:
        raise InvalidValueError("groups", f"at most {MOST_GROUPS:,}", groups)
    return _ranges(int(groups))


@cache
def _ranges(groups: int) -> RangeNorm | RangesNorm:
    return RangesNorm(groups) if groups > 1 else RANGE


def norm_named(name: object) -> Norm:
    """The norm of this name, as JSON and links write it: "L1", "RANGE", "RANGE_4" and so on; UnknownKindError for any other."""
    if isinstance(name, str):
        if name in NORMS:
            return NORMS[name]
        several = _RANGES.fullmatch(name)
        if several is not None and 1 < int(several[1]) <= MOST_GROUPS:
            return ranges(int(several[1]))
    raise UnknownKindError("norm", name, (*NORMS, f"ranges of 2 to {MOST_GROUPS} groups"))
