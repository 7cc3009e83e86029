"""Badges that say what a chart or a number was made from, and whether it may be published."""

from __future__ import annotations

import streamlit as st

from pages.files.tables import Table

SIMULATED = "simulated table: may be published"
PUBLIC_TABLE = "public table, simulated noise: may be published"
NO_GUARANTEE = "no guarantee: counted apart from other answers about the same table. Do not publish it as a private answer"
CONFIDENTIAL = "uses the confidential table: do not publish"
PRIVATE = "private answer: may be published under the printed guarantee"

# Each light has its own shape, so no meaning depends on colour.
_YES, _NEVER = ":green[:material/check_circle:]", ":red[:material/block:]"
_LOOKS = {
    SIMULATED: f":small[{_YES} *{{}}*]",
    PUBLIC_TABLE: f":small[{_YES} *{{}}*]",
    NO_GUARANTEE: f"{_NEVER} **{{}}**",
    CONFIDENTIAL: f"{_NEVER} **{{}}**",
    PRIVATE: f"{_YES} **{{}}**",
}


def show(words: str) -> None:
    """Show the badge with these words."""
    st.markdown(_LOOKS[words].format(words))


def of_chart(table: Table) -> str:
    """Return the words of the badge of a chart."""
    return PUBLIC_TABLE if table.public else SIMULATED
