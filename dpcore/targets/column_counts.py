"""How many records are in each bin or category of each of several columns: what an oracle can be made of."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np

from dpcore.answers.numbers import Numbers, label
from dpcore.base.bounds import MOST_RECORDS, Bounds, bounds_or_none, intervals
from dpcore.base.checks import whole
from dpcore.base.counted import counted
from dpcore.base.declared import TEXT, Column
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.quoted import quoted
from dpcore.base.slots import Slot, Slots, of_numbers_or_categories, stand_in
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.group_sums import Places, whole_sums
from dpcore.targets.proved import N, proved, raised, removed

MOST = 256  # counts, as many numbers as an answer may have
_CODES = 0.5  # half a code to either side: code j of K is in the middle of bin j of K


@final
@dataclass(frozen=True, slots=True)
class ColumnCounts:
    """f(D) = #{records in bin j of column i}, for all bins of the first column, then of the second, …: (n, d) -> (Σ bins,).

    ``bounds``: public, one interval a column, to which its values are clipped and which as many ``bins`` divide evenly. A column
    of categories is one of their codes 0, 1, …, K − 1, with K bins from −½ to K − ½. A missing value is counted in no bin of its
    column. One column: (n,) -> (bins,). A record is in at most one bin a column, so a replaced one moves the counts by at most 2
    a column (mathematics, section 7.1).
    """

    bounds: Bounds
    bins: tuple[int, ...] = field(metadata={"words": "numbers of bins"})
    title: ClassVar[str] = "Histogram of each column"
    named: ClassVar[str] = "histogram of each column"
    fits_an_oracle: ClassVar[bool] = True
    takes: ClassVar[Slots] = (Slot("columns", "Columns", of_numbers_or_categories, several=True),)
    takes_missing: ClassVar[bool] = True
    takes_codes: ClassVar[bool] = True
    takes_every_category: ClassVar[bool] = True
    regardless_of_n: ClassVar[bool] = True
    whole_numbers: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if bounds_or_none("bounds", self.bounds) is None:
            raise InvalidValueError("bounds", "public bounds, one interval a column", None)
        object.__setattr__(self, "bounds", bounds_or_none("bounds", self.bounds))
        given: Any = self.bins
        bins = tuple(whole("bins", one) for one in given) if isinstance(given, (list, tuple)) else ()
        if len(bins) != len(intervals(self.bounds)):
            raise InvalidValueError("bins", "one whole number a column", self.bins)
        if sum(bins) > MOST:
            raise InvalidValueError("bins", f"at most {MOST} of all columns together", sum(bins))
        object.__setattr__(self, "bins", bins)

    @property
    def numbers(self) -> int:
        """One a bin."""
        return sum(self.bins)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Columns with these bounds, or with as many categories as there are bins."""
        alike = len(columns) == len(self.bins) and stand_in(self.takes, columns)
        own = zip(columns, intervals(self.bounds), self.bins, strict=False)
        return alike and all(divided(column, bins) == (interval, bins) for column, interval, bins in own)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """How many records, a bin or category."""
        names = [
            f"{column.label or column.name}: {place}"
            for column, interval, bins in zip(columns, intervals(self.bounds), self.bins, strict=False)
            for place in _places(column, interval, bins)
        ]
        return Numbers(tuple(names), "rows", bars=True)

    def asked_of(self, columns: tuple[Column, ...]) -> str:
        """As a title: ``Histogram of each column: cost, sex``."""
        return f"{self.title}: {', '.join(column.label or column.name for column in columns)}"

    def said_of(self, columns: tuple[Column, ...]) -> str:
        """With its settings: ``the histogram of each column: cost in 8 bins between 0 and 100; sex in 3 categories``."""
        own = zip(columns, intervals(self.bounds), self.bins, strict=False)
        parts = [
            f"{column.label or column.name} in "
            + (
                f"{counted(f'{bins:,}', ' bins')} between {low:g} and {high:g}"
                if column.categories is None
                else counted(bins, " categories")
            )
            for column, (low, high), bins in own
        ]
        return f"the {self.named}: {'; '.join(parts)}"

    def split(self, answer: FloatArray) -> tuple[FloatArray, ...]:
        """The counts of each column: (..., Σ bins) -> (..., bins) each."""
        return tuple(np.split(answer, np.cumsum(self.bins)[:-1], axis=-1))

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self.contribution(database, len(database)).sum(axis=0))

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The counts of each group: (n, ...) -> (groups, counts)"""
        return whole_sums(self.contribution(database, len(database)), places, groups)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b, d) -> (b, Σ bins) of zeros and ones."""
        values = records[:, None] if records.ndim == 1 else records
        if values.ndim != 2 or values.shape[1] != len(self.bins) or values.dtype.kind != "f":
            raise InvalidValueError("database", f"numbers of {len(self.bins)} columns", (str(records.dtype), records.shape))
        low, high = np.array(intervals(self.bounds)).T
        missing = np.isnan(values)
        share = (np.clip(np.where(missing, low, values), low, high) - low) / (high - low)
        bins = np.where(missing, -1, np.minimum(share * self.bins, np.array(self.bins) - 1)).astype(np.int64)
        return np.concatenate(
            [own[:, None] == np.arange(size) for own, size in zip(bins.T, self.bins, strict=True)], axis=1, dtype=np.float64
        )

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """For d columns 2d in L1, √(2d) in L2, 1 in L∞ and 2 in RANGE (mathematics, section 7.1)."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n, d = whole("n", n), len(self.bins)
        known: dict[Norm, float] = {L1: 2.0 * d, L2: np.nextafter((2.0 * d) ** 0.5, np.inf), LINF: 1.0, RANGE: 2.0}
        if n > MOST_RECORDS or norm not in known:
            return None
        proof = "Replacing a row takes 1 from at most one bin of each column and adds 1 to at most one other."
        return proved(self, known[norm], (0.0,), norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where all values get lost, or are found: d in L1, √d in L2, else 1."""
        d = len(self.bins)
        moved = {L1: float(d), L2: float(np.nextafter(d**0.5, np.inf))}.get(norm, 1.0)
        return raised(moved, (0.0,), n)


