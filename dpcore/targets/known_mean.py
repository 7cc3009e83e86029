"""The mean of the known values of one column: their sum and their number, released as one answer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.base.bounds import clip
from dpcore.base.declared import Column
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import label_of
from dpcore.result_types.ratio import Ratio
from dpcore.targets.columns import BoundedColumn, SumAndNumber, single_column


@final
@dataclass(frozen=True, slots=True)
class KnownMean(BoundedColumn, SumAndNumber):
    """f(D) = (Σ u(x), #known), u(x) = 2·(clip(x) − low)/(high − low) − 1 of a known x, and 0 of a missing one; (n,) -> (2,).

    A missing value is NaN. The mean itself, low + (high − low)·(Σu/#known + 1)/2, is computed from the two noisy numbers, as
    ``Ratio`` has it, so how many values are missing stays confidential. In these units a replaced record moves both numbers
    together by at most 2 (mathematics, section 13.1), also where its value gets lost. An oracle that draws no missing values
    says nothing of such records: the proved worst case covers them.
    """

    title: ClassVar[str] = "Mean of known values"
    everyday: ClassVar[str] = "Mean"
    predicted_as: ClassVar[str] = "mean"
    place: ClassVar[int] = 0  # behind the mean, which needs a value of every record
    proof: ClassVar[str] = (
        "A known value that becomes another moves the sum alone, by at most 2; one that gets lost, or is found, moves the "
        "sum by at most 1 and the number by 1."
    )

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Mean of cost"."""
        return f"Mean of {label_of(columns)[0]}"

    def answer(self, columns: tuple[Column, ...], /) -> Ratio:
        """One number in the column's unit."""
        return Ratio(tuple(f"Mean of {label}, known values" for label in label_of(columns[:1])), columns[0].unit, self.bounds)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 2)"""
        values = single_column(records)
        if values.dtype.kind not in "fiub":
            raise InvalidValueError("records", "numbers", (str(values.dtype), values.shape))
        low, high = self.bounds
        known = ~np.isnan(values)
        places = 2 * ((clip(values, self.bounds) - low) / (high - low)) - 1
        return np.stack([np.where(known, places, 0.0), known.astype(np.float64)], axis=1)
