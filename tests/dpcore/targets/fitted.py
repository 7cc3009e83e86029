"""Exact arithmetic beside the fitted directions: their gradients as fractions or to 40 digits, and the widest neighbours."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np
import pytest

from dpcore.base.arrays import FloatArray
from dpcore.base.features import prepared
from dpcore.oracles import TwoClasses
from dpcore.targets import HuberDirection, LogisticDirection

KINDS = (HuberDirection, LogisticDirection)
KIND = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
UNIT = ((0.0, 1.0),)


def table(d: int, n: int, seed: int = 3, sd: float = 0.3) -> FloatArray:
    """Records of two classes, some of them beyond the bounds."""
    return TwoClasses(d, sd=sd).draw(1, n, rng=np.random.default_rng(seed))[0]


def signed(target: Any, database: FloatArray) -> FloatArray:
    """The records y·(x − ½, ½), (n, d+1)."""
    x, ones = prepared(database, target.x_bounds)
    return np.column_stack([x - 0.5, np.full(len(x), 0.5)]) * np.where(ones, 1, -1)[:, None]


def exact_gradient(target: Any, rows: FloatArray, w: FloatArray) -> list[Any]:
    """∇F(w) of the given floats: without rounding for the huberised hinge, to 40 digits for the logistic loss."""
    with mpmath.workdps(40):
        number = Fraction if isinstance(target, HuberDirection) else mpmath.mpf
        point, share = [number(float(v)) for v in w], number(target.C) / len(rows)
        records = [[number(float(v)) for v in row] for row in rows]
        slopes = [_slope(sum(a * b for a, b in zip(row, point, strict=True))) for row in records]
        return [v - share * sum(s * row[j] for s, row in zip(slopes, records, strict=True)) for j, v in enumerate(point)]


def _slope(margin: Any) -> Any:
    if isinstance(margin, Fraction):
        return min(max(2 * (1 - margin), Fraction(0)), Fraction(1))
    return 1 / (1 + mpmath.exp(margin))


def apart(exact: list[Any], computed: FloatArray) -> float:
    """The length of their difference, taken to 40 digits."""
    with mpmath.workdps(40):
        return float(mpmath.sqrt(sum((_decimal(a) - mpmath.mpf(float(b))) ** 2 for a, b in zip(exact, computed, strict=True))))


def _decimal(value: Any) -> Any:
    return mpmath.mpf(value.numerator) / value.denominator if isinstance(value, Fraction) else value


def held_fast(d: int, n: int) -> FloatArray:
    """n + 1 records: all but two at one place, which holds w at right angles to where the worst case points; two whose label
    differs at a corner."""
    away = math.tan(math.atan(d**-0.5) / 2) / 2 / math.sqrt(d)
    extended = np.tile(np.r_[np.full(d, 0.5 - away), 1.0], (n + 1, 1))
    extended[-2:] = 1
    extended[-1, -1] = 0
    return extended


def held_between(d: int, n: int) -> FloatArray:
    """n + 1 records: two far classes along the first feature, and one of each far on the other's side, at a corner else."""
    extended = np.full((n + 1, d + 1), 0.5)
    extended[:, -1] = np.arange(n + 1) % 2
    extended[:, 0] = np.where(extended[:, -1] > 0, 1.0, 0.4)
    extended[-2], extended[-1] = np.r_[0.4, np.ones(d)], np.r_[np.ones(d), 0]
    return extended


def moved(target: Any, extended: FloatArray) -> FloatArray:
    """f without the last record less f without the last but one."""
    return np.asarray(target(extended[:-1]) - target(np.delete(extended, len(extended) - 2, axis=0)))
