"""The relative error of each group beside its size."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np

from dpcore.base.types import FloatArray
from dpcore.workbench.contributions.classes import cells_of
from dpcore.workbench.contributions.counted_rows import CountedRows, Whole
from dpcore.workbench.contributions.predict import Prediction


@final
@dataclass(frozen=True, eq=False)
class BySize:
    """Of each group that has rows, smallest first: its ``place``, its ``rows``, its ``people``, and
    rmse/|truth| (``relative``, NaN where the truth is 0)."""

    place: Whole
    rows: Whole
    people: Whole
    relative: FloatArray


def by_size(rows: CountedRows, prediction: Prediction) -> BySize:
    """The groups of a prediction that was made of these rows."""
    sizes = np.bincount(rows.group, minlength=rows.groups)
    people = np.bincount(cells_of(rows).group, minlength=rows.groups)
    order = np.argsort(sizes, kind="stable")
    order = order[sizes[order] > 0]
    return BySize(order, sizes[order], people[order], prediction.errors.relative[order])
