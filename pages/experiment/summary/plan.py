"""What a summary asks of a table: which columns, in how many bars, at which ε. All of it comes from what is publicly declared."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, final

from dpcore.base.declared import Column
from dpcore.base.facts import facts
from dpcore.errors import InvalidValueError
from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms.response_law import SHARE_WITHIN
from dpcore.targets.table_summary import MOST_COLUMNS, can_be_summed_up, summary_of
from pages.experiment.defaults import first_mechanism
from pages.experiment.question import oracle_of_fields
from pages.experiment.scenario import LEAST_EPSILON, MOST_EPSILON, Scenario
from pages.files.tables import Table

_BARS = 5, 8, 10, 16, 20, 25, 32, 40, 50  # into which bounds are cut: few, where edges are to be short numbers
_FINENESS = 0.8  # (mathematics, section 21.2)
_MANY, _COARSE = 64, 4  # beyond so many columns: so many bars of each at most
_HALF_WIDTH = -math.log1p(-SHARE_WITHIN)  # of Laplace noise, in scales


@final
@dataclass(frozen=True, slots=True)
class Offer:
    """``columns``: those that can be summed up. ``left_out``: the names of the others, of which nothing is publicly known to
    count."""

    columns: tuple[str, ...]
    left_out: tuple[str, ...]


def offered(table: Table) -> Offer:
    """The columns of a table, as they are declared."""
    person = None if table.persons is None else table.persons.column
    own = [column for column in table.columns if column.name != person]
    columns = tuple(column.name for column in own if can_be_summed_up(column))
    return Offer(columns[:MOST_COLUMNS], tuple(column.name for column in own if column.name not in columns[:MOST_COLUMNS]))


def asking(
    table: Table, columns: tuple[str, ...], epsilon: float, pairs: tuple[tuple[str, str], ...] = (), *, seed: int = 1
) -> Scenario:
    """The scenario of a summary of these columns: InvalidValueError where none is named, or one that cannot be summed up."""
    declared = tuple(table.column(name) for name in columns)
    if not declared:
        raise InvalidValueError("columns of a summary", "at least one with public bounds or categories", "none")
    people = table.persons
    places = [sorted((columns.index(first), columns.index(second))) for first, second in pairs]
    coarse = summary_of(
        declared,
        (1,) * sum(column.categories is None for column in declared),
        tuple(sorted((first, second) for first, second in places)),
        None if people is None else people.column,
        1 if people is None else table.guesses.cap,
    )
    n = table.size(coarse.fields, coarse)
    target = replace(coarse, bins=bars_of(declared, n, epsilon, len(pairs)))
    mechanism = first_mechanism(target)
    return Scenario(
        table=table.name,
        columns=target.fields,
        target=target,
        oracle=oracle_of_fields(table, target, {}),
        norm=mechanism.norm,
        n=n,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=epsilon,
        delta=None,
        mechanism=mechanism,
        seed=seed,
        adjacency=table.adjacency,
    )


def bars_of(columns: tuple[Column, ...], n: int, epsilon: float, pairs: int = 0) -> tuple[int, ...]:
    """How many bars each column of numbers has: the largest of a few round numbers up to 0.8·√(nε′), ε′ its own part of ε
    (mathematics, section 21.2)."""
    numbers = sum(column.categories is None for column in columns)
    if len(columns) > _MANY:
        return (_COARSE,) * numbers
    share = numbers + (len(columns) - numbers + pairs) / 1.2
    most = _FINENESS * math.sqrt(n * epsilon / max(share, 1.0))
    return (max((bars for bars in _BARS if bars <= most), default=_BARS[0]),) * numbers


def least_epsilon(scenario: Scenario) -> float:
    """The least ε at which something could be told: where the ± of a bar is no larger than the table, so that a bar which holds
    all of it would be seen. In people's tables a person counts for as many rows as are allowed."""
    target: Any = scenario.target
    proved = facts(target).global_sensitivity(scenario.norm, scenario.n, scenario.adjacency)
    assert proved is not None
    return float(_HALF_WIDTH * proved.value / (scenario.n * target.rows))


def why_nothing(scenario: Scenario) -> str:
    """Why nothing of a summary can be told at its ε, and the least ε that tells something; empty where something can."""
    least = least_epsilon(scenario)
    if scenario.epsilon >= least:
        return ""
    said = f"At ε = {scenario.epsilon:g} the noise on a bar is larger than the whole table, so no bar could be told."
    shown = math.ceil(least * 100) / 100 if least >= LEAST_EPSILON else LEAST_EPSILON
    if least > MOST_EPSILON:
        return (
            f"{said} No ε up to {MOST_EPSILON:g} would tell anything of so few rows and so many columns: choose fewer columns, "
            "or a table with more rows."
        )
    return f"{said} The least ε that tells something is {shown:g}; with fewer columns it would be less."
