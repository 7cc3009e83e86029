"""The report of what Explore shows."""

from __future__ import annotations

from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.reports.document import Edition, Report
from pages.shared.pins import side_by_side
from pages.shared.reports import taking, view
from pages.state import address, ledger, pins
from pages.state.view import view as view_of


def of_explore(scenario: Scenario, table: Table, places: tuple[str, ...]) -> None:
    """Made of the view that may be shared, or of the one that its holder sees."""

    def make(edition: Edition) -> Report:
        shown = view_of(scenario, table, to_share=edition is Edition.SHARING)
        beside = side_by_side.rows(shown, to_share=edition is Edition.SHARING) if pins.kept_pins() else []
        return view.report(shown, edition, looked=ledger.looked_at(table), link=address.whole(places), beside=beside)

    taking.of_a_page(make, table)
