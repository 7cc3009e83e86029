"""Where an oracle comes from."""

from __future__ import annotations

from enum import Enum

from dpcore.base.types import Oracle, Target, takes_fields
from pages.experiment.choices import usual_oracle
from pages.experiment.question import oracle_of_fields
from pages.experiment.scenario import Scenario, TableRecords, plain_form
from pages.files.tables import Table


class OracleOrigin(Enum):
    """``PROPOSED``: as the app offers it first, from declarations alone. ``OF_THE_TABLE``: made of a public table's own records.
    ``BY_HAND``: any other."""

    PROPOSED = "proposed"
    OF_THE_TABLE = "of the table"
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
    proposed = first_oracle(table, scenario.target, scenario.columns)
    return OracleOrigin.PROPOSED if _alike(proposed, oracle) else OracleOrigin.BY_HAND


def _alike(first: Oracle | TableRecords, second: Oracle) -> bool:
    if type(first) is not type(second):
        return False
    try:
        return bool(plain_form(first) == plain_form(second))
    except TypeError:  # one that is in no catalogue
        return False
