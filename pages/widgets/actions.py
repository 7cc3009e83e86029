"""The buttons Pin, Present, Share and Release of Explore."""

from __future__ import annotations

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
from pages.exports.script import script_of
from pages.files.tables import Table
from pages.releasing import current_list
from pages.server.jobs import Job
from pages.server.page_list import link_to
from pages.widgets import present
from pages.widgets.controls import while_open
from pages.widgets.share import download, show_code

_FILE = "what-privacy-costs"
_ABOUT_SCRIPT = "**Script.** About 30 lines of dpcore that give the same k, Δ̂ and noise."


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
    show_code(lambda: script_of(shown), _ABOUT_SCRIPT, "shown")
    st.markdown("**Report.** One file with the charts, which opens without a network and prints on two pages.")
    download("Report", partial(_report, shown, link), f"{_FILE}.html", "text/html", "share_report")


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


def _report(shown: View, link: str) -> str:
    return report(shown, link=link, day=datetime.now(UTC).date())
