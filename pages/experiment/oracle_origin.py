"""The origin of an oracle: proposed by the app, made from a public table, or chosen by the user."""

from __future__ import annotations

from enum import Enum

from dpcore.base.types import Oracle, Target, takes_fields
from pages.experiment.choices import usual_oracle
from pages.experiment.question import oracle_of_fields
from pages.experiment.scenario import Scenario, TableRecords, plain_form
from pages.files.tables import Table


class OracleOrigin(Enum):
    """The origin of an oracle.

    ``PROPOSED``: the app proposes it from declarations. ``OF_THE_TABLE``: it is made of the rows of a public table.
    ``BY_HAND``: any other oracle.
    """

    PROPOSED = "proposed"
    OF_THE_TABLE = "of the table"
    BY_HAND = "by hand"


def first_oracle(table: Table, target: Target, columns: tuple[str, ...]) -> Oracle | TableRecords:
    """Return the oracle that the app proposes.

    Args:
        table: The table.
        target: The target.
        columns: The columns that the target takes.
    """
    if takes_fields(target):
        return oracle_of_fields(table, target, {})
    return usual_oracle(table, table.taken(columns, target))


def origin_of(scenario: Scenario, table: Table) -> OracleOrigin:
    """Return the origin of a scenario's oracle."""
    oracle = scenario.oracle
    if isinstance(oracle, TableRecords):
        return OracleOrigin.OF_THE_TABLE
    proposed = first_oracle(table, scenario.target, scenario.columns)
    return OracleOrigin.PROPOSED if _is_same(proposed, oracle) else OracleOrigin.BY_HAND


def _is_same(first: Oracle | TableRecords, second: Oracle) -> bool:
    if type(first) is not type(second):
        return False
    try:
        return bool(plain_form(first) == plain_form(second))
    except TypeError:  # an oracle of the user's own
        return False
