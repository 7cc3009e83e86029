"""The examples of Explore: each selects table, target and oracle with one click."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import ApproxDP
from pages.experiment.choices import (
    DELTA,
    columns_for,
    first_mechanism,
    kind_called,
    oracle_kinds,
    target_for,
)
from pages.experiment.question import asked, oracle_of_kind
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

M, GAMMA, EPSILON, SEED = 199, 0.05, 1.0, 1
ROWS_OF_A_PERSON = 10
# Name on the page: table, kind of target, columns. “Mean” is Example 6 of Rubinstein and Aldà (2017).
EXAMPLES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "Mean": ("loan_defaults", "Mean", ()),
    "Histogram": ("diabetes", "Histogram", ("age",)),
    "Curve": ("sine", "PriestleyChao", ()),
    "Classifier": ("breast_cancer", "MeanDirection", ("mean_radius", "mean_texture", "benign")),
    "Letters": ("scientists", "LetterCounts", ()),
    "People": ("visits", "Sum", ()),
}


def example_named(name: str, tables: dict[str, Table]) -> Scenario:
    """Return one of the examples.

    Args:
        name: One of ``EXAMPLES``.
        tables: The tables that come with the app.
    """
    table_name, kind, columns = EXAMPLES[name]
    return first_scenario(tables[table_name], kind, columns)


def first_scenario(table: Table, kind: str, columns: tuple[str, ...] = ()) -> Scenario:
    """Return the first scenario of a table and a kind of target.

    Args:
        table: The table.
        kind: Class name of the target or curve.
        columns: Names of columns; those that suit the target by default.
    """
    names = columns_for(kind, table, columns)
    picked = table.taken(names, kind_called(kind))
    target = target_for(kind, picked)
    mechanism = first_mechanism(target)
    made = Scenario(
        table=table.name,
        columns=names,
        target=target,
        oracle=oracle_of_kind(oracle_kinds(table, picked)[0], table, picked, target),
        norm=mechanism.norm,
        n=table.size(names, kind_called(kind)),
        bound=Bound.RANK,
        confidence=None,
        m=M,
        gamma=GAMMA,
        epsilon=EPSILON,
        delta=DELTA if mechanism.privacy is ApproxDP else None,
        mechanism=mechanism,
        seed=SEED,
        adjacency=table.adjacency_of_rows,
    )
    if table.persons is None:
        return made
    of_people = made.with_(**asked(made, table))
    target_of_people: Any = of_people.target
    return of_people.with_(target=replace(target_of_people, rows=ROWS_OF_A_PERSON))
