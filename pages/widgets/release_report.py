"""The report of releases on the page Release: which answers it has, who released them, and its files."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import streamlit as st

from dpcore.errors import DpcoreError
from pages import address, state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.exports import release_report
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.ledger.entry import Entry
from pages.widgets.controls import keep_entries, while_open
from pages.widgets.share import download

_ALL = "all answers about this table"
_LONGEST = 80  # characters of a name
_ABOUT = (
    "One file to print or to send. It opens in any browser, loads nothing and sends nothing. Of a confidential table it holds "
    "only private answers and your declarations."
)
_LINK = "Open {what} in the app. The link holds settings and no data."


def of_releases(book: Book, table: Table) -> None:
    """Show the report's box if anything was asked of the table in this browser, or its ledger was loaded."""
    entries = tuple(entry for entry in book.entries if entry.digest == book.name_of(table))
    if not entries and not book.ledger(table).lines:
        return
    box = st.popover("Report", key="report", on_change="rerun", icon=":material/description:")
    while_open(box, lambda: _show(book, table, entries))


def how_made(entry: Entry) -> str:
    """Return how the noise of an answer was sized, as Markdown."""
    return escaped(release_report.how_made(entry))


def _show(book: Book, table: Table, entries: Sequence[Entry]) -> None:
    st.markdown(_ABOUT)
    which, who = {_ALL: entries}, ""
    of = _ALL
    if entries:
        keep_entries("report_of", "report_who")
        which |= {_name(number, entry): (entry,) for number, entry in enumerate(entries, 1)}
        of = st.selectbox("Of", list(which), key="report_of", format_func=escaped) if len(entries) > 1 else _ALL
        who = st.text_input(
            "Who released this? (optional)",
            key="report_who",
            max_chars=_LONGEST,
            placeholder="name or office",
            help="The report names this person or office as the one who chose the questions and the oracle.",
        )
    chosen = which[of]
    try:
        content = release_report.release_report(book, table, chosen, who=" ".join((who or "").split()), links=_links(chosen))
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    download("Download the report", content, "report.html", "text/html", "report_file")
    if any(entry.release is not None for entry in chosen):
        download("Answers as JSON", release_report.releases_as_json(chosen), "releases.json", "application/json", "report_json")


def _links(entries: Sequence[Entry]) -> list[tuple[str, str]]:
    """Return a link to each question, and one to the list of questions if an answer is from it."""
    found = []
    for number, entry in enumerate(release_report.in_order(entries), 1):
        if entry.about.settings is not None:
            with suppress(DpcoreError, TypeError):  # of a kind that is gone or from outside dpcore, or too long
                scenario = Scenario.from_json(entry.about.settings)
                found.append((_LINK.format(what=f"question {number}"), address.link_to(scenario)))
    if any(entry.of_list for entry in entries):
        with suppress(DpcoreError, TypeError):
            link = address.link_to(state.scenario(), "release", with_list=True)
            found.append((_LINK.format(what="the list of questions"), link))
    return found


def _name(number: int, entry: Entry) -> str:
    return f"{number}. {entry.about.question}{'' if entry.release is not None else ' (failed)'}"
