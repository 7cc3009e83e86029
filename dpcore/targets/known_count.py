"""How many records there are whose value is known."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, final

from dpcore.base.condition import Truths, known, of_one_kind
from dpcore.base.declared import KNOWN, Column
from dpcore.base.slots import ONE_NUMBER_OR_CATEGORY, Slots
from dpcore.base.types import Database
from dpcore.result_types.numbers import Numbers, label_of
from dpcore.targets.columns import CountOfRows, single_column


@final
@dataclass(frozen=True, slots=True)
class KnownCount(CountOfRows):
    """f(D) = #{x is known}, which are the rows that a question's conditions hold of; (n,) -> (1,), in rows.

    A missing value is NaN, or '' of text. Of records without conditions, groups and missing values it is the public n; of people
    it is how many rows they have.
    """

    title: ClassVar[str] = "Number of rows"
    everyday: ClassVar[str] = "Number of rows"
    once: ClassVar[str] = "Number of people"
    named: ClassVar[str] = "number of rows with a value"
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    takes_missing: ClassVar[bool] = True
    public_alone: ClassVar[bool] = True  # of records without conditions and groups: it is not offered there
    proof: ClassVar[str] = "A replaced row is counted before or after, or both times: the number changes by one at most."

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> KnownCount:
        """The one there is."""
        return cls()

    def asked_of(self, columns: tuple[Column, ...], /, what: str = everyday) -> str:
        """What is asked, in a few words: "Number of rows whose cost is known"; of a column where none is missing without that."""
        return f"{what} whose {label_of(columns)[0]} is known" if columns[0].missing == KNOWN else what

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A number of rows."""
        return Numbers(("Rows",), "rows", amount=True)

    def rows_that_count(self, records: Database, /) -> Truths:
        """Which records a cap on a person's rows counts: those whose value is known. (b,) -> (b,)"""
        values = single_column(records)
        of_one_kind(values, texts=values.dtype.kind == "U")
        return known(values)
