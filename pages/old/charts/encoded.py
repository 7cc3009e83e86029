"""Data as a browser takes them: JSON, with many numbers at once as their bytes."""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.counted import counted
from dpcore.base.everyday import others
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


def unit(after: str) -> dict[str, Any]:
    """What a browser puts behind a number, ``after``, and behind a 1, ``one``: records, and record; ``others`` of its kind."""
    kind = [[size, name] for size, name in others(after)]
    return {"after": after, "one": counted("1", after)[1:]} | ({"others": kind} if kind else {})


def text(data: dict[str, Any]) -> str:
    """ValueError where a number stands alone that JSON has no word for."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def plain(value: Any, packed: Callable[[FloatArray], Any] | None = None) -> Any:
    """As JSON has it: what is None is not given, arrays are lists, and what is no finite number is null. ``packed``: how a row of
    numbers is written instead."""
    if isinstance(value, dict) and "bdata" in value:  # an array as plotly writes it
        shape = [int(size) for size in str(value.get("shape", -1)).split(",")]
        return plain(np.frombuffer(b64decode(value["bdata"]), dtype=value["dtype"]).reshape(shape), packed)
    if isinstance(value, dict):
        return {name: plain(one, packed) for name, one in value.items() if one is not None}
    if isinstance(value, np.ndarray):
        if packed is not None and value.dtype.kind == "f" and value.ndim == 1:
            return packed(value)
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            value = np.where(np.isfinite(value), value, np.array(None, dtype=object))
        return value.tolist()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return [plain(one, packed) for one in value] if isinstance(value, (list, tuple)) else value
