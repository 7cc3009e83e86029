"""The errors of several caps beside one another, each split into what causes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.errors import InvalidValueError
from dpcore.workbench.contributions.errors import Errors
from dpcore.workbench.contributions.predict import Prediction


@final
@dataclass(frozen=True, eq=False, kw_only=True)
class Split:
    """Of each cap, (caps,), sizes in the answer's unit: root mean squares over groups that have a truth, or of the one answer.

    total² = bias² + salts² + noise², and bias is the size of clipped_low + clipped_high + dropped + from_noise, in which too much
    and too little cancel. So neither the sizes nor their squares add up, where several of these four are there.
    """

    total: FloatArray
    bias: FloatArray
    dropped: FloatArray
    clipped_low: FloatArray
    clipped_high: FloatArray
    from_noise: FloatArray
    salts: FloatArray
    noise: FloatArray


def split(of_caps: Sequence[Prediction]) -> Split:
    """The predictions of several caps, as one column of ``Predictions.table`` has them; InvalidValueError for none."""
    if not of_caps:
        raise InvalidValueError("predictions", "at least one", tuple(of_caps))
    errors = [each.errors for each in of_caps]
    return Split(
        total=np.array([each.total for each in errors]),
        salts=np.array([_root(each, np.sqrt(each.salts)) for each in errors]),
        noise=np.array([_root(each, np.sqrt(each.noise)) for each in errors]),
        **{name: np.array([_root(each, getattr(each, name)) for each in errors]) for name in _ADDED},
    )


_ADDED = ("bias", "dropped", "clipped_low", "clipped_high", "from_noise")


def _root(errors: Errors, sizes: FloatArray) -> float:
    return float(np.sqrt((sizes[~np.isnan(errors.truth)] ** 2).mean()))
