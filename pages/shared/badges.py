"""The privacy boundary, made visible: what a chart or a number was made from."""

from __future__ import annotations

import streamlit as st

from pages.files.tables import Table
from pages.shared.widgets import control
from pages.state import ledger, state
from pages.state.view import Shown

PUBLIC_DRAWS = "public draws: may be published"
SIMULATED = "simulated table: may be published"
LOOKED = "simulated table, but you looked at yours: settings chosen in view of it can tell of it"
PUBLIC_TABLE = "public table, simulated noise: may be published"
NOT_COVERED = "the noise is as printed, but choices made in view of the table are not covered"
NO_GUARANTEE = "no guarantee: asked after an earlier answer. Do not publish it as a private answer"
CONFIDENTIAL = "uses the confidential table: do not publish"
PRIVATE = "private answer: may be published under the printed guarantee"


def of_response(*, covered: bool, caveats: bool) -> str:
    """The words of the badge of a response."""
    if covered:
        return PRIVATE
    return NOT_COVERED if caveats else NO_GUARANTEE


# three lights, each of a shape of its own, so that no meaning hangs on colour
_SHOWN, _WITH_CARE, _NEVER = ":green[:material/check_circle:]", ":orange[:material/warning:]", ":red[:material/block:]"
_LOOKS = {  # a badge of a chart is small; one of an answer, and one that warns, stands out
    PUBLIC_DRAWS: f":small[{_SHOWN} *{{}}*]",
    SIMULATED: f":small[{_SHOWN} *{{}}*]",
    LOOKED: f":small[{_WITH_CARE} *{{}}*]",
    PUBLIC_TABLE: f":small[{_SHOWN} *{{}}*]",
    NOT_COVERED: f"{_WITH_CARE} **{{}}**",
    NO_GUARANTEE: f"{_NEVER} **{{}}**",
    CONFIDENTIAL: f"{_NEVER} **{{}}**",
    PRIVATE: f"{_WITH_CARE} **{{}}**",
}
_HELP = {CONFIDENTIAL: "What you choose in view of it is covered by no guarantee."}


def show(words: str) -> None:
    """The badge with these words."""
    st.markdown(_LOOKS[words].format(words), help=_HELP.get(words))


def legend() -> None:
    """What the three lights say."""
    st.markdown(
        f"- {_SHOWN} may be published: made from public draws, made-up tables or public tables\n"
        f"- {_WITH_CARE} only with its guarantee, and with the warnings that stand there: a private answer\n"
        f"- {_NEVER} never: what uses the confidential table, or has no guarantee"
    )


# The switch behind which a confidential table itself is looked at.


def show_comparison(table: Table) -> None:
    """It looks the same wherever its effect is seen."""
    control(
        st.toggle,
        "Compare with the table",
        key="compare",
        holds=state.compared(table.name),
        act=lambda on: ledger.compare(table, on=on),
        help="Shows what the table itself says: its own answer, a regression's rows, how many rows its people have. It is "
        "for you alone. Whatever you then choose in view of it (target, oracle, bounds, ε, rows a person) is covered by no "
        "guarantee, and every later release of this table says so.",
    )


def boundary(table: Table) -> None:
    """What is shown of this table: the public one itself, a confidential one that is compared with, or a made-up one; and the
    switch between these."""
    with st.container(horizontal=True, vertical_alignment="center"):
        if not table.public:
            show_comparison(table)
        show(of_chart(table, simulated=not table.public and not state.compared(table.name)))


def of_chart(table: Table, *, simulated: bool) -> str:
    """The words of the badge of a chart, which a picture of it has too: what it was made from; and that its settings can have
    been chosen in view of a table that was looked at before."""
    if not simulated:
        return PUBLIC_TABLE if table.public else CONFIDENTIAL
    return LOOKED if ledger.looked_at(table) else SIMULATED


def whose(view: Shown, *, foretold: str = "", secret: str = CONFIDENTIAL) -> str:
    """Behind a number: whose answer it was made from, where that is not a public table's. ``foretold``: what stands there where
    no answer was looked at; ``secret``: what is said of a confidential table's own."""
    if not view.headline.of_this_answer:
        return ""
    if view.headline.rests_on:
        return foretold
    if view.headline.exact.simulated:
        return " (on a simulated table)"
    return f" ({secret})" if view.confidential else ""