def divided(column: Column, bins: int) -> tuple[tuple[float, float], int] | None:
    """The interval that a column's bins divide, and how many they are: one a category where it has some, which are
    texts or the codes 0, 1, …; else so many between its public bounds. None where it has neither."""
    if column.categories is None:
        return None if column.bounds is None else (column.bounds, bins)
    codes = len(column.categories)
    if column.role != TEXT and column.categories != tuple(map(float, range(codes))):
        return None
    return ((-_CODES, codes - _CODES), codes) if codes > 1 else None


def _places(column: Column, interval: tuple[float, float], bins: int) -> tuple[str, ...]:
    """The categories, or the bins in words; their numbers where words would be alike."""
    coded = column.every
    if coded.categories:
        return tuple(label(coded.shown(category)) for category in coded.categories)
    edges = [interval[0] + (interval[1] - interval[0]) * (j / bins) for j in range(bins + 1)]
    said = tuple(f"{low:g}–{high:g}" for low, high in pairwise(edges))
    return said if len(set(said)) == bins else tuple(f"bin {j}" for j in range(1, bins + 1))


def of_columns(columns: tuple[Column, ...], bins: int) -> ColumnCounts:
    """The counts of these columns, ``bins`` of each that has no categories; InvalidValueError for a column with neither public
    bounds nor categories."""
    parts = []
    for column in columns:
        part = divided(column, whole("bins", bins))
        if part is None:
            raise InvalidValueError(f"bounds of {quoted(column.name)}", "declared before an oracle is fitted", None)
        parts.append(part)
    return ColumnCounts(tuple(interval for interval, _ in parts), tuple(own for _, own in parts))
