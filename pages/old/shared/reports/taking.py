"""The way to a report: the file; on Release also of what, and who made it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from pages.experiment.scenario import Scenario
from pages.files.tables import Table
from pages.ledger.book import Book
from pages.ledger.entry import Entry
from pages.old.reports.document import Block, Report, Section, Text
from pages.old.reports.document import Table as Rows
from pages.old.reports.html import html
from pages.old.shared.escape import escaped
from pages.old.shared.reports import covered, noise, release, spent, view
from pages.old.shared.widgets import hold, while_open
from pages.old.state import address
from pages.old.wording.sentences import plain

# The report of a ledger whose responses are not in this browser's book, as after it was loaded from a file.


def _of_a_loaded_ledger(book: Book, table: Table) -> Report:
    """Every line with its answer and its own guarantee, and what all have spent."""
    name = table.title or table.name
    lines = [line for line in book.ledger(table).lines if line.responded]
    rows = tuple((line.about or line.target, line.answer or "none", words.name(line.guarantee)) for line in lines)
    blocks: tuple[Block, ...] = (
        Rows(("question", "answer", "its guarantee by itself"), rows, "All lines of the ledger"),
        Text("What an answer was asked with, and its chart, are in the report that was made where it was released.", small=True),
    )
    random = any(line.gamma for line in lines)
    sections = (Section("What was published?", blocks), spent.spent(book, table), covered.glossary(random=random))
    return Report(f"What was published of {name}", f"{name}.", sections, view.made_on(), book.incomplete(table))


_ALL = "all answers about this table"
_LONGEST = 80  # characters of a name
_ABOUT = (
    "One file to print or to send. It opens in any browser, loads nothing and sends nothing. Of a confidential table it holds "
    "private answers only."
)
Make = Callable[[], Report]


def of_releases(book: Book, table: Table) -> None:
    """Where anything was asked of this table in this browser, or its ledger was loaded."""
    entries = tuple(entry for entry in book.entries if entry.digest == book.name_of(table))
    if not entries and not book.ledger(table).lines:
        return
    box = st.popover("Report", key="report", on_change="rerun", icon=":material/description:")
    while_open(box, lambda: _of_what(book, table, entries))


def _of_what(book: Book, table: Table, entries: tuple[Entry, ...]) -> None:
    """Of which answers a report is to be, and who made it."""
    st.markdown(_ABOUT)
    if not entries:
        _file(partial(_of_a_loaded_ledger, book, table))
        return
    hold("report_of", "report_who")
    which = {_ALL: entries} | {_name(number, entry): (entry,) for number, entry in enumerate(entries, 1)}
    of = st.selectbox("Of", list(which), key="report_of", format_func=escaped) if len(entries) > 1 else _ALL
    who = st.text_input(
        "Who made this release? (may stay empty)",
        key="report_who",
        max_chars=_LONGEST,
        placeholder="name or office",
        help="It stands in the report as whoever chose the question and the oracle.",
    )
    by = " ".join((who or "").split())
    _file(partial(release.report, book, table, which[of], who=by, links=_links(which[of])))


def of_a_page(make: Make) -> None:
    """What a page shows, under its link."""
    st.markdown(f"**A report of this page.** {_ABOUT}")
    _file(make)


def _file(make: Make) -> None:
    try:
        content = html(make())
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    st.download_button(
        "Download the report",
        content,
        "report.html",
        "text/html",
        key="report_file",
        on_click="ignore",
        icon=":material/download:",
        help="If your browser cannot write the file, as on a full disk, nothing is lost here: make room and press again.",
    )


def _links(entries: tuple[Entry, ...]) -> noise.Links:
    """To each question; to the list that is there, where some are of one."""
    found = []
    for number, entry in enumerate(entries, 1):
        if entry.about.settings is not None:
            with suppress(DpcoreError):  # of a kind that is gone
                scenario = Scenario.from_json(entry.about.settings)
                found.append((f"Open question {number} in the app. The link holds settings and no data.", address.of(scenario)))
    if any(entry.of_list for entry in entries):
        found.append(("Open the list of questions in the app. The link holds settings and no data.", address.whole()))
    return tuple(found)


def _name(number: int, entry: Entry) -> str:
    return f"{number}. {entry.about.question}{'' if entry.release is not None else ' (failed)'}"
