"""The privacy boundary, made visible: what a chart or a number was made from."""

from __future__ import annotations

import streamlit as st

from pages.files.tables import Table
from pages.state import ledger, state

PUBLIC_DRAWS = "public draws: may be shown"
SIMULATED = "simulated table: may be shown"
LOOKED = "simulated table, but you looked at yours: settings chosen in view of it can tell of it"
PUBLIC_TABLE = "public table, simulated noise: may be shown"
NOT_COVERED = "the noise is as printed, but choices made in view of the table are not covered"
NO_GUARANTEE = "no guarantee: asked after an earlier answer. Do not share it as a private release"
CONFIDENTIAL = "uses the confidential table: do not publish"
PRIVATE = "private release: may be shared under the printed guarantee"


def of_response(*, covered: bool, caveats: bool) -> str:
    """The words of the badge of a response."""
    if covered:
        return PRIVATE
    return NOT_COVERED if caveats else NO_GUARANTEE


def public_draws() -> None:
    """Only the oracle's draws: nothing depends on a table."""
    st.markdown(f":small[:material/public: *{PUBLIC_DRAWS}*]")


def simulated_badge() -> None:
    """A table drawn from the oracle in place of the confidential one."""
    st.markdown(f":small[:material/science: *{SIMULATED}*]")


def simulated_after_a_look() -> None:
    """The same, where the confidential table was looked at before."""
    st.markdown(f":small[:material/visibility: *{LOOKED}*]")


def public_table() -> None:
    """A public table's own answer, with simulated noise."""
    st.markdown(f":small[:material/public: *{PUBLIC_TABLE}*]")


def not_covered() -> None:
    """A response whose choices were made in view of the table."""
    st.markdown(f":material/warning: **{NOT_COVERED}**")


def no_guarantee() -> None:
    """A response that was chosen after an earlier one."""
    st.markdown(f":material/gpp_bad: **{NO_GUARANTEE}**")


def confidential() -> None:
    """Uses the confidential table."""
    st.markdown(
        f":material/lock: **{CONFIDENTIAL}**",
        help="What you choose in view of it is covered by no guarantee.",
    )


def private_release() -> None:
    """A proper release."""
    st.markdown(f":material/verified_user: **{PRIVATE}**")


# The switch behind which a confidential table itself is looked at.


def show(table: Table) -> None:
    """It looks the same wherever its effect is seen."""
    st.session_state["compare"] = state.compared(table.name)
    st.toggle(
        "Compare with the table",
        key="compare",
        on_change=lambda: ledger.compare(table, on=st.session_state["compare"]),
        help="Shows what the table itself says: its own answer, a regression's records, how many rows its people have. It is "
        "for you alone. Whatever you then choose in view of it (target, oracle, bounds, ε, rows a person) is covered by no "
        "guarantee, and every later release of this table says so.",
    )


def boundary(table: Table) -> None:
    """What is shown of this table: the public one itself, a confidential one that is compared with, or a made-up one; and the
    switch between these."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if not table.public:
            show(table)
        badge(table, simulated=not table.public and not state.compared(table.name))


def badge(table: Table, *, simulated: bool) -> None:
    """What a chart was made from; and that its settings can have been chosen in view of a table that was looked at before."""
    {
        PUBLIC_TABLE: public_table,
        CONFIDENTIAL: confidential,
        LOOKED: simulated_after_a_look,
        SIMULATED: simulated_badge,
    }[said(table, simulated=simulated)]()


def said(table: Table, *, simulated: bool) -> str:
    """The words of that badge, which a picture of the chart has too."""
    if not simulated:
        return PUBLIC_TABLE if table.public else CONFIDENTIAL
    looked = ledger.looked_at(table)
    return LOOKED if looked else SIMULATED
