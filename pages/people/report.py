"""The report of what the page People shows: what keeping some rows of each person costs."""

from __future__ import annotations

from dpcore.workbench.contributions.by_size import by_size
from dpcore.workbench.contributions.dropped import dropped, rows_a_person
from dpcore.workbench.scenario import Scenario
from dpcore.workbench.tables import Table
from pages.charts import people
from pages.people import headline
from pages.reports.document import Edition, Notice, Report, Section, Text, Tone
from pages.shared.reports import taking
from pages.shared.reports.pictures import picture
from pages.shared.reports.view import NOTHING, ends, made_on, said, warnings
from pages.state import address, ledger
from pages.state.contributions import Analysis, analysis
from pages.wording.question_words import question


def of_people(scenario: Scenario, table: Table, places: tuple[str, ...]) -> None:
    """Made of the prediction that may be shared, or of the one that its holder sees; nothing where there is none."""
    if table.persons is None or isinstance(analysis(scenario, table, to_share=True), str):
        return

    def make(edition: Edition) -> Report:
        found = analysis(scenario, table, to_share=edition is Edition.SHARING)
        assert not isinstance(found, str)
        return _report(found, edition, looked=ledger.looked_at(table), link=address.whole(places))

    taking.of_a_page(make, table)


def _report(found: Analysis, edition: Edition, *, looked: bool, link: str) -> Report:
    """Of an analysis that was made for the edition."""
    table, asked = found.table, found.question
    heading, body = headline.sentences(found)
    before = (Notice(NOTHING, Tone.GOOD), *warnings(public=table.public, simulated=found.simulated, looked=looked))
    sections = [
        Section("What is this?", before),
        Section("How far off would an answer be?", said(heading, body)),
    ]
    (lost,) = dropped(asked.rows, (asked.cap,), asked.bounds)
    of_caps = [row[0] for row in found.line.table]
    sections += [
        Section("How many rows has each person?", (picture(people.rows_a_person(rows_a_person(asked.rows), asked.cap, lost)),)),
        Section(
            "How many rows of each person should count?",
            (picture(people.error_by_cap(of_caps, asked.cap.rows, unit=found.unit)), Text(people.ADDS_UP, small=True)),
        ),
    ]
    if asked.pairs is not None:
        drawn = people.bounds_and_caps(found.map, found.place, unit=found.unit)
        sections.append(Section("And between which bounds?", (picture(drawn, 400),)))
    if found.groups:
        sections.append(
            Section("Which groups are told well?", (picture(people.by_size(by_size(asked.rows, found.chosen), found.groups)),))
        )
    return Report(
        f"What each person's rows cost: {question(found.scenario, table)}",
        f"{table.title or table.name}.",
        edition,
        (*sections, ends(link)),
        made_on(),
    )
