"""What the chosen cap, or the limit of totals, costs, in a paragraph: the error, what it is made of, and what does better."""

from __future__ import annotations

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.facts import facts
from dpcore.guarantees import words
from dpcore.guarantees.words import percent
from pages.old.experiment.contributions.cap import Cap, Keeping, remarks, remarks_on_bounds
from pages.old.experiment.contributions.limit import Limit, taken
from pages.old.experiment.contributions.parts import dropped
from pages.old.people import advice
from pages.old.shared.error_words import causes, truth, with_unit
from pages.old.shared.escape import escaped
from pages.old.state.contributions import Analysis
from pages.old.wording.question_words import question


def show(found: Analysis) -> None:
    """What is asked and how far off it is; whose rows these are, and who is protected."""
    st.markdown(f"# {sentences(found)[0]}")
    with st.container(key="limits_people"):
        st.markdown(" ".join(part for part in (_made_up(found), _protected(found), _each_once(found)) if part))


def sentences(found: Analysis) -> tuple[str, list[str]]:
    """A heading, and what stands under it."""
    total = found.chosen.errors.total
    body = [_each_once(found), _made_up(found), truth(found), _left_out_words(found), causes(found)]
    body += [advice.on_cap(found).sentence, advice.on_other_way(found), _protected(found)]
    if not found.simulated:  # of made-up people there is nothing to mend
        body += remarks(found.question.rows, [cap for cap in (found.question.cap,) if isinstance(cap, Cap)])
    if not found.simulated and found.question.bounds is not None:
        body += remarks_on_bounds(found.question.rows, found.question.bounds)
    asked = escaped(question(found.scenario, found.table))
    off = f"{'as a number of rows ' * facts(found.scenario.target).each_once}off by about {with_unit(found, total)}"
    return f"{asked}: {off}", [part for part in body if part]


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


def _left_out_words(found: Analysis) -> str:
    """What the cap leaves out."""
    question, cap = found.question, found.question.cap
    if isinstance(cap, Limit):
        return _clipped_words(found, cap)
    (lost,) = dropped(question.rows, (cap,), question.bounds)
    rows = counted(cap.rows, " rows")
    most = f"at most {rows} in each of at most {counted(cap.groups, ' groups')}" if cap.groups is not None else f"at most {rows}"
    counts = "counts" if rows == "1 row" else "count"
    if not lost.people:
        return f"Of each person {most} {counts}: nobody has more, so every row counts in full."
    what, of = f"{percent(lost.rows)} of the rows and {percent(lost.value)} of the value", f"{percent(lost.people)} of the people"
    if question.terms.keeping is Keeping.ROWS:
        return f"Of each person {most} {counts}: {what} do not count. They belong to {of}."
    return f"The rows of {of} count only in part: those of one person weigh {most}. So {what} are left out."


def _clipped_words(found: Analysis, limit: Limit) -> str:
    """What the limit takes away."""
    assert found.totals is not None
    lost = taken(found.totals, [limit])
    ends = " and ".join(with_unit(found, end) for end in (limit.low, limit.high) if end)
    between = f"between {ends}" if limit.low and limit.high else f"at {ends}"
    if not lost.people[0]:
        return f"Each person's total is clipped {between}. Nobody has a larger one, so nothing is lost."
    people, value = percent(float(lost.people[0])), percent(float(lost.value[0]))
    return f"Each person's total is clipped {between}. That clips {people} of the people, and {value} of the value is lost."


def _protected(found: Analysis) -> str:
    """Which guarantee this noise gives, and to whom."""
    guarantee = words.name(found.scenario.privacy)
    return f"One person is protected, with all rows of that person: {guarantee}. The noise is sized to the proved worst case."
