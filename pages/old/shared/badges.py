"""The privacy boundary, made visible: what a chart or a number was made from."""

from __future__ import annotations

import streamlit as st

from pages.files.tables import Table

PUBLIC_DRAWS = "public draws: may be published"
SIMULATED = "simulated table: may be published"
PUBLIC_TABLE = "public table, simulated noise: may be published"
NO_GUARANTEE = "no guarantee: counted apart from other answers about the same table. Do not publish it as a private answer"
CONFIDENTIAL = "uses the confidential table: do not publish"
PRIVATE = "private answer: may be published under the printed guarantee"

# three lights, each of a shape of its own, so that no meaning hangs on colour
_SHOWN, _WITH_CARE, _NEVER = ":green[:material/check_circle:]", ":orange[:material/warning:]", ":red[:material/block:]"
_LOOKS = {  # a badge of a chart is small; one of an answer, and one that warns, stands out
    PUBLIC_DRAWS: f":small[{_SHOWN} *{{}}*]",
    SIMULATED: f":small[{_SHOWN} *{{}}*]",
    PUBLIC_TABLE: f":small[{_SHOWN} *{{}}*]",
    NO_GUARANTEE: f"{_NEVER} **{{}}**",
    CONFIDENTIAL: f"{_NEVER} **{{}}**",
    PRIVATE: f"{_WITH_CARE} **{{}}**",
}


def show(words: str) -> None:
    """The badge with these words."""
    st.markdown(_LOOKS[words].format(words))


def legend() -> None:
    """What the three lights say."""
    st.markdown(
        f"- {_SHOWN} may be published: made from public draws, made-up tables or public tables\n"
        f"- {_WITH_CARE} only with its guarantee: a private answer\n"
        f"- {_NEVER} never: what uses the confidential table, or has no guarantee"
    )


def of_chart(table: Table) -> str:
    """The words of the badge of a chart, which a picture of it has too: what it was made from."""
    return PUBLIC_TABLE if table.public else SIMULATED
