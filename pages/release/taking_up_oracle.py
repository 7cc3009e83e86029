"""Under a response that an oracle can be made of: the button that draws from it from now on."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpcore.workbench.scenario import Scenario
from pages.experiment.private_fit import AFTERWARDS, fits_an_oracle
from pages.release.taking_up import pressed, table_of
from pages.shared.receipt import WORST
from pages.state import fitting, ledger, state
from pages.state.entry import Entry

_TAKEN = (
    "Made-up tables are now drawn from the private fit. Look at them on Explore. Release with noise that is sized to "
    "the worst case, where one is proved: noise that is sized by trials from the fit has no guarantee for this table."
)


def show(entry: Entry) -> None:
    """Nothing under a response that is no fit."""
    fit = pressed(entry)
    if fit is None or entry.release is None or not fits_an_oracle(fit.target):
        return
    st.markdown(AFTERWARDS)
    st.button(
        "Draw made-up tables from this from now on",
        key=f"take_up_fit_{entry.ticket}",
        icon=":material/check:",
        on_click=partial(_take_up, entry, fit, entry.release.response),
    )


def _take_up(entry: Entry, fit: Scenario, response: Any) -> None:
    st.session_state["notices"] = []
    table = table_of(entry, fit)
    found = None if table is None else fitting.taken_up(fit, table, response)
    if found is not None:
        state.anew(found)
        ledger.choose_way(found, WORST)
        state.say(_TAKEN)
