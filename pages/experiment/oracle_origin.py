"""Where an oracle comes from; and how one is made of a privately released histogram of each column."""

from __future__ import annotations

import math
from dataclasses import replace
from enum import Enum
from typing import Any

import numpy as np

from dpcore.base.declared import TEXT, Column
from dpcore.base.facts import facts
from dpcore.base.types import FloatArray, Oracle, Target, from_an_answer, person_of, takes_fields
from dpcore.errors import InvalidValueError
from dpcore.oracles.binned import of_weights
from dpcore.oracles.product import of_columns
from dpcore.targets.column_counts import of_columns as counts_of
from pages.experiment.defaults import first_mechanism, usual_oracle
from pages.experiment.question import oracle_of_fields
from pages.experiment.scenario import Scenario, TableRecords, plain_form
from pages.files.tables import Table


class OracleOrigin(Enum):
    """``PROPOSED``: as the app offers it first, from declarations alone. ``OF_THE_TABLE``: made of a public table's own records.
    ``FITTED``: made of an earlier private answer. ``BY_HAND``: any other."""

    PROPOSED = "proposed"
    OF_THE_TABLE = "of the table"
    FITTED = "fitted"
    BY_HAND = "by hand"


def first_oracle(table: Table, target: Target, columns: tuple[str, ...]) -> Oracle | TableRecords:
    """The one that is offered first for a target of these columns."""
    if takes_fields(target):
        return oracle_of_fields(table, target, {})
    return usual_oracle(table, table.taken(columns, target))


def origin_of(scenario: Scenario, table: Table) -> OracleOrigin:
    """Of a scenario's oracle."""
    oracle = scenario.oracle
    if isinstance(oracle, TableRecords):
        return OracleOrigin.OF_THE_TABLE
    if from_an_answer(oracle):
        return OracleOrigin.FITTED
    proposed = first_oracle(table, scenario.target, scenario.columns)
    return OracleOrigin.PROPOSED if _alike(proposed, oracle) else OracleOrigin.BY_HAND


def _alike(first: Oracle | TableRecords, second: Oracle) -> bool:
    if type(first) is not type(second):
        return False
    try:
        return bool(plain_form(first) == plain_form(second))
    except TypeError:  # one that is in no catalogue
        return False


# An oracle that is made of a privately released histogram of each column: what to ask for, what it costs, what comes of it.


_ROUND = (2, 4, 5, 10, 20)  # bins of a column where nothing else is said: their edges are short numbers where the bounds are
_PARTS = 10_000  # weights are whole numbers that add up to about this: a link stays short

LOSES = (
    "Each column is fitted by itself, so how columns hang together is lost. Where two columns are the same, noise for the "
    "mean of their product that leaves out 5 % of changes by its trials leaves out 16 % of real ones."
)  # (mathematics, section 7.2)
AFTERWARDS = (
    "Afterwards made-up tables look like this one. Use them to see what answers and errors to expect, and to choose the "
    "question, bounds and ε. Then release with noise that is sized to a proved worst case: that keeps differential privacy "
    "itself. Noise that is sized by trials from the fit has no guarantee for this table, because the fit knows it."
)  # (mathematics, section 7.3)


def fits_an_oracle(target: object) -> bool:
    """Whether a target says that an oracle can be made of what is answered."""
    return facts(target).fits_an_oracle is True


def usual_bins(n: int, columns: int, epsilon: float) -> int:
    """The largest of 2, 4, 5, 10 and 20 up to √(nε/d): there the bins' width and the noise on their shares cost about as much
    (mathematics, section 7.1)."""
    most = math.sqrt(max(0.0, n * epsilon / columns))
    return max((bins for bins in _ROUND if bins <= most), default=_ROUND[0])


def asking(scenario: Scenario, table: Table, epsilon: float, bins: int | None = None) -> Scenario:
    """The scenario that fits an oracle for a question's columns, at its own ε; without ``bins`` as many as are usual.

    InvalidValueError for people's rows, for a column without public bounds or categories, and for an ε that no scenario has.
    """
    if person_of(scenario.target) is not None:
        raise InvalidValueError("target", "a question about rows: a fit counts rows, and a person may have many", None)
    columns = tuple(table.column(name) for name in scenario.columns)
    target = counts_of(columns, usual_bins(scenario.n, len(columns), epsilon) if bins is None else bins)
    mechanism = first_mechanism(target)
    return scenario.with_(
        target=target,
        n=table.size(scenario.columns, target),
        epsilon=epsilon,
        mechanism=mechanism,
        norm=mechanism.norm,
        delta=None,
        oracle=usual_oracle(replace(table, oracle=None), table.taken(scenario.columns, target)),
    )


def moved(fit: Any, n: int, scale: float) -> float:
    """About which share of a column's records noise of this scale puts into other bins, K·b/(2n), of the column with most bins
    (mathematics, section 7.1)."""
    return float(min(1.0, max(fit.bins) * scale / (2 * n)))


def laws(fit: Any, response: FloatArray, columns: tuple[Column, ...]) -> dict[str, Oracle]:
    """A law for each column: the noisy counts, those below 0 put to 0, as whole weights that add up to about 10,000; even weights
    where nothing is left."""
    return {column.name: _law(column, counts) for column, counts in zip(columns, fit.split(response), strict=True)}


def _law(column: Column, counts: FloatArray) -> Oracle:
    kept = np.maximum(counts, 0.0)
    shares = kept / kept.sum() if kept.sum() > 0 else np.full(len(kept), 1 / len(kept))
    weights = tuple(int(weight) for weight in np.rint(shares * _PARTS))
    if column.categories is None:
        return of_weights(weights, interval=column.bounds)
    return of_weights(weights, categories=tuple(map(str, column.categories)) if column.role == TEXT else None)


def with_fit(question: Scenario, table: Table, fit: Scenario, response: FloatArray) -> Scenario:
    """The question, its records drawn from the laws that a response fitted; InvalidValueError for a column without one."""
    target: Target = question.target
    if missing := [name for name in question.columns if name not in fit.columns]:
        raise InvalidValueError("columns", f"those that were fitted: {', '.join(fit.columns)}", ", ".join(missing))
    fitted = laws(fit.target, response, table.taken(fit.columns, target))
    if takes_fields(target):
        return question.with_(oracle=oracle_of_fields(table, target, fitted))
    return question.with_(oracle=of_columns(tuple(fitted[name] for name in question.columns)))
