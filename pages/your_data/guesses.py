"""What a holder guesses of a confidential table without a look at it: typed, and never filled in from the table."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.workbench.guesses import Guesses
from pages.shared.escape import escaped
from pages.shared.held import drop, hold
from pages.wording.sentences import plain

_KEYS = ("guess_rows", "guess_known")


def forget() -> None:
    """Another file: what was guessed of the last one does not hold for it."""
    drop(*_KEYS)


def set_to(guesses: Guesses) -> None:
    """The guesses that stand in settings, before they are asked for."""
    forget()
    known = None if guesses.known is None else round(100 * guesses.known, 6)
    st.session_state.update(guess_rows=guesses.rows, guess_known=known)


def ask(*, people: bool) -> Guesses:
    """The holder's guesses; of what was left open none."""
    hold(*_KEYS)
    what = "Two guesses, if you can make them" if people else "A guess, if you can make it"
    st.markdown(
        f"**{what} without a look at the table.** How far off a mean will be hangs on how many values it is of, which is not "
        "public. With a guess the ± is foretold in a narrower range. No guarantee rests on a guess."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        rows = _rows() if people else None
        known = st.number_input(
            "Of 100 values, how many are known?",
            1.0,
            100.0,
            value=None,
            key="guess_known",
            format="%.4g",
            width=260,
            help="Of a column with missing values, about how many of 100 are there.",
        )
    try:
        return Guesses(rows, None if known is None else known / 100)
    except DpcoreError as error:
        st.error(escaped(plain(error)))
        return Guesses()


def _rows() -> float | None:
    said: float | None = st.number_input(
        "About how many rows has one person?",
        1.0,
        100_000.0,
        value=None,
        key="guess_rows",
        format="%.4g",
        width=260,
        help="In the mean over people. Every question about people begins by counting so many rows of each, and the oracle makes "
        "up people with as many.",
    )
    return said
