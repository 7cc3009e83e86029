"""What a summary of a whole table is computed from: bars, one sum and a count of each column, as one answer under one ε."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from dpcore.answers.numbers import Numbers, label_of
from dpcore.answers.several import Several
from dpcore.base import people, row_weights
from dpcore.base.bounds import even_edges
from dpcore.base.checks import whole
from dpcore.base.counted import counted
from dpcore.base.declared import PERSON, Column
from dpcore.base.norms import L1, Norm
from dpcore.base.quoted import quoted
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency
from dpcore.guarantees.sensitivity import GlobalSensitivity
from dpcore.targets.column_places import counted_in, labels_of, placed, said_of_each
from dpcore.targets.proved import N, proved, raised, removed

MOST_COLUMNS, MOST_NUMBERS, MOST_PAIRS, _MOST_SIDE = 256, 4_096, 20, 20  # the last of the cells along a side of a pair
_FINE = 16  # bins, up to which the sum is counted from the middle of each bin; beyond them from the middle of the column
_WITHIN, _WHOLE = 0.2, 0.8  # weight of that sum, where a bar has 1: of the first, and of the second
_OF_CATEGORIES = 1.3  # weight of the count of a column of categories, which has no sum
_ROUNDING = 1 + 2.0**-50  # two products a row, and min(1, s/N), each rounded
_PROOF = (
    "Of each column a replaced row takes 1 from at most one bar and adds 1 to at most one other, and moves the sum by at most "
    "2 times its weight; one whose value gets lost moves a bar by 1, the sum by its weight, and the count by its own, which "
    "together is no less. Of each pair it moves at most two cells by 1."
)


@final
@dataclass(frozen=True)
class TableSummary:
    """f(D): of each column how many records are in each bar, v·Σ r of a column of numbers, and u·#known; then of each pair of
    columns how many are in each cell. (n,) with named fields -> (Σ numbers,)

    ``table``: the columns as they are publicly declared: bounds, or categories, which are the bars. ``bins``: one whole number
    for each column that has no categories, into so many equal bars its bounds are cut. r goes from −1 to 1: how far a value lies
    from the middle of its own bar (up to 16 bars, v = 0.2), or of its column (beyond, v = 0.8); of a column of categories v = 0.
    A missing value counts nowhere. ``pairs``: places of columns; in a pair bars are joined to five or fewer.

    Where u = 1 + v the count is free: a record that stays known does not move it, and one that gets lost moves the rest by half
    (mathematics, section 21.1). So it is, but for categories, whose u is 1.3. Of ``person``, the field of the people, nobody's
    rows weigh more than ``rows`` together.
    """

    table: tuple[Column, ...]
    bins: tuple[int, ...]
    pairs: tuple[tuple[int, int], ...] = ()
    person: str | None = None
    rows: int = field(default=1, metadata={"label": "Rows a person counts for, s", "min": 1, "step": 1})
    title: ClassVar[str] = "Summary of the whole table"
    takes_fields: ClassVar[bool] = True
    takes_missing: ClassVar[bool] = True
    regardless_of_n: ClassVar[bool] = True
    summarises: ClassVar[bool] = True
    relative_resolution: ClassVar[float] = 8 * 2.0**-52

    def __post_init__(self) -> None:
        if not isinstance(self.table, tuple) or not all(isinstance(one, Column) for one in self.table) or not self.table:
            raise InvalidValueError("columns", "at least one declared column", self.table)
        if len(self.table) > MOST_COLUMNS or len(set(self.columns)) < len(self.columns):
            raise InvalidValueError("columns", f"at most {MOST_COLUMNS} of a summary, all different", len(self.table))
        if unfit := [one for one in self.table if not can_be_summed_up(one)]:
            raise InvalidValueError(f"column {quoted(unfit[0].name)}", "one with public bounds or categories", unfit[0].role)
        given: Any = self.bins
        bins = tuple(whole("bins", one) for one in given) if isinstance(given, (list, tuple)) else ()
        if len(bins) != sum(column.categories is None for column in self.table):
            raise InvalidValueError("bins", "one whole number for each column without categories", self.bins)
        object.__setattr__(self, "bins", bins)
        object.__setattr__(self, "pairs", self._pairs())
        object.__setattr__(self, "rows", row_weights.checked(self.rows, None, None)[0])
        if self.person is not None and (not isinstance(self.person, str) or self.person in self.columns):
            raise InvalidValueError("person", "the name of another column than those of the summary", self.person)
        if self.numbers > MOST_NUMBERS:
            raise InvalidValueError("bins", f"fewer: a summary has at most {MOST_NUMBERS:,} numbers", self.numbers)
        if near := [one.name for at, one in enumerate(self.table) if not one.categories and len(self.edges(at)) <= self.bars[at]]:
            raise InvalidValueError("bins", f"fewer for {quoted(near[0])}, whose bounds are so near", self.bins)

    def _pairs(self) -> tuple[tuple[int, int], ...]:
        given: Any = self.pairs
        several = isinstance(given, (list, tuple)) and all(isinstance(one, (list, tuple)) for one in given)
        pairs, places = tuple(map(tuple, given)) if several else ((),), {*range(len(self.table))}
        right = all(len(one) == 2 and {*one} <= places and one[0] < one[1] for one in pairs)
        if not right or len(set(pairs)) < len(pairs) or len(pairs) > MOST_PAIRS:
            expected = f"up to {MOST_PAIRS} different pairs of places of columns, the first before the second"
            raise InvalidValueError("pairs", expected, self.pairs)
        if wide := [self.table[place].name for pair in pairs for place in pair if self.side(place) > _MOST_SIDE]:
            raise InvalidValueError("pairs", f"of columns with at most {_MOST_SIDE} categories", wide[0])
        return tuple((int(first), int(second)) for first, second in pairs)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns that it sums up."""
        return tuple(column.name for column in self.table)

    @property
    def fields(self) -> tuple[str, ...]:
        """These, then that of the people."""
        return self.columns if self.person is None else (*self.columns, self.person)

    @cached_property
    def bars(self) -> tuple[int, ...]:
        """How many bars each column has: its bins, or its categories."""
        bins = iter(self.bins)
        return tuple(next(bins) if column.categories is None else len(column.categories) for column in self.table)

    @cached_property
    def weights(self) -> tuple[float, ...]:
        """v of each column: the weight of its sum beside 1 of a bar."""
        return tuple(
            0.0 if column.categories is not None else _WITHIN if bars <= _FINE else _WHOLE
            for column, bars in zip(self.table, self.bars, strict=True)
        )

    def middles(self, place: int) -> int:
        """In how many equal parts of a column its sum is counted from the middle."""
        return self.bars[place] if self.bars[place] <= _FINE else 1

    def side(self, place: int) -> int:
        """How many cells a column has in a pair: its categories, or its bars joined to five or fewer."""
        if self.table[place].categories is not None:
            return self.bars[place]
        return max(parts for parts in range(1, 6) if self.bars[place] % parts == 0)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many numbers each answer has: of each column its bars, its sum where it has one, its count; then each pair's."""
        found: list[int] = []
        for bars, weight in zip(self.bars, self.weights, strict=True):
            found += [bars, 1, 1] if weight else [bars, 1]
        return (*found, *(self.side(first) * self.side(second) for first, second in self.pairs))

    @cached_property
    def widths(self) -> tuple[float, ...]:
        """What each answer is to be multiplied by, to be in its own unit."""
        found: list[float] = []
        for weight in self.weights:
            found += [1.0, 1 / weight, 1 / of_count(weight)] if weight else [1.0, 1 / of_count(weight)]
        return (*found, *(1.0 for _ in self.pairs))

    @property
    def numbers(self) -> int:
        """How many numbers the answer has."""
        return sum(self.sizes)

    @property
    def ways(self) -> tuple[str, ...]:
        """It adds up records, and not those of people."""
        return ("additive",) if self.person is None else ()

    @property
    def share(self) -> float:
        """Half of how far one record moves all of it: Σ max(1 + v, (1 + v + u)/2) and the number of pairs."""
        return math.fsum((1 + weight + of_count(weight)) / 2 for weight in self.weights) + len(self.pairs)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """These very columns, and behind them that of the people."""
        own, table = (
            [(one.name, one.bounds, one.categories) for one in some] for some in (columns[: len(self.table)], self.table)
        )
        rest = [(one.name, one.role) for one in columns[len(self.table) :]]
        return own == table and rest == ([] if self.person is None else [(self.person, PERSON)])

    def answer(self, columns: tuple[Column, ...], /) -> Several:
        """The bars, the sum and the count of each column, then the cells of each pair."""
        kinds: list[Numbers] = []
        for place, (column, weight) in enumerate(zip(self.table, self.weights, strict=True)):
            name = label_of((column,))[0]
            kinds.append(Numbers(tuple(f"{name}: {one}" for one in self.labels(place)), "rows", bars=True))
            kinds += [Numbers((f"{name}: sum of distances from the middle",))] if weight else []
            kinds.append(Numbers((f"{name}: known values",), "rows", amount=True))
        for first, second in self.pairs:
            cells = [f"{one}, {other}" for one in self.labels(first, True) for other in self.labels(second, True)]
            kinds.append(Numbers(tuple(cells), "rows", bars=True))
        return Several(tuple(kinds), self.sizes, self.widths)

    def labels(self, place: int, of_a_pair: bool = False) -> tuple[str, ...]:
        """The bars of a column in words, or its cells in a pair."""
        column = self.table[place]
        edges = self.edges(place, self.side(place) if of_a_pair else None) if column.categories is None else ()
        return labels_of(column, edges)

    def edges(self, place: int, parts: int | None = None) -> tuple[float, ...]:
        """Between which values the bars of a column of numbers lie."""
        bounds = self.table[place].bounds
        assert bounds is not None
        return even_edges(bounds, parts or self.bars[place])

    def asked_of(self, columns: tuple[Column, ...]) -> str:
        """As a title: ``Summary of 9 columns``."""
        pairs = f" and {counted(len(self.pairs), ' pairs')}" * bool(self.pairs)
        return f"Summary of {counted(len(self.table), ' columns')}{pairs}"

    def words(self, columns: tuple[Column, ...] = ()) -> str:
        """Of people how many rows of one count: ``at most 3 rows a person``."""
        return "" if self.person is None else f"at most {counted(self.rows, ' rows')} a person"

    def said_of(self, columns: tuple[Column, ...]) -> str:
        """With its settings: ``the summary of 2 columns: cost in 8 bars from 0 to 100; sex in 3 bars``."""
        each = said_of_each(self.table, self.bars)
        pairs = f", and {counted(len(self.pairs), ' pairs')} of them" * bool(self.pairs)
        return ", ".join(filter(None, (f"the summary of {counted(len(self.table), ' columns')}: {each}{pairs}", self.words())))

    def __call__(self, database: Database, /) -> FloatArray:
        weigh = None if self.person is None else self._weights(database)
        places = [self.placed(place, database) for place in range(len(self.table))]
        found: list[FloatArray] = []
        for place, (bars, weight) in enumerate(zip(self.bars, self.weights, strict=True)):
            at, away = places[place]
            found.append(counted_in(at, bars, weigh))
            if weight:
                sized = away if weigh is None else away * weigh
                found.append(np.array([weight * math.fsum(sized[at >= 0].tolist())]))
            found.append(np.asarray(of_count(weight) * counted_in(np.where(at >= 0, 0, -1), 1, weigh)))
        for pair in self.pairs:
            found.append(counted_in(self._cells(pair, places), self.side(pair[0]) * self.side(pair[1]), weigh))
        return np.concatenate(found)

    def contribution(self, records: Database, n: int, /) -> FloatArray:
        """(b,) -> (b, Σ numbers)"""
        places = [self.placed(place, records) for place in range(len(self.table))]
        found: list[Any] = []
        for place, (bars, weight) in enumerate(zip(self.bars, self.weights, strict=True)):
            at, away = places[place]
            found.append((at[:, None] == np.arange(bars)).astype(np.float64))
            found += [(weight * np.where(at >= 0, away, 0.0))[:, None]] if weight else []
            found.append((of_count(weight) * (at >= 0))[:, None])
        for pair in self.pairs:
            cells = np.arange(self.side(pair[0]) * self.side(pair[1]))
            found.append((self._cells(pair, places)[:, None] == cells).astype(np.float64))
        return np.concatenate(found, axis=1)

    def global_sensitivity(self, norm: N, n: int, adjacency: Adjacency | None = None) -> GlobalSensitivity[N] | None:
        """Σ (1 + v + u) + 2·pairs in L1, where somebody is replaced ``rows`` times that (mathematics, section 21.1)."""
        n = whole("n", n)
        if norm != L1:
            return None
        if self.person is None:
            if adjacency not in (None, Adjacency.REPLACE_ONE_RECORD):
                return removed(self, norm, n, adjacency)
            return proved(self, 2 * self.share, self._inexact(n), norm, n, _PROOF)
        adjacency = adjacency or Adjacency.REPLACE_ONE_USER
        if adjacency.of_records:
            return None
        most = people.MOST_ROWS
        one = 2 * self.share - len(self.pairs) * adjacency.removes
        proof = f"The rows of a person weigh {counted(self.rows, ' rows')} together at most. {_PROOF}"
        sizes = (2.0 * most,) * self.numbers
        return proved(self, one * self.rows * _ROUNDING, sizes, norm, n, proof, adjacency=adjacency, records=most)

    def lost(self, norm: Norm, n: int, /) -> float | None:
        """Where all values of a record get lost, or are found: Σ (1 + v + u) + pairs in L1."""
        return raised(2 * self.share - len(self.pairs), self._inexact(n), n) if norm == L1 else None

    def _inexact(self, n: int) -> tuple[float, ...]:
        """The largest numbers that rounding moves: the sums and the counts, in their weights."""
        return tuple(of_count(weight) * n for weight in self.weights for _ in range(2))

    def _weights(self, database: Database) -> FloatArray:
        return row_weights.weights(database[self.person], np.zeros(len(database), dtype=np.int64), self.rows)

    def placed(self, place: int, records: Database, /) -> tuple[NDArray[np.int64], FloatArray]:
        """The bar of each record in a column, −1 of a missing one, and how far it is from the middle, −1 to 1: (b,), (b,)"""
        column = self.table[place]
        if column.name not in (records.dtype.names or ()):
            raise InvalidValueError("database", f"with the named columns {', '.join(self.fields)}", records.dtype.names)
        return placed(column, records[column.name], self.bars[place], self.middles(place))

    def _cells(self, pair: tuple[int, int], places: list[tuple[NDArray[np.int64], FloatArray]]) -> NDArray[np.int64]:
        """The cell of each record in a pair, −1 where one of the two values is missing."""
        (first, _), (second, _) = (places[place] for place in pair)
        one, other = (at * self.side(place) // self.bars[place] for place, at in zip(pair, (first, second), strict=True))
        return np.where((first >= 0) & (second >= 0), one * self.side(pair[1]) + other, -1)


def of_count(weight: float) -> float:
    """u: the weight of a column's count, where that of its sum is v; 0 where it has none."""
    return 1 + weight if weight else _OF_CATEGORIES


def can_be_summed_up(column: Column) -> bool:
    """Whether it is publicly known what to count of a column: its categories, or between which bounds."""
    if column.role == PERSON:
        return False
    return column.bounds is not None if column.categories is None else 1 <= len(column.categories) <= MOST_NUMBERS // 2


summary_of = TableSummary  # for those who name no kind
