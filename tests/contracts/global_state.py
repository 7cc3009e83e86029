"""The generators that a whole process shares: what draws from one that is given must neither read nor move them."""

from __future__ import annotations

import importlib
import random
from typing import Any

NUMPY: Any = importlib.import_module("numpy.random.mtrand")._rand


def global_state() -> str:
    """Where numpy's and Python's own generators stand."""
    return repr((random.getstate(), NUMPY.get_state()[1].tolist(), NUMPY.get_state()[2:]))


def set_global_state(seed: int) -> None:
    """Puts both somewhere else."""
    random.seed(seed)
    NUMPY.seed(seed)
