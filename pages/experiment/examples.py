"""The first scenario of a table, and the examples of Explore."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore import Bound
from pages.experiment.choices import first_kind
from pages.experiment.question import asked, first_fields
from pages.experiment.scenario import Scenario
from pages.files.tables import Table

NAME = "loan_defaults"  # table of the first example
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


def example(of: Table) -> Scenario:
    """Return the first scenario of a table.

    For the table ``NAME`` this is Example 6 of Rubinstein and Aldà (2017): the mean of 500 times to default, Exponential(1).
    """
    return first_scenario(of, first_kind(of))


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
    fields = first_fields(table, kind, columns)
    made = Scenario(**fields, bound=Bound.RANK, confidence=None, m=199, gamma=0.05, epsilon=1.0, seed=1)
    if table.persons is None:
        return made
    of_people = made.with_(**asked(made, table))
    target_of_people: Any = of_people.target
    return of_people.with_(target=replace(target_of_people, rows=ROWS_OF_A_PERSON))
