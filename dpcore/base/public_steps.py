"""Public candidates that lie closer together where they are small."""

from __future__ import annotations

import numpy as np

_A_TENFOLD = 24  # steps up to ten times a number


def whole_steps(most: int) -> tuple[int, ...]:
    """1, 2, 3, … as whole numbers that grow by a tenth each where they are large, up to ``most``, which is the last."""
    steps = np.round(np.geomspace(1, most, max(2, 1 + int(_A_TENFOLD * np.log10(most))))).astype(np.int64)
    return tuple(dict.fromkeys((*steps.tolist(), most)))


def steps_below(most: float, tenfolds: int = 4) -> tuple[float, ...]:
    """Numbers that grow by a tenth each, from ``most`` over 10 to the ``tenfolds`` up to ``most`` itself, rounded to 3 digits."""
    steps = most * np.geomspace(10.0**-tenfolds, 1, 1 + _A_TENFOLD * tenfolds)
    return tuple(dict.fromkeys((*(float(f"{step:.3g}") for step in steps.tolist() if float(f"{step:.3g}") < most), float(most))))
