"""How many records there are whose value is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

import numpy as np

from dpcore.answers.numbers import Numbers, label_of
from dpcore.base.checks import whole
from dpcore.base.condition import Truths, known, of_one_kind
from dpcore.base.declared import KNOWN, Column
from dpcore.base.norms import RANGE, Norm
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import single_column
from dpcore.targets.proved import N, proved


@final
@dataclass(frozen=True, slots=True)
class KnownCount:
    """f(D) = #{x is known}, which are the rows that a question's conditions hold of; (n,) -> (1,), in rows.

    A missing value is NaN, or '' of text. Of records without conditions, groups and missing values it is the public n; of people
    it is how many rows they have.
    """

    title: ClassVar[str] = "Number of rows"
    named: ClassVar[str] = "number of rows with a value"
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    whole_numbers: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True
    numbers: ClassVar[int] = 1
    predicted_as: ClassVar[str] = "count"
    public_alone: ClassVar[bool] = True  # of records without conditions and groups: it is not offered there

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> KnownCount:
        """The one there is."""
        return cls()

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """What is asked, in a few words: "Number of rows whose cost is known"; of a column where none is missing without that."""
        missing = columns[0].missing == KNOWN
        return f"Number of rows whose {label_of(columns)[0]} is known" if missing else "Number of rows"

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number of rows."""
        return Numbers(("Rows",), "rows", amount=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, 1)"""
        return self.rows_that_count(records).astype(np.float64)[:, None]

    def row_values(self, records: Database, /) -> FloatArray:
        """What each record that counts adds: 1. (b,) -> (b,)"""
        return np.ones(len(records))

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those whose value is known. (b,) -> (b,)"""
        values = single_column(records)
        of_one_kind(values, texts=values.dtype.kind == "U")
        return known(values)

    def largest(self, n: int, /) -> tuple[float, ...]:
        """How large the answer can be in size."""
        return (float(n),)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """1 (mathematics, section 10.2); None in RANGE, where one number never moves against itself."""
        n = whole("n", n)
        proof = "A replaced record is counted before or after, or both times: the number changes by one at most."
        return None if norm == RANGE else proved(self, 1.0, (0.0,), norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """1, where a value gets lost, or is found (mathematics, section 13.2)."""
        found = self.global_sensitivity(norm, n)
        return None if found is None else found.value
