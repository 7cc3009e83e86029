"""Numbers and shares of records: in one category or interval, and in each category or bin of a column."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self, final

import numpy as np

from dpcore.base.arrays import CDF, Database, FloatArray
from dpcore.base.bounds import UNBOUNDED, Interval, even_edges
from dpcore.base.checks import categories, numbers, set_fields
from dpcore.base.columns import KNOWN, ONE_NUMBER_OR_CATEGORY, Column, Slots, of_numbers, of_text
from dpcore.base.filters import Category, Filter, Truths, chance, checked, holds, known, of_one_kind, suited, suits
from dpcore.base.norms import L1, L2, LINF, RANGE, Norm
from dpcore.base.types import Oracle, Target, chances, jump
from dpcore.errors import InvalidValueError
from dpcore.result_types.numbers import SHARE, Numbers, Ratio, label_of, short
from dpcore.targets.columns import KnownValues, SumAndNumber, SumOfRecords, single_column
from dpcore.targets.proved import ProvedTarget, raised

_INTERVAL = {"label": "Interval", "title": "Interval: lowest, highest", "declared": True}


@dataclass(frozen=True, slots=True)
class CategoryOrInterval(ProvedTarget):
    """A target of the records in one category, or in one interval with both its ends. A missing value is in none."""

    category: Category = field(default=None, metadata={"label": "Category", "declared": True})
    interval: Interval | None = field(default=None, metadata=_INTERVAL)
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    accepts_missing: ClassVar[bool] = True
    asks_for: ClassVar[str] = "Share"

    def __post_init__(self) -> None:
        category, inside = checked(self.category, self.interval)
        set_fields(self, category=category, interval=inside)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Self:
        """Return the member for the last category of a column, or for the lower half of its bounds if it has none."""
        return cls(*suited(columns[0]))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether this is a single column, of texts if the category is one."""
        return len(columns) == 1 and suits(self.category, columns[0])

    def asked_of(self, columns: tuple[Column, ...], /) -> str:
        """Return what is asked, in a few words: "Share where sex is F"."""
        return f"{self.asks_for} where {Filter(columns[0].name, self.category, self.interval).words(columns)}"

    def inside(self, records: Database, /) -> Truths:
        """Return which records are in the category or the interval: (b,) -> (b,)."""
        return holds(single_column(records), self.category, self.interval)

    def cdf_of_steps(self, oracle: Oracle, norm: Norm, step: float) -> CDF | None:
        """Return the CDF of the distance if the answer moves by ``step`` when exactly one of two records is inside.

        Each is inside with some probability p, so the answer stays with probability 1 − 2p(1 − p). None in RANGE, and if p is
        unknown.
        """
        law = chances(oracle)
        if law is None or norm == RANGE:
            return None
        p = chance(law, self.category, self.interval)
        return jump(1 - 2 * p * (1 - p), step) if p is not None and 0 < p < 1 else None


