"""The privacy boundary, made visible: what a chart or a number was made from."""

from __future__ import annotations

import streamlit as st


def public_draws() -> None:
    """Only the oracle's draws: nothing depends on a table."""
    st.markdown(":small[:material/public: *public draws: may be shown*]")


def simulated() -> None:
    """A table drawn from the oracle in place of the confidential one."""
    st.markdown(":small[:material/science: *simulated table: may be shown*]")


def simulated_after_a_look() -> None:
    """The same, where the confidential table was looked at before."""
    st.markdown(
        ":small[:material/visibility: *simulated table, but you looked at yours: settings chosen in view of it can tell of it*]"
    )


def public_table() -> None:
    """A public table's own answer, with simulated noise."""
    st.markdown(":small[:material/public: *public table, simulated noise: may be shown*]")


def not_covered() -> None:
    """A response whose choices were made in view of the table."""
    st.markdown(":material/warning: **the noise is as printed, but choices made in view of the table are not covered**")


def no_guarantee() -> None:
    """A response that was chosen after an earlier one."""
    st.markdown(":material/gpp_bad: **no guarantee: asked after an earlier answer. Do not share it as a private release**")


def confidential() -> None:
    """Uses the confidential table."""
    st.markdown(
        ":material/lock: **uses the confidential table: do not publish**",
        help="What you choose in view of it is covered by no guarantee.",
    )


def private_release() -> None:
    """A proper release."""
    st.markdown(":material/verified_user: **private release: may be shared under the printed guarantee**")
