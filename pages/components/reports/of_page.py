"""Under Share, what else can be taken away of Explore and People: a report of what is shown."""

from __future__ import annotations

from dpcore.workbench.reports.document import Edition, Report
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.components.pins import side_by_side
from pages.components.reports import people, taking, view
from pages.session import address, ledger, pins
from pages.session.contributions import analysis
from pages.session.view import view as view_of


def of_explore(scenario: Scenario, table: Table, places: tuple[str, ...]) -> None:
    """Made of the view that may be shared, or of the one that its holder sees."""

    def make(edition: Edition) -> Report:
        shown = view_of(scenario, table, to_share=edition is Edition.SHARING)
        beside = side_by_side.rows(shown, to_share=edition is Edition.SHARING) if pins.kept() else []
        return view.report(shown, edition, looked=_looked(table), link=address.whole(places), beside=beside)

    taking.of_a_page(make, table)


def of_people(scenario: Scenario, table: Table, places: tuple[str, ...]) -> None:
    """The same of what people's rows cost; nothing where that is not predicted."""
    if table.persons is None or isinstance(analysis(scenario, table, to_share=True), str):
        return

    def make(edition: Edition) -> Report:
        found = analysis(scenario, table, to_share=edition is Edition.SHARING)
        assert not isinstance(found, str)
        return people.report(found, edition, looked=_looked(table), link=address.whole(places))

    taking.of_a_page(make, table)


def _looked(table: Table) -> bool:
    return not table.public and table.digest in ledger.book().looked
