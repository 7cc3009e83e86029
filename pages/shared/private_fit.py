"""An oracle that is fitted privately: what to ask for, what it costs and loses, and what holds afterwards.

Its ε and bins are in the address once the fit is asked for, as a scenario of its own; until then they lead to nothing.
"""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.types import from_an_answer, person_of
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.ledger.accounting import Line, Standing
from pages.experiment import preview
from pages.experiment.oracle_origin import AFTERWARDS, LOSES, asking, fits_an_oracle, moved, usual_bins
from pages.experiment.scenario import LEAST_EPSILON, Scenario
from pages.files.tables import Table
from pages.shared import private_choice
from pages.shared.escape import escaped
from pages.state import choosing
from pages.state.reach import reach_of
from pages.wording.sentences import plain

_MUCH = 0.25  # of a column's records that the noise puts into other bins: then the shape is hardly seen


def show(scenario: Scenario, table: Table) -> None:
    """Where the oracle has its options: a fit can be asked for, or why it need not or cannot; of a fit the way back."""
    if fits_an_oracle(scenario.target):
        st.button("Ask the question itself, without a fit", key="fit_leave", on_click=choosing.leave_fit)
        return
    st.markdown("**Fit the oracle privately**")
    if table.public:
        st.markdown(
            "This table is public, so no private fit is needed: its own rows can be the oracle. "
            "Pick “Rows of this table” as the oracle."
        )
    elif person_of(scenario.target) is not None:
        st.markdown("This is offered where each row is protected by itself. Here a person can have many rows.")
    else:
        _ask(scenario, table)


def _ask(scenario: Scenario, table: Table) -> None:
    st.markdown(
        "A histogram of each column of the question is released with noise, at an ε of its own, and may be published. Made-up "
        "tables are then drawn from it."
    )
    usual = max(LEAST_EPSILON, float(f"{private_choice.SHARE * scenario.epsilon:.3g}"))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        given = st.number_input(
            "ε of the fit",
            key="fit_epsilon",
            value=None,
            format="%g",
            width=150,
            placeholder=f"{usual:g}",
            help="What the fit costs, beside the answers that follow. Empty: a tenth of the answer's ε.",
        )
        epsilon = usual if given is None else given
        bins = st.number_input(
            "Bins of a column",
            key="fit_bins",
            value=None,
            step=1,
            width=150,
            placeholder=str(usual_bins(scenario.n, len(scenario.columns), epsilon)),
            help="Of each column of numbers; a column of categories has one bin each. More bins show more of the shape, and each "
            "has the same noise.",
        )
    try:
        fit = asking(scenario, table, epsilon, bins)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return
    st.markdown(f"{_noise(fit)} {LOSES}")
    st.markdown(AFTERWARDS)
    label = f"Fit it on the page Release, for ε = {fit.epsilon:g}"
    if st.button(label, key="fit_ask", icon=":material/query_stats:"):
        private_choice.open_release(scenario, fit)


def _noise(fit: Scenario) -> str:
    """What the noise does to the counts, beside how many records there are; and a warning where it drowns them."""
    target: Any = fit.target
    calibrated = preview.calibrated_worst_case(fit)
    assert calibrated is not None
    reach = reach_of(calibrated, target.answer(()))
    most = max(target.bins)
    said = f"The fit has {counted(f'{sum(target.bins):,}', ' counts')}."
    if isinstance(reach, float):
        near = counted(figure(reach), " rows")
        said += (
            f" 95 times in 100 the noise on a count is within ± {near}. {figure(fit.n / most)} would be in "
            f"each if {most:,} bins of a column were equally full."
        )
    share = moved(target, fit.n, calibrated.law.scale)
    if share < _MUCH:
        return said
    return f"{said} **That is too many bins for this ε**: the noise alone puts about {share:.0%} of the rows into other bins."


# What holds where an oracle was fitted privately, before a press and beside what is made up from it.


def before_the_press(scenario: Scenario, line: Line) -> None:
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


def note_on_explore(scenario: Scenario) -> None:
    """On Explore, where the oracle is such a fit."""
    if from_an_answer(scenario.oracle):
        st.markdown(
            ":material/query_stats: **The oracle is a private fit.** For the table that it was fitted to, noise that is "
            "sized by trials has no guarantee. A proved worst case keeps its own, so it is shown where there is one."
        )
