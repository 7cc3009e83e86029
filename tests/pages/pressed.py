"""What a click releases, without a page."""

from __future__ import annotations

from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.press import AskedLine, Press


def of_one(ticket: str, scenario: Scenario, table: Table, *, worst_case: bool) -> Press:
    """A list of one question, as it stands on a receipt."""
    return Press(ticket, (AskedLine(ticket, scenario, table, worst_case),))
