"""What holds where an oracle was fitted privately, before a press and beside what is made up from it."""

from __future__ import annotations

import streamlit as st

from dpcore.base.types import from_an_answer
from dpcore.ledger.accounting import Line, Standing
from pages.experiment.oracle_origin import AFTERWARDS, LOSES, fits_an_oracle
from pages.experiment.scenario import Scenario
from pages.state import choosing


def before(scenario: Scenario, line: Line) -> None:
    """Before the press of a fit: what it loses and what holds afterwards. Before one that is sampled from a fit, and is the first
    about the table here: that the fit may have been made elsewhere."""
    if fits_an_oracle(scenario.target):
        said = f"**The fit is an answer about this table**, and it is charged as any other. {LOSES} {AFTERWARDS}"
        st.info(said, icon=":material/query_stats:")
        st.button("Ask the question itself, without a fit", key="fit_leave", on_click=choosing.leave_fit)
    elif line.drawn is not None and line.drawn.fitted and line.standing is Standing.FIXED:
        st.warning(
            "The oracle is a private fit. If it was fitted to this very table, in another tab or elsewhere, this answer "
            "has no guarantee: enter that release below first."
        )


def note(scenario: Scenario) -> None:
    """On Explore, where the oracle is such a fit."""
    if from_an_answer(scenario.oracle):
        st.markdown(
            ":material/query_stats: **The oracle is a private fit.** For the table that it was fitted to, noise that is "
            "sized by trials has no guarantee. A proved worst case keeps its own, so it is shown where there is one."
        )
