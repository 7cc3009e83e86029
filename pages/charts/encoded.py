"""Data as a browser takes them: JSON, with many numbers at once as their bytes."""

from __future__ import annotations

import json
from base64 import b64encode
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.types import FloatArray

_LEAST, _MOST = 1e-30, 1e38
_PARTS = 65_535


def exactly(values: FloatArray) -> dict[str, str]:
    """All bits of each number, NaN and ∞ among them."""
    return {"f8": b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")}


def roughly(values: FloatArray) -> dict[str, str]:
    """Seven digits of the largest, as a picture needs them; all bits where four bytes cannot hold it so."""
    largest = np.max(np.abs(values), initial=0.0, where=np.isfinite(values))
    if largest and not _LEAST <= largest <= _MOST:
        return exactly(values)
    return {"f4": b64encode(np.ascontiguousarray(values, dtype="<f4").tobytes()).decode("ascii")}


def in_parts(values: FloatArray) -> dict[str, Any]:
    """What is only drawn, as parts of the largest, which 65,535 are; ``roughly`` where one is not a number or below 0."""
    if not ((values >= 0) & (values < np.inf)).all():
        return roughly(values)
    largest = float(np.max(values, initial=0.0))
    parts = np.rint(values / (largest or 1.0) * _PARTS)
    return {"u2": b64encode(parts.astype("<u2").tobytes()).decode("ascii"), "largest": largest}


def unit(after: str) -> dict[str, str]:
    """What a browser puts behind a number, ``after``, and behind a 1, ``one``: records, and record."""
    return {"after": after, "one": counted("1", after)[1:]}


def text(data: dict[str, Any]) -> str:
    """ValueError where a number stands alone that JSON has no word for."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
