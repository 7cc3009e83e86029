"""Data as JSON has it."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import numpy as np


def plain(value: Any) -> Any:
    """As JSON has it: what is None is not given, arrays are lists, and what is no finite number is null."""
    if isinstance(value, dict) and "bdata" in value:  # an array as plotly writes it
        shape = [int(size) for size in str(value.get("shape", -1)).split(",")]
        return plain(np.frombuffer(b64decode(value["bdata"]), dtype=value["dtype"]).reshape(shape))
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items() if one is not None}
    if isinstance(value, np.ndarray):
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            value = np.where(np.isfinite(value), value, np.array(None, dtype=object))
        return value.tolist()
    if isinstance(value, np.generic):
        return plain(value.item())
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return [plain(one) for one in value] if isinstance(value, (list, tuple)) else value
