"""What a target answers on the table itself; where it fails, nothing that its failure says is passed on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import ReleaseFailedError
from dpcore.sampling.blocks import vector


def answer_of(of: Callable[[Any], Any], asked: Any) -> FloatArray:
    """(d,); ReleaseFailedError where there is none."""
    try:
        with np.errstate(all="ignore"):
            return vector(of(asked))
    except Exception as error:
        why = f"raised {type(error).__name__}" if not isinstance(error, ValueError) else "gave no finite answer"
    raise ReleaseFailedError(
        why
    )  # outside the handler, so that no exception of the target, which could quote a record, is chained
