"""The heading of the page People: the question, its predicted error and its guarantee."""

from __future__ import annotations

import streamlit as st

from dpcore.base.facts import facts
from dpcore.guarantees import words
from pages.old.experiment.contributions.cap import Cap, remarks, remarks_on_bounds
from pages.old.shared.error_words import with_unit
from pages.old.shared.escape import escaped
from pages.old.state.contributions import Analysis
from pages.old.wording.question_words import question


def show(found: Analysis) -> None:
    """Show the question with its predicted error and its guarantee, and remarks on a public table."""
    st.markdown(f"# {_heading(found)}")
    said = [_made_up(found), _protected(found), _each_once(found), *_remarks(found)]
    with st.container(key="limits_people"):
        st.markdown(" ".join(part for part in said if part))


def _heading(found: Analysis) -> str:
    asked = escaped(question(found.scenario, found.table))
    as_rows = "as a number of rows " * facts(found.scenario.target).each_once
    return f"{asked}: {as_rows}off by about {with_unit(found, found.chosen.errors.total)}"


def _remarks(found: Analysis) -> list[str]:
    """Return remarks on the table; there are none on simulated people."""
    if found.simulated:
        return []
    asked = found.question
    said = list(remarks(asked.rows, [asked.cap] if isinstance(asked.cap, Cap) else []))
    return said if asked.bounds is None else [*said, *remarks_on_bounds(asked.rows, asked.bounds)]


def _made_up(found: Analysis) -> str:
    return "**All of this is about made-up people from the oracle, not about yours.**" * found.simulated


def _each_once(found: Analysis) -> str:
    """Of a number of people, from which no cap takes anything."""
    target = facts(found.scenario.target)
    if not target.each_once:
        return ""
    each = " in each of their groups" * bool(target.groups)
    few = "" if target.whole_numbers else f", but in part for who is in more than {target.groups_each}"
    return f"As a number of people it is off by its noise alone: each counts once{each}{few}. A larger s makes it one of rows."


def _protected(found: Analysis) -> str:
    """Which guarantee this noise gives, and to whom."""
    guarantee = words.name(found.scenario.privacy)
    return f"One person is protected, with all rows of that person: {guarantee}. The noise is sized to the proved worst case."
