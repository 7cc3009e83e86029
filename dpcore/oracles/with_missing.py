"""Records of another oracle, some of them missing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.checks import share
from dpcore.base.declared import Column
from dpcore.base.slots import fits
from dpcore.base.types import Database, Oracle
from dpcore.errors import InvalidValueError


@final
@dataclass(frozen=True, slots=True)
class WithMissing(Oracle):
    """Records of a single column's oracle, each of which is missing with probability ``share``: NaN, or '' of text.

    So pairs are drawn in which a value gets lost, or is found. It says nothing more of its records' law: a missing one has no
    place among numbers.
    """

    oracle: Oracle
    share: float = field(metadata={"label": "Share missing", "min": 0.0, "max": 1.0, "step": 0.01})
    draws_missing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not isinstance(self.oracle, Oracle):
            raise InvalidValueError("oracle", "an oracle of a single column", self.oracle)
        object.__setattr__(self, "share", share("share", self.share))

    @property
    def independent_records(self) -> bool:
        """Where those of the oracle are: which of them are missing is drawn for each alone."""
        return self.oracle.independent_records

    @property
    def stands_for(self) -> Oracle:
        """Whose records they are: a picker has its name."""
        inner: Oracle = self.oracle.stands_for or self.oracle
        return inner

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """As its oracle does, a single column."""
        return len(columns) == 1 and fits(self.oracle, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        values = np.asarray(self.oracle.draw(databases, records, rng=rng))
        if values.shape != (databases, records) or values.dtype.kind not in "fU":
            raise InvalidValueError("oracle", "of a single column of numbers or texts", values.shape[2:])
        missing = "" if values.dtype.kind == "U" else np.nan
        return np.where(rng.random((databases, records)) < self.share, missing, values)
