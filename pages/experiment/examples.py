"""The first scenario of a table, the examples of Explore, and examples of queries in SQL."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from dpcore import Bound, Column
from dpcore.base.declared import OTHER
from dpcore.base.slots import of_numbers
from dpcore.sql.parsed_query import identifier
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


def sql_examples(columns: tuple[Column, ...]) -> dict[str, str]:
    """Return queries by name, for columns with public bounds and for listed categories."""
    numbers = sorted((one for one in columns if of_numbers(one) and one.categories is None), key=lambda one: one.bounds is None)
    groups = [one for one in columns if len(_categories(one)) > 1]
    found: dict[str, str] = {}
    if numbers:
        name, bounds = identifier(numbers[0].name), numbers[0].bounds
        found["Average"] = f"SELECT avg({name}) FROM data"
        found["Median"] = f"SELECT median({name}) FROM data"
        found["Middle half"] = f"SELECT quantile_cont({name}, 0.75) - quantile_cont({name}, 0.25)\nFROM data"
        if bounds is not None:
            middle = f"{(bounds[0] + bounds[1]) / 2:.3g}"
            found["Rows above a value"] = f"SELECT count(*) FROM data WHERE {name} > {middle}"
            found["Share above a value"] = f"SELECT avg(CASE WHEN {name} > {middle} THEN 1 ELSE 0 END) FROM data"
    if groups:
        name, word = identifier(groups[0].name), _categories(groups[0])[-1]
        literal = f"{word:.17g}" if isinstance(word, float) else "'" + word.replace("'", "''") + "'"
        found["Share in a category"] = f"SELECT avg(CASE WHEN {name} = {literal} THEN 1 ELSE 0 END) FROM data"
        found["Rows in each category"] = f"SELECT {name}, count(*) FROM data GROUP BY {name}"
        if numbers:
            found["Average in each category"] = f"SELECT {name}, avg({identifier(numbers[0].name)}) FROM data GROUP BY {name}"
    if len(numbers) > 1:
        first, second = (identifier(one.name) for one in numbers[:2])
        found["Correlation of two"] = f"SELECT corr({first}, {second}) FROM data"
        found["Ratio of sums"] = f"SELECT sum({first}) / nullif(sum({second}), 0) FROM data"
    return found


def _categories(column: Column) -> list[float | str]:
    return [category for category in column.categories or () if category != OTHER]
