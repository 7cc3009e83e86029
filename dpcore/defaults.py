"""Sensible targets and oracles for the columns that were picked, from public declarations alone."""

from __future__ import annotations

from typing import Any

from dpcore import oracles, targets
from dpcore.catalog import from_json
from dpcore.scenario import TableRecords
from dpcore.tables import Column, Table
from dpcore.types import Oracle, Target

TARGETS = {
    "Mean": "Mean",
    "Quantile": "Quantile (median)",
    "Variance": "Variance",
    "Histogram": "Histogram of shares",
    "Proportion": "Proportion",
}
ORACLES = {
    "TableRecords": "Records of this table",
    "Uniform": "Uniform",
    "Normal": "Normal",
    "Exponential": "Exponential",
    "Bernoulli": "Bernoulli (0 or 1)",
    "Categorical": "Categorical",
}
BINS = 8
_NO_BOUNDS = (0.0, 4.0)  # where bins begin and end on a column that declares no bounds


def target_for(kind: str, columns: tuple[Column, ...]) -> Target:
    """A target of this kind for these columns; the ones of one column take the first."""
    first = columns[0]
    if kind == "Mean":
        bounds = tuple(column.bounds for column in columns if column.bounds is not None)
        if len(bounds) < len(columns):
            return targets.Mean()
        return targets.Mean(bounds[0] if len(bounds) == 1 else bounds)
    if kind == "Variance":
        return targets.Variance(first.bounds)
    if kind == "Quantile":
        return targets.Quantile(0.5, first.bounds)
    low, high = first.bounds or _NO_BOUNDS
    if kind == "Histogram":
        if first.categories is not None:
            return targets.Histogram(categories=first.categories)
        return targets.Histogram(edges=edges_for((low, high), BINS))
    if first.categories is not None:
        return targets.Proportion(category=first.categories[-1])
    return targets.Proportion(interval=(low, (low + high) / 2))


def edges_for(bounds: tuple[float, float], bins: int) -> tuple[float, ...]:
    """Edges of bins of equal width."""
    low, high = bounds
    return (*(low + (high - low) * j / bins for j in range(bins)), high)


def oracle_kinds(table: Table, columns: tuple[Column, ...]) -> tuple[str, ...]:
    """The kinds of oracles that fit these columns' declarations; the table's own records only if it is public."""
    kinds: list[str] = []
    if all(column.categories is None for column in columns):
        kinds += ["Uniform", "Normal", "Exponential"]
    elif all(column.categories == (0.0, 1.0) for column in columns):
        kinds += ["Bernoulli"]
    if all(column.categories is not None for column in columns):
        kinds += ["Categorical"]
    kinds = kinds or ["Uniform"]
    if table.oracle is not None:
        kinds = [table.oracle["kind"], *(kind for kind in kinds if kind != table.oracle["kind"])]
    return (*kinds, "TableRecords") if table.public else tuple(kinds)


def oracle_for(kind: str, table: Table, columns: tuple[Column, ...]) -> Oracle | TableRecords:
    """An oracle of this kind, one factor a column."""
    if kind == "TableRecords":
        return TableRecords()
    if table.oracle is not None and table.oracle["kind"] == kind and len(columns) == 1:
        suggested: Oracle = from_json(table.oracle, "oracles")
        return suggested
    factors = tuple(_factor(kind, column) for column in columns)
    return factors[0] if len(factors) == 1 else oracles.Product(factors)


def kind_of(member: Any) -> str:
    """The kind's name that selectors show; a product's is its factors'."""
    if isinstance(member, oracles.Product):
        return type(member.columns[0]).__name__
    return type(member).__name__


def _factor(kind: str, column: Column) -> Oracle:
    low, high = column.bounds or _NO_BOUNDS
    if kind == "Bernoulli":
        return oracles.Bernoulli(0.5)
    if kind == "Categorical":
        codes = len(column.categories or (0.0, 1.0))
        return oracles.Categorical((1 / codes,) * codes)
    if kind == "Normal":
        return oracles.Normal((low + high) / 2, (high - low) / 6, column.bounds)
    if kind == "Exponential":
        return oracles.Exponential(1 / ((high - low) / 4), column.bounds)
    return oracles.Uniform(low, high)
