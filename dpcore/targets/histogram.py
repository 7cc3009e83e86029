"""The share of records in each category, or in each bin of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, final

import numpy as np

from dpcore.base.arrays import CDF, Database, FloatArray
from dpcore.base.bounds import MOST_RECORDS, UNBOUNDED, even_edges
from dpcore.base.checks import categories, numbers, whole
from dpcore.base.columns import ONE_NUMBER_OR_CATEGORY, Column, Slots, of_numbers, of_text
from dpcore.base.distribution_facts import chances, jump
from dpcore.base.filters import of_one_kind
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Oracle, Target
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.result_types.numbers import SHARE, Numbers, short
from dpcore.targets.columns import Places, single_column, whole_sums
from dpcore.targets.proved import N, proved, raised, removed

Categories = tuple[float, ...] | tuple[str, ...]
_COUNTS = {
    "title": "Answer in",
    "words": "numbers of rows",
    "choices": {False: "shares of all rows", True: "numbers of rows"},
}
_EDGES: dict[str, Any] = {
    "label": "Bin edges",
    "title": "Bins",
    "declared": True,
    "min": 1,
    "max": 100,
    "shown": lambda edges: len(edges) - 1,
    "made": lambda edges, bins: even_edges((edges[0], edges[-1]), bins),
}
_SHARES = {L1: 2.0, L2: math.nextafter(2**0.5, 2.0), LINF: 1.0, RANGE: 2.0}


@final
@dataclass(frozen=True, slots=True)
class Histogram(Target):
    """f(D)_j = #{records in j}/n; (n,) -> (number of categories or bins,), in shares of the records; or #{records in j} itself.

    ``categories``: distinct numbers or strings. ``edges``: rising numbers; bin j is [e_j, e_j+1), the last one closed.
    ``counts``: numbers of records in place of shares. A record that is in none, as one whose value is missing, is counted in
    none, so the shares can sum to less than 1.
    """

    categories: Categories | None = field(default=None, metadata={"label": "Categories", "declared": True})
    edges: tuple[float, ...] | None = field(default=None, metadata=_EDGES)
    counts: bool = field(default=False, metadata=_COUNTS)
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    accepts_missing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if (self.categories is None) == (self.edges is None):
            raise InvalidValueError("categories, edges", "one of the two", (self.categories, self.edges))
        if not isinstance(self.counts, bool):
            raise InvalidValueError("counts", "true or false", self.counts)
        if self.edges is not None:
            edges = numbers("edges", self.edges)
            if len(edges) < 2 or any(a >= b for a, b in pairwise(edges)):
                raise InvalidValueError("edges", "at least two numbers, each above the one before", self.edges)
            object.__setattr__(self, "edges", edges)
        else:
            object.__setattr__(self, "categories", categories("categories", self.categories))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Histogram:
        """The categories of a column that holds some, else eight bins of equal width over its bounds."""
        column = columns[0]
        if column.categories is not None:
            return cls(categories=column.categories)
        return cls(edges=even_edges(column.bounds or UNBOUNDED, 8))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """A single column, of texts where the categories are."""
        return len(columns) == 1 and (of_text if self._texts else of_numbers)(columns[0])

    @property
    def whole_numbers(self) -> bool:
        """Whether every answer is a whole number."""
        return self.counts

    @property
    def regardless_of_n(self) -> bool:
        """Of numbers of records, and not of shares of all."""
        return self.counts

    @property
    def candidates(self) -> tuple[str | float, ...]:
        """What the shares belong to: the categories, or the bins in words."""
        if self.edges is None:
            return tuple(self.categories or ())
        short = tuple(f"{low:g}–{high:g}" for low, high in pairwise(self.edges))
        return short if len(set(short)) == len(short) else tuple(f"{low!r}–{high!r}" for low, high in pairwise(self.edges))

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A share of the records, or how many they are, a category or bin."""
        return Numbers(short(self.candidates), "rows" if self.counts else SHARE, bars=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self._members(single_column(database)).sum(axis=0) / self._whole(len(database)))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return self._members(single_column(records)) / self._whole(n)

    def by_group(self, database: Database, places: Places, groups: int, /) -> FloatArray:
        """The histogram of each group: (n,) -> (groups, number of categories or bins)"""
        return whole_sums(self._members(single_column(database)), places, groups) / self._whole(len(database))

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """Both records in one category: no move; else two shares move by 1/n each. None where records fall in no category."""
        known = chances(oracle)
        if known is None or self.categories is None or set(self.categories) != set(known):
            return None
        return jump(math.fsum(p * p for p in known.values()), _SHARES[norm] / self._whole(n))

    def global_sensitivity(
        self, norm: N, n: int, adjacency: Adjacency = Adjacency.REPLACE_ONE_RECORD
    ) -> GlobalSensitivity[N] | None:
        """Of counts 2 in L1 and RANGE, √2 in L2, 1 in L∞; of shares that by n (mathematics, section 10.2)."""
        if adjacency is not Adjacency.REPLACE_ONE_RECORD:
            return removed(self, norm, n, adjacency)
        n = whole("n", n)
        if n > MOST_RECORDS or norm not in _SHARES:
            return None
        one = "1" if self.counts else "1/n"
        proof = f"Replacing a row takes {one} from at most one category or bin and adds {one} to at most one other."
        return proved(self, self._up(_SHARES[norm], n), self._inexact * 2, norm, n, proof)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where a value gets lost, or is found: 1 of counts, 1/n of shares (mathematics, section 10.2)."""
        return raised(self._up(1.0, n), self._inexact, n)

    def _up(self, records: float, n: int) -> float:
        """So many records in the answer's unit, rounded up."""
        return records if self.counts else math.nextafter(records / n, math.inf)

    @property
    def _inexact(self) -> tuple[float]:
        """The largest answer of a category that rounding moves: a count's is exact."""
        return (0.0,) if self.counts else (1.0,)

    def _whole(self, n: int) -> int:
        """What the numbers of records are divided by."""
        return 1 if self.counts else n

    @property
    def _texts(self) -> bool:
        return self.categories is not None and isinstance(self.categories[0], str)

    def _members(self, values: Database) -> FloatArray:
        """(b,) -> (b, bins) of zeros and ones."""
        of_one_kind(values, texts=self._texts)
        if self.edges is None:
            return np.asarray(values[:, None] == np.array(self.categories)[None, :], dtype=np.float64)
        bins = np.searchsorted(self.edges, values, side="right") - 1
        bins = np.where(values == self.edges[-1], len(self.edges) - 2, bins)
        bins = np.where(np.isnan(values), -1, bins)
        return np.asarray(bins[:, None] == np.arange(len(self.edges) - 1)[None, :], dtype=np.float64)
