"""What one row of an upload is, and whether one person can have several: asked of its holder, never assumed."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from dpcore.guarantees.unit import LONGEST, ROW, Unit
from pages.shared.escape import escaped
from pages.shared.held import hold

NO, YES, NO_PERSONS = "No, one row is one person", "Yes", "The rows are not about persons"
_SEVERAL = {NO: False, YES: True, NO_PERSONS: None}


def forget() -> None:
    """Another file: what was answered for the last one does not hold for it."""
    st.session_state["several_rows"] = None
    st.session_state["unit_name"] = ""


def set_to(unit: Unit) -> None:
    """The answer that stands in settings, before the question is shown."""
    st.session_state["unit_name"] = "" if unit.name == ROW else unit.name
    said = next(words for words, several in _SEVERAL.items() if several is unit.several)
    st.session_state["several_rows"] = said if unit.answered else None


def ask() -> Unit | None:
    """The holder's answer as it stands, an open one too; None where the name is refused, in a sentence beside it."""
    hold("unit_name", "several_rows")
    st.markdown(
        "**What is one row?** A guarantee protects one row of the table, whoever it is about. So it matters how many rows one "
        "person can have."
    )
    with st.container(horizontal=True):
        name = st.text_input(
            "One row is one …",
            key="unit_name",
            placeholder=ROW,
            max_chars=LONGEST,
            width=240,
            help="A word in the singular, such as stay, patient or order. Every guarantee then names it.",
        )
        choice = st.radio("Can one person have several rows?", list(_SEVERAL), index=None, key="several_rows")
    try:
        unit = Unit((name or "").strip() or ROW, several=_SEVERAL.get(choice or ""), answered=choice is not None)
    except DpcoreError:
        st.error(f"This name cannot be shown. Take a word or a few, of at most {LONGEST} letters.")
        return None
    return unit


def say(unit: Unit, *, public: bool) -> None:
    """What the answer means for the guarantee, where no person has several rows."""
    if unit.answered:
        whose = "one person's row" if unit.several is False else f"one {escaped(unit.name)}"
        st.markdown(f"The guarantee will protect {whose}.")
    else:
        still = "A public table needs no answer." if public else ":material/help: **This question is still open.**"
        st.markdown(f"{still} Without an answer nothing is assumed: every guarantee says that only one row is protected.")
