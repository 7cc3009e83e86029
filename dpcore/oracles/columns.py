"""Oracles that are made of other oracles: independent columns, mixtures of groups, and missing values."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, final

import numpy as np

from dpcore.base.arrays import Database, Inverse
from dpcore.base.checks import named, set_fields, share
from dpcore.base.columns import NUMBERS, Column, Slots, of_text
from dpcore.base.types import Oracle, inverse_of
from dpcore.errors import InvalidValueError
from dpcore.oracles.continuous import Normal
from dpcore.oracles.discrete import Bernoulli, Categorical, checked_shares, draw_codes

MOST_COLUMNS = 2_000  # of a record; the limit for uploaded tables too
MOST_PARTS = 64
_SINGLE_COLUMNS = "oracles of a single column each"
# The two groups of section 7.3 of Rubinstein & Aldà (2017), on the scale of a column's bounds.
_WEIGHTS, _CENTRES, _SPREADS = (0.4, 0.6), (1 / 2, 3 / 4), (math.sqrt(0.02), math.sqrt(0.005))


@final
@dataclass(frozen=True)
class IndependentColumns(Oracle):
    """Records with independent columns, one oracle for each.

    Args:
        columns: Oracles of a single column each.
        names: Different names of the columns, or none. With names, a record has named fields, which may be texts; without
            names it is a row of numbers.

    Raises:
        InvalidValueError: If an argument is not as described.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> age_and_income = oracles.IndependentColumns((oracles.Uniform(18, 90), oracles.LogNormal(30_000)))
        >>> age_and_income.draw(1, 500, rng=np.random.default_rng(1)).shape
        (1, 500, 2)
    """

    columns: tuple[Oracle, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        columns = checked_columns(self.columns)
        if any(isinstance(column, IndependentColumns) for column in columns):
            raise InvalidValueError("columns", _SINGLE_COLUMNS, "a product in a product")
        names = tuple(self.names) if isinstance(self.names, (list, tuple)) else None
        if names is None or (names and len(names) != len(columns)) or len(set(map(str, names))) < len(names):
            raise InvalidValueError("names", "none, or one a column, all different", self.names)
        set_fields(self, columns=columns, names=tuple(named("names", name) for name in names))

    @property
    def independent_records(self) -> bool:
        """True if the records of each column are independent."""
        return all(column.independent_records for column in self.columns)

    @property
    def draws_fields(self) -> bool:
        """True if its columns have names."""
        return bool(self.names)

    @property
    def draws_in_order(self) -> bool:
        """True if its only column does; with several, the second column is drawn after all records of the first."""
        return len(self.columns) == 1 and self.columns[0].draws_in_order

    @property
    def inverse(self) -> Inverse | None:
        """The inverse of a single column without a name."""
        return inverse_of(self.columns[0]) if len(self.columns) == 1 and not self.names else None

    @property
    def stands_for(self) -> Oracle:
        """The oracle whose name a picker shows: that of the first column that is not a category."""
        laws: list[Oracle] = [column.stands_for or column for column in self.columns]
        return ([law for law in laws if not isinstance(law, (Bernoulli, Categorical))] or laws)[0]

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether each oracle fits its column; without names, only two or more columns of numbers."""
        if self.names:
            alike = self.names == tuple(column.name for column in columns)
        else:
            alike = len(columns) > 1 and not any(map(of_text, columns))
        return alike and fit_each(self.columns, columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases: shape (databases, records) with named fields, or (databases, records, columns)."""
        drawn = [column.draw(databases, records, rng=rng) for column in self.columns]
        if any(values.shape != (databases, records) for values in drawn):
            raise InvalidValueError("columns", _SINGLE_COLUMNS, [values.shape[2:] for values in drawn])
        if not self.names:
            if any(values.dtype.kind == "U" for values in drawn):
                raise InvalidValueError("columns", "oracles of numbers, or columns with names", [str(one.dtype) for one in drawn])
            return np.stack(drawn, axis=-1)
        fields = np.empty(drawn[0].shape, dtype=[(name, one.dtype) for name, one in zip(self.names, drawn, strict=True)])
        for name, values in zip(self.names, drawn, strict=True):
            fields[name] = values
        return fields


def checked_columns(given: object) -> tuple[Oracle, ...]:
    """Return the oracles of columns; InvalidValueError if the list is empty, too long, or has other objects in it."""
    columns = tuple(given) if isinstance(given, (list, tuple)) else ()
    if not 0 < len(columns) <= MOST_COLUMNS or not all(isinstance(column, Oracle) for column in columns):
        raise InvalidValueError("columns", f"one oracle a column, and from 1 to {MOST_COLUMNS:,} columns", given)
    return columns


def fit_each(laws: tuple[Oracle, ...], columns: tuple[Column, ...]) -> bool:
    """Return whether there are as many oracles as columns, and each fits its own."""
    return len(laws) == len(columns) and all(law.fits((column,)) for law, column in zip(laws, columns, strict=True))


def of_columns(columns: tuple[Oracle, ...]) -> Oracle:
    """Return the product of several oracles, or the oracle itself if there is one."""
    return columns[0] if len(columns) == 1 else IndependentColumns(columns)


def of_fields(laws: Mapping[str, Oracle]) -> Oracle:
    """Return the product of oracles by the names of their columns."""
    return IndependentColumns(tuple(laws.values()), tuple(laws))


def laws_of(oracle: Oracle, names: tuple[str, ...]) -> dict[str, Oracle]:
    """Return the oracle of each column by its name.

    Args:
        oracle: Any oracle.
        names: Names of the columns, if the oracle has none itself.

    Returns:
        The oracles; empty if the columns of the oracle are not independent.
    """
    if oracle.columns:
        return dict(zip(oracle.names or names, oracle.columns, strict=False))
    return {names[0]: oracle} if len(names) == 1 else {}


@final
@dataclass(frozen=True)
class Mixture(Oracle):
    """Independent records, each from one of several groups: from part j with probability ``weights[j]``.

    Columns that are independent within each group become correlated: records of a group with large values are large in all
    columns.

    Args:
        parts: Oracles of independent records of the same columns, one for each group. They draw rows, not users.
        weights: Probability of each group, above 0; they sum to 1.

    Raises:
        InvalidValueError: If an argument is not as described.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> small = oracles.IndependentColumns((oracles.Normal(1, 1), oracles.Normal(2, 1)))
        >>> large = oracles.IndependentColumns((oracles.Normal(9, 1), oracles.Normal(8, 1)))
        >>> rows = oracles.Mixture((small, large), (0.5, 0.5)).draw(1, 1000, rng=np.random.default_rng(1))[0]
        >>> bool(np.corrcoef(rows.T)[0, 1] > 0.8)
        True
    """

    parts: tuple[Oracle, ...]
    weights: tuple[float, ...] = field(metadata={"label": "Weights"})
    independent_records: ClassVar[bool] = True
    takes: ClassVar[Slots] = NUMBERS
    title: ClassVar[str] = "Mixture of groups"

    def __post_init__(self) -> None:
        parts = tuple(self.parts) if isinstance(self.parts, (list, tuple)) else ()
        if not 0 < len(parts) <= MOST_PARTS or not all(isinstance(part, Oracle) for part in parts):
            raise InvalidValueError("parts", f"from 1 to {MOST_PARTS} oracles", self.parts)
        if any(part.draws_people or not part.independent_records for part in parts):
            raise InvalidValueError("parts", "oracles of independent rows", parts)
        weights = checked_shares("weights", self.weights, above_0=True)
        if len(weights) != len(parts):
            raise InvalidValueError("weights", f"{len(parts)} shares, one a part", weights)
        set_fields(self, parts=parts, weights=weights)

    @classmethod
    def suited(cls, columns: tuple[Column, ...]) -> Mixture | None:
        """Return the paper's two groups in each of two or more columns of bounded numbers, otherwise None."""
        bounds = [column.bounds for column in columns if column.bounds is not None and column.categories is None]
        if len(columns) < 2 or len(bounds) < len(columns):
            return None
        return cls(tuple(_group(bounds, *at) for at in zip(_CENTRES, _SPREADS, strict=True)), _WEIGHTS)

    @property
    def draws_fields(self) -> bool:
        """True if its parts have named fields."""
        return all(part.draws_fields for part in self.parts)

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether each part fits the columns."""
        return all(part.fits(columns) for part in self.parts)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, (databases, records, ...) as its parts draw them."""
        drawn = [part.draw(databases, records, rng=rng) for part in self.parts]
        if any(one.shape != drawn[0].shape or one.dtype.names != drawn[0].dtype.names for one in drawn):
            raise InvalidValueError("parts", "oracles of the same columns", [one.shape[2:] for one in drawn])
        which = draw_codes(self.weights, rng.random((databases, records)))
        mixed = np.empty(drawn[0].shape, dtype=np.result_type(*drawn))
        for j, one in enumerate(drawn):
            mixed[which == j] = one[which == j]
        return mixed


def _group(bounds: list[tuple[float, float]], centre: float, spread: float) -> IndependentColumns:
    """Return normal columns around a centre between their bounds, clipped to them."""
    return IndependentColumns(
        tuple(Normal(low + centre * (high - low), spread * (high - low), (low, high)) for low, high in bounds)
    )


@final
@dataclass(frozen=True)
class WithMissing(Oracle):
    """Records of an oracle of one column, some of them missing: NaN, or '' for texts.

    Pairs of databases then differ by lost and found values too.

    Args:
        oracle: An oracle of a single column.
        share: Probability that a record is missing, above 0 and below 1.

    Raises:
        InvalidValueError: If an argument is not as described.

    Examples:
        >>> import numpy as np
        >>> from dpcore import oracles
        >>> ages = oracles.WithMissing(oracles.Uniform(18, 90), share=0.1)
        >>> np.isnan(ages.draw(1, 1000, rng=np.random.default_rng(1))).mean().round(1)
        np.float64(0.1)
    """

    oracle: Oracle
    share: float = field(metadata={"label": "Share missing", "min": 0.0, "max": 1.0, "step": 0.01})

    def __post_init__(self) -> None:
        if not isinstance(self.oracle, Oracle):
            raise InvalidValueError("oracle", "an oracle of a single column", self.oracle)
        set_fields(self, share=share("share", self.share))

    @property
    def independent_records(self) -> bool:
        """True if those of the oracle are, because each record is missing independently."""
        return self.oracle.independent_records

    @property
    def stands_for(self) -> Oracle:
        """The oracle whose name a picker shows."""
        return self.oracle.stands_for or self.oracle

    def fits(self, columns: tuple[Column, ...]) -> bool:
        """Return whether it is one column that its oracle fits."""
        return len(columns) == 1 and self.oracle.fits(columns)

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        """Return simulated databases, shape (databases, records)."""
        values = np.asarray(self.oracle.draw(databases, records, rng=rng))
        if values.shape != (databases, records) or values.dtype.kind not in "fU":
            raise InvalidValueError("oracle", "of a single column of numbers or texts", values.shape[2:])
        missing = "" if values.dtype.kind == "U" else np.nan
        return np.where(rng.random((databases, records)) < self.share, missing, values)