@final
@dataclass(frozen=True, slots=True)
class Count(CategoryOrInterval, SumOfRecords):
    """The number of records in a category or an interval, or of all records with a known value: (n,) -> (1,), in records.

    f(D) = #{x = category}, #{low <= x <= high}, or #{x is known}. A missing value, NaN or '' of text, is never counted. The
    number of records with a known value is what a query with filters asks for the number of rows. Without filters, groups and
    missing values it is the public n.

    Args:
        category: The category, a text or a number.
        interval: The interval (low, high), instead of a category.

    Raises:
        InvalidValueError: If both are given.

    Examples:
        >>> import numpy as np
        >>> Count(interval=(18, 65))(np.array([12.0, 18.0, 40.0, np.nan]))
        array([2.])
    """

    regardless_of_n: ClassVar[bool] = True
    whole_parts: ClassVar[bool] = True
    numbers: ClassVar[int] = 1
    whole_numbers: ClassVar[bool] = True
    everyday: ClassVar[str] = "Number of rows"
    once: ClassVar[str] = "Number of people"
    predicted_as: ClassVar[str] = "count"
    from_a_part: ClassVar[str] = "in proportion"
    asks_for: ClassVar[str] = "Count"
    proof: ClassVar[str] = "Replacing a row changes the count by one at most."

    def __post_init__(self) -> None:
        if not self.public_alone:
            CategoryOrInterval.__post_init__(self)

    @property
    def public_alone(self) -> bool:
        """True if it counts all records with a known value."""
        return self.category is None and self.interval is None

    @property
    def named(self) -> str:
        """The name if it counts all known values."""
        return "number of rows with a value" if self.public_alone else ""

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether this is a single column, of texts if the category is one."""
        return Target.fits(self, columns) if self.public_alone else CategoryOrInterval.fits(self, columns)

    def asked_of(self, columns: tuple[Column, ...], /, what: str = everyday) -> str:
        """Return what is asked, in a few words: "Number of rows whose cost is known", short if no cost can be missing."""
        if not self.public_alone:
            return CategoryOrInterval.asked_of(self, columns)
        return f"{what} whose {label_of(columns)[0]} is known" if columns[0].missing == KNOWN else what

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a number of records."""
        return Numbers(("Rows",) if self.public_alone else label_of(columns[:1]), "rows", amount=True)

    def parts(self, records: Database, /) -> FloatArray:
        """Return 1 for each record that counts: (b,) -> (b, 1)."""
        return self.rows_that_count(records).astype(np.float64)[:, None]

    def rows_that_count(self, records: Database, /) -> Truths:
        """Return which records it counts; the limit of a person's rows counts the same: (b,) -> (b,)."""
        if not self.public_alone:
            return self.inside(records)
        values = single_column(records)
        of_one_kind(values, texts=values.dtype.kind == "U")
        return known(values)

    def row_values(self, records: Database, /) -> FloatArray:
        """Return what each record that counts adds, 1: (b,) -> (b,)."""
        return np.ones(len(records))

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """Return the CDF of the distance: 0, or 1 if exactly one of two records is inside."""
        return None if self.public_alone else self.cdf_of_steps(oracle, norm, 1.0)

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """Return 0 and n."""
        return 0.0, float(n)

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 1 (mathematics, section 10.2); None in RANGE, because one number never moves against itself."""
        return None if norm == RANGE else raised(1.0, (0.0,), n)


@final
@dataclass(frozen=True, slots=True)
class Proportion(CategoryOrInterval, SumOfRecords, KnownValues):
    """The share of records in a category or an interval: (n,) -> (1,).

    f(D) = #{x = category}/n, or #{low <= x <= high}/n. A missing value is not inside, but its record is one of the n. A query
    asks for the share of the known values instead, whose number is confidential (``of_known_values``).

    Args:
        category: The category, a text or a number.
        interval: The interval (low, high), instead of a category.

    Raises:
        InvalidValueError: If both or none are given.

    Examples:
        >>> import numpy as np
        >>> Proportion("yes")(np.array(["yes", "no", "yes", "yes"]))
        array([0.75])
    """

    whole_parts: ClassVar[bool] = True
    title: ClassVar[str] = "Share"
    everyday: ClassVar[str] = "Share"
    from_a_part: ClassVar[str] = "alike"
    proof: ClassVar[str] = "Replacing a row changes the count by at most one, so the share by at most 1/n."

    def of_known_values(self) -> Target:
        """Return the share of the known values: two numbers, released as one answer."""
        return _ShareOfKnown(self.category, self.interval)

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a share of the records."""
        return Numbers(label_of(columns[:1]), SHARE)

    def parts(self, records: Database, /) -> FloatArray:
        """Return 1 for each record that is inside: (b,) -> (b, 1)."""
        return self.inside(records).astype(np.float64)[:, None]

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """Return the CDF of the distance: 0, or 1/n if exactly one of two records is inside."""
        return self.cdf_of_steps(oracle, norm, 1 / n)

    def answer_bounds(self, n: int, /) -> tuple[float, float]:
        """Return 0 and 1."""
        return 0.0, 1.0

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 1/n (mathematics, section 10.2); None in RANGE, because one number never moves against itself."""
        return None if norm == RANGE else raised(math.nextafter(1 / n, math.inf), (1.0,), n)


@final
@dataclass(frozen=True, slots=True)
class _ShareOfKnown(CategoryOrInterval, SumAndNumber):
    """f(D) = (Σ u(x), #known): u(x) is 1 for a known x in the category or interval, and −1 for any other; (n,) -> (2,).

    The share, (Σu/#known + 1)/2, is the mean of known values that are 0 and 1, and has its worst case (mathematics, section
    13.1).
    """

    title: ClassVar[str] = "Share of known values"
    predicted_as: ClassVar[str] = "share"
    whole_sums: ClassVar[bool] = True
    proof: ClassVar[str] = (
        "A known value that becomes another moves only the sum, by at most 2; one that gets lost, or is found, moves the "
        "sum by 1 and the number by 1."
    )

    def answer(self, columns: tuple[Column, ...], /) -> Ratio:
        """Return the kind of answer: a share, from 0 to 1."""
        return Ratio(tuple(f"Share of {label}, known values" for label in label_of(columns[:1])), "", (0.0, 1.0))

    def parts(self, records: Database, /) -> FloatArray:
        """Return u of each record, and whether its value is known: (b,) -> (b, 2)."""
        there = self.rows_that_count(records).astype(np.float64)
        return np.stack([there * np.where(self.inside(records), 1.0, -1.0), there], axis=1)

    def row_values(self, records: Database, /) -> FloatArray:
        """Return the values whose mean the share is: 1 for a record that is inside, and 0 for others; (b,) -> (b,)."""
        return self.inside(records).astype(np.float64)


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
_MOVED = {L1: 2.0, L2: math.nextafter(2**0.5, 2.0), LINF: 1.0, RANGE: 2.0}  # counts, by a replaced record


@final
@dataclass(frozen=True, slots=True)
class Histogram(SumOfRecords):
    """The share of records in each category or bin, or their number: (n,) -> (categories or bins,).

    f(D)_j = #{records in j}/n. A missing value, and a value in no category or bin, is not counted. So the shares can sum to
    less than 1.

    Args:
        categories: Different numbers or texts; or
        edges: Increasing numbers. Bin j is [e_j, e_j+1), and the last bin is closed.
        counts: Whether the answer is in numbers of records, and not in shares.

    Raises:
        InvalidValueError: If not exactly one of ``categories`` and ``edges`` is given, or it is of another form.

    Examples:
        >>> import numpy as np
        >>> Histogram(edges=(0, 10, 20), counts=True)(np.array([3.0, 12.0, 20.0, 25.0]))
        array([1., 2.])
    """

    categories: tuple[float, ...] | tuple[str, ...] | None = field(
        default=None, metadata={"label": "Categories", "declared": True}
    )
    edges: tuple[float, ...] | None = field(default=None, metadata=_EDGES)
    counts: bool = field(default=False, metadata=_COUNTS)
    whole_parts: ClassVar[bool] = True
    takes: ClassVar[Slots] = ONE_NUMBER_OR_CATEGORY
    accepts_missing: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if (self.categories is None) == (self.edges is None):
            raise InvalidValueError("categories, edges", "one of the two", (self.categories, self.edges))
        if not isinstance(self.counts, bool):
            raise InvalidValueError("counts", "true or false", self.counts)
        if self.edges is None:
            set_fields(self, categories=categories("categories", self.categories))
            return
        edges = numbers("edges", self.edges)
        if len(edges) < 2 or any(a >= b for a, b in pairwise(edges)):
            raise InvalidValueError("edges", "at least two numbers, each above the one before", self.edges)
        set_fields(self, edges=edges)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Histogram:
        """Return the member for the categories of a column, or for eight bins over its bounds if it has none."""
        column = columns[0]
        if column.categories is not None:
            return cls(categories=column.categories)
        return cls(edges=even_edges(column.bounds or UNBOUNDED, 8))

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether this is a single column, of texts if the categories are."""
        return len(columns) == 1 and (of_text if self._texts else of_numbers)(columns[0])

    @property
    def whole_numbers(self) -> bool:
        """True if every answer is a whole number."""
        return self.counts

    @property
    def regardless_of_n(self) -> bool:
        """True if the answer is in numbers of records, which n does not divide."""
        return self.counts

    @property
    def candidates(self) -> tuple[str | float, ...]:
        """The categories, or the bins in words."""
        if self.edges is None:
            return tuple(self.categories or ())
        few_digits = tuple(f"{low:g}–{high:g}" for low, high in pairwise(self.edges))
        return few_digits if len(set(few_digits)) == len(few_digits) else tuple(f"{a!r}–{b!r}" for a, b in pairwise(self.edges))

    @property
    def proof(self) -> str:
        """Why a replaced record moves the answer by no more than ``worst_case``."""
        one = "1" if self.counts else "1/n"
        return f"Replacing a row takes {one} from at most one category or bin and adds {one} to at most one other."

    def answer(self, columns: tuple[Column, ...], /) -> Numbers:
        """Return the kind of answer: a share or a number of records for each category or bin."""
        return Numbers(short(self.candidates), "rows" if self.counts else SHARE, bars=True)

    def parts(self, records: Database, /) -> FloatArray:
        """Return 1 for the category or bin of each record, and 0 for the others: (b,) -> (b, categories or bins)."""
        values = single_column(records)
        of_one_kind(values, texts=self._texts)
        if self.edges is None:
            return np.asarray(values[:, None] == np.array(self.categories)[None, :], dtype=np.float64)
        bins = np.searchsorted(self.edges, values, side="right") - 1
        bins = np.where(values == self.edges[-1], len(self.edges) - 2, bins)
        bins = np.where(np.isnan(values), -1, bins)
        return np.asarray(bins[:, None] == np.arange(len(self.edges) - 1)[None, :], dtype=np.float64)

    def true_cdf(self, oracle: Oracle, norm: Norm, n: int, /) -> CDF | None:
        """Return the CDF of the distance: 0 if both records are in one category; otherwise two numbers move.

        None if the probabilities are not known, or records can be in no category.
        """
        law = chances(oracle)
        if law is None or self.categories is None or set(self.categories) != set(law):
            return None
        return jump(math.fsum(p * p for p in law.values()), _MOVED[norm] / self._divisor(n))

    def worst_case(self, norm: Norm, n: int, /) -> float | None:
        """Return 2 in L1 and RANGE, √2 in L2, 1 in L∞, and these by n for shares (mathematics, section 10.2)."""
        return raised(self._up(_MOVED[norm], n), self._inexact * 2, n)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Return 1 for numbers of records, and 1/n for shares (mathematics, section 10.2)."""
        return raised(self._up(1.0, n), self._inexact, n)

    def _up(self, records: float, n: int) -> float:
        """Return so many records in the answer's unit, rounded up."""
        return records if self.counts else math.nextafter(records / n, math.inf)

    @property
    def _inexact(self) -> tuple[float]:
        """The largest answer of a category that rounding moves. Numbers of records are exact."""
        return (0.0,) if self.counts else (1.0,)

    @property
    def _texts(self) -> bool:
        return self.categories is not None and isinstance(self.categories[0], str)
