"""Links, scripts and reports for the user to take away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from dpcore.errors import DpcoreError
from pages import address, jobs, state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.exports import ExportError, release_report
from pages.exports.report import report
from pages.exports.script import notebook, script_of, script_of_release
from pages.files.tables import Table
from pages.ledger import session as ledger
from pages.ledger.book import Book
from pages.ledger.entry import Entry
from pages.server.jobs import Job
from pages.widgets.controls import popover

_FILE = "made_with_dpcore"  # a name that no import of the script can find in place of dpcore
_ABOUT_SCRIPT = "**Script.** About 30 lines of dpcore that give the same k, Δ̂ and noise"
_RELEASED = " without this app. They release the answer of a simulated table, because they hold no confidential row."
_LONGEST = 80  # characters of a name


def show_scenario(scenario: Scenario, table: Table) -> None:
    """Show the link, the script and the report of the scenario on Explore.

    Args:
        scenario: The scenario.
        table: Its table.
    """
    link = show_link()
    shown = jobs.view(scenario, table)
    if isinstance(shown, Job):
        st.markdown("Script and report are here once all pairs are sampled.")
        return
    _show_code(lambda: script_of(shown), f"{_ABOUT_SCRIPT}.", "shown")
    st.markdown("**Report.** One file with the charts, which opens without a network and prints on two pages.")
    make = partial(report, shown, link=link, day=datetime.now(UTC).date())
    _download("Report", make, "what-privacy-costs.html", "text/html", "share_report")


def show_link(page: str = "") -> str:
    """Show the link to a page, or why it cannot be made.

    Args:
        page: Name of the page in the address.

    Returns:
        The link, or an empty text.
    """
    try:
        link = address.link_to(state.scenario(), page)
    except DpcoreError as error:
        st.markdown(escaped(plain(error)))
        return ""
    st.markdown("**Link.** It opens this page with all settings and the seed. It holds no data.")
    st.code(link, language=None, wrap_lines=True)
    return link


def show_released(entry: Entry) -> None:
    """Show a box with the script of a release.

    Args:
        entry: The release.
    """
    popover(
        "Code",
        f"code_{entry.key}",
        "code",
        partial(_show_code, partial(script_of_entry, entry), _ABOUT_SCRIPT + _RELEASED, entry.key),
    )


def script_of_entry(entry: Entry) -> str:
    """Return the script of a release in this session."""
    settings = entry.about.settings
    table = None if settings is None else state.tables().get(settings["table"])
    return script_of_release(entry, table, ledger.book().entries)


def _show_code(make: Callable[[], str], about: str, key: str) -> None:
    """Show a script and its notebook to download, or the reason if they cannot be made."""
    try:
        code = make()
    except DpcoreError as error:
        st.markdown(escaped(f"A script cannot be made. {error}" if isinstance(error, ExportError) else plain(error)))
        return
    st.markdown(about)
    with st.container(horizontal=True):
        _download("Script", code, f"{_FILE}.py", "text/x-python", f"script_{key}")
        _download("Notebook", notebook(code), f"{_FILE}.ipynb", "application/x-ipynb+json", f"notebook_{key}")


def _download(label: str, content: str | Callable[[], str], file: str, kind: str, key: str) -> None:
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")


def show_report(book: Book, table: Table) -> None:
    """Show a popover with the report of the answers about a table, if there are any."""
    entries = tuple(entry for entry in book.entries if entry.digest == book.name_of(table))
    if entries:
        popover("Report", "report", "description", partial(_report, book, table, entries))


def _report(book: Book, table: Table, entries: tuple[Entry, ...]) -> None:
    st.markdown(
        "One file to print or to send. It opens in any browser, loads nothing and sends nothing. About a confidential table it "
        "holds only private answers and your declarations."
    )
    who = st.text_input(
        "Who released this? (optional)",
        key="report_who",
        max_chars=_LONGEST,
        placeholder="name or office",
        help="The report names this person or office as the one who chose the questions and the oracle.",
        persist_state="session",
    )
    try:
        content = release_report.release_report(book, table, entries, who=" ".join((who or "").split()))
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    _download("Download the report", content, "report.html", "text/html", "report_file")
    if any(entry.release is not None for entry in entries):
        _download("Answers as JSON", release_report.releases_as_json(entries), "releases.json", "application/json", "report_json")
