"""The buttons Pin, Present, Share and Release of Explore."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from dpcore.errors import DpcoreError
from pages import address, jobs, pins
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.experiment.view import View, view
from pages.exports.report import report
from pages.exports.script import notebook, script_of
from pages.files.tables import Table
from pages.releasing import current_list
from pages.server.jobs import Job
from pages.server.page_list import link_to
from pages.widgets import present
from pages.widgets.controls import while_open

_FILE = "what-privacy-costs"
_SCRIPT = "made_with_dpcore"  # a name that no import of the script can find in place of dpcore


def show(scenario: Scenario, table: Table) -> None:
    """Show the buttons.

    Args:
        scenario: The scenario that is shown.
        table: Its table.
    """
    st.button("Pin", key="pin", on_click=pins.pin, help="Keep this scenario to compare it with others.")
    st.button("Present", key="present_start", on_click=present.start, help="Large type, one chart at a time.")
    box = st.popover("Share", key="share", on_change="rerun", icon=":material/share:")
    while_open(box, partial(_share, scenario, table))
    if st.button("**Release**", key="to_release"):
        current_list.add(table, scenario)
        st.switch_page(link_to("release"))


def _share(scenario: Scenario, table: Table) -> None:
    link = _link(scenario)
    question = jobs.question(scenario, table)
    drawn = jobs.draws(question, scenario.m)
    if isinstance(drawn, Job):
        st.markdown("Script and report are here once all pairs are sampled.")
        return
    shown = view(scenario, question, drawn)
    _code(shown)
    st.markdown("**Report.** One file with the charts, which opens without a network and prints on two pages.")
    _download("Report", partial(_report, shown, link), f"{_FILE}.html", "text/html")


def _link(scenario: Scenario) -> str:
    """Show the link, or why it cannot be made. Return it, or an empty text."""
    try:
        link = address.link_to(scenario)
    except TypeError:
        st.markdown("A link can only hold targets, oracles and mechanisms of dpcore. This scenario has another one.")
        return ""
    except DpcoreError as error:
        st.markdown(escaped(plain(error)))
        return ""
    st.markdown("**Link.** It holds all settings and the seed, and no data.")
    st.code(link, language=None, wrap_lines=True)
    return link


def _code(shown: View) -> None:
    try:
        code = script_of(shown)
    except DpcoreError as error:
        st.markdown(escaped(plain(error)))
        return
    st.markdown("**Script.** About 30 lines of dpcore that give the same k, Δ̂ and noise.")
    with st.container(horizontal=True):
        _download("Script", code, f"{_SCRIPT}.py", "text/x-python")
        _download("Notebook", notebook(code), f"{_SCRIPT}.ipynb", "application/x-ipynb+json")


def _download(label: str, content: str | Callable[[], str], file: str, kind: str) -> None:
    key = f"share_{label.lower()}"
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")


def _report(shown: View, link: str) -> str:
    return report(shown, link=link, day=datetime.now(UTC).date())
