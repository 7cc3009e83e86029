"""The share of records in each category, or in each bin of one column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, final

import numpy as np

from dpcore.answers.numbers import SHARE, Numbers, short
from dpcore.base.bounds import MOST_RECORDS, UNBOUNDED, even_edges
from dpcore.base.checks import numbers, whole
from dpcore.base.declared import Column
from dpcore.base.known_laws import CDF, chances, jump
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Database, FloatArray, Oracle
from dpcore.errors import InvalidValueError
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.columns import single_column
from dpcore.targets.proved import N, proved

Categories = tuple[float, ...] | tuple[str, ...]
_EDGES: dict[str, Any] = {
    "label": "Bin edges", "title": "Bins", "declared": True, "min": 1, "max": 100,
    "shown": lambda edges: len(edges) - 1, "made": lambda edges, bins: even_edges((edges[0], edges[-1]), bins),
}  # fmt: skip
_SHARES = {L1: 2.0, L2: 2**0.5, LINF: 1.0, RANGE: 2.0}


@final
@dataclass(frozen=True, slots=True)
class Histogram:
    """f(D)_j = #{records in j}/n; (n,) -> (number of categories or bins,), in shares of the records.

    ``categories``: distinct numbers or strings. ``edges``: rising numbers; bin j is [e_j, e_j+1), the last one closed.
    A record that is in none is counted in none, so the shares can sum to less than 1.
    """

    categories: Categories | None = field(default=None, metadata={"label": "Categories", "declared": True})
    edges: tuple[float, ...] | None = field(default=None, metadata=_EDGES)

    def __post_init__(self) -> None:
        if (self.categories is None) == (self.edges is None):
            raise InvalidValueError("categories, edges", "one of the two", (self.categories, self.edges))
        if self.edges is not None:
            edges = numbers("edges", self.edges)
            if len(edges) < 2 or any(a >= b for a, b in pairwise(edges)):
                raise InvalidValueError("edges", "at least two numbers, each above the one before", self.edges)
            object.__setattr__(self, "edges", edges)
        else:
            object.__setattr__(self, "categories", _categories(self.categories))

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Histogram:
        """The categories of a column that holds some, else eight bins of equal width over its bounds."""
        column = columns[0]
        if column.categories is not None:
            return cls(categories=column.categories)
        return cls(edges=even_edges(column.bounds or UNBOUNDED, 8))

    @property
    def candidates(self) -> tuple[str | float, ...]:
        """What the shares belong to: the categories, or the bins in words."""
        if self.edges is None:
            return tuple(self.categories or ())
        short = tuple(f"{low:g}–{high:g}" for low, high in pairwise(self.edges))
        return short if len(set(short)) == len(short) else tuple(f"{low!r}–{high!r}" for low, high in pairwise(self.edges))

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """A share of the records a category or bin."""
        return Numbers(short(self.candidates), SHARE, bars=True)

    def __call__(self, database: Database, /) -> FloatArray:
        return np.asarray(self._members(single_column(database)).sum(axis=0) / len(database))

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        return self._members(single_column(records)) / n

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """Both records in one category: no move; else two shares move by 1/n each. None where records fall in no category."""
        known = chances(oracle)
        if known is None or self.categories is None or set(self.categories) != set(known):
            return None
        return jump(math.fsum(p * p for p in known.values()), _SHARES[norm] / n)

    def global_sensitivity(self, norm: N, n: int) -> GlobalSensitivity[N] | None:
        """Shares: 2/n in L1 and RANGE, √2/n in L2, 1/n in L∞ (mathematics, section 10.2)."""
        n = whole("n", n)
        if n > MOST_RECORDS:
            return None
        proof = "Replacing a record takes 1/n from at most one share and adds 1/n to at most one other."
        return proved(self, np.nextafter(_SHARES[norm] / n, np.inf), (1.0, 1.0), norm, n, proof)

    def _members(self, values: Database) -> FloatArray:
        """(b,) -> (b, bins) of zeros and ones."""
        if self.edges is None:
            return np.asarray(values[:, None] == np.array(self.categories)[None, :], dtype=np.float64)
        bins = np.searchsorted(self.edges, values, side="right") - 1
        bins = np.where(values == self.edges[-1], len(self.edges) - 2, bins)
        bins = np.where(np.isnan(values), -1, bins)
        return np.asarray(bins[:, None] == np.arange(len(self.edges) - 1)[None, :], dtype=np.float64)


def _categories(value: object) -> Categories:
    if isinstance(value, (list, tuple)) and value and all(isinstance(item, str) for item in value):
        values: Categories = tuple(value)
    else:
        values = numbers("categories", value)
    if len(set(values)) != len(values):
        raise InvalidValueError("categories", "distinct", value)
    return values
