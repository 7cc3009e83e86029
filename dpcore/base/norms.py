"""Norms on the last axis. Each is its own type, so a type checker refuses a sensitivity in the wrong norm."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import final

import numpy as np

from dpcore.base.arrays import FloatArray
from dpcore.errors import UnknownKindError


class Norm(ABC):
    """A (semi)norm: ``norm(x)`` maps (..., d) to (...)."""

    name: str

    @abstractmethod
    def __call__(self, values: FloatArray, /) -> FloatArray: ...

    def __repr__(self) -> str:
        return self.name

    @property
    def words(self) -> str:
        """The name as mathematicians write it."""
        return {"LINF": "L∞", "RANGE": "range"}.get(self.name, self.name)

    def __reduce__(self) -> str:
        return self.name  # one object each, in every process


@final
class L1Norm(Norm):
    """Σ |x_i|, the norm of Laplace noise."""

    name = "L1"

    def __call__(self, values: FloatArray, /) -> FloatArray:
        return np.abs(values[..., 0]) if values.shape[-1] == 1 else np.abs(values).sum(axis=-1)


@final
class L2Norm(Norm):
    """(Σ x_i²)^½, the norm of Gaussian noise, scaled so that it neither overflows nor underflows."""

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


L1, L2, LINF, RANGE = L1Norm(), L2Norm(), LInfNorm(), RangeNorm()
NORMS: dict[str, Norm] = {norm.name: norm for norm in (L1, L2, LINF, RANGE)}


def norm_named(name: object) -> Norm:
    """Return the norm of this name, as JSON and links write it; UnknownKindError for any other name."""
    if isinstance(name, str) and name in NORMS:
        return NORMS[name]
    raise UnknownKindError("norm", name, tuple(NORMS))
