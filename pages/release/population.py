"""On Release: the holder's word that a table is a random sample, and then the interval for the population beside its answers."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.files.tables import Table
from pages.shared.escape import escaped, table
from pages.shared.widgets import control
from pages.state import ledger, population
from pages.state.release_entry import Entry

_WORD = "This table is a random sample"
_HELP = (
    "Tick it only if each row was drawn at random from a much larger population, or drawn and put back. Then a released mean or "
    "share gets an interval for the population. It is made of released numbers alone, so it costs nothing. Of rows that came as "
    "they came, such as one hospital's patients, it would say something wrong."
)
_WHOM = "A random sample of"


def show_word(shown: Table) -> None:
    """The checkbox where there is an answer about the table, and once it is ticked of whom."""
    samples, digest = ledger.book().samples, shown.digest
    if all(entry.digest != digest for entry in ledger.book().entries):
        return
    alias = ledger.alias(digest)
    control(
        st.checkbox,
        _WORD,
        key=f"sample_{alias}",
        holds=digest in samples,
        act=partial(_keep_word, digest),
        help=_HELP,
    )
    if digest in samples:
        control(
            st.text_input,
            _WHOM,
            key=f"sample_of_{alias}",
            holds=samples[digest],
            act=partial(_keep_whom, digest),
            max_chars=population.LONGEST,
            placeholder="which population? (may stay empty)",
        )


def _keep_word(digest: str, ticked: bool) -> None:
    samples = ledger.book().samples
    if ticked:
        samples.setdefault(digest, "")
    else:
        samples.pop(digest, None)


def _keep_whom(digest: str, whom: str | None) -> None:
    ledger.book().samples[digest] = " ".join((whom or "").split())


def show(told: population.Told | None, key: str) -> None:
    """Under an answer; nothing where it is no mean and no share, or nobody said that the table is a sample."""
    if told is None:
        return
    if told.rows:
        st.markdown(f"**{escaped(told.title)}**")
        table(list(told.rows), f"population-{key}")
    st.markdown(f":small[{escaped(' '.join(told.says))}]")


def of(entry: Entry) -> tuple[population.Told | None, ...]:
    """For each question of a response."""
    return population.for_population(entry, ledger.book())
