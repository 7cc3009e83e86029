"""What the chosen cap costs, in a paragraph."""

from __future__ import annotations

import streamlit as st

from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.words import figure, percent
from dpcore.workbench.contributions.dropped import dropped
from dpcore.workbench.contributions.remarks import remarks, remarks_on_bounds
from dpcore.workbench.contributions.split import split
from pages.components.escape import behind, escaped
from pages.components.people.caps_and_bounds import take_cap
from pages.session.contributions import Analysis
from pages.session.entry import question


def show(found: Analysis) -> None:
    """The error at this cap, what it is made of, the least one, and what is protected."""
    chosen, best = found.chosen, found.line.best
    total = chosen.errors.total
    body = [
        _truth(found), _kept(found), _causes(found), _least(found), _protected(found),
        *remarks(found.question.rows, (found.question.cap,)),
    ]  # fmt: skip
    if found.question.bounds is not None:
        body += remarks_on_bounds(found.question.rows, found.question.bounds)
    asked = escaped(question(found.scenario, found.table))
    st.markdown(f"# {asked}: off by about {_with_unit(found, total)}\n{' '.join(part for part in body if part)}")
    if best.cap != found.question.cap:
        st.button(
            f"Take s = {best.cap.rows:,}, the least error", key="take_best_cap", on_click=take_cap, args=(best.cap.rows,),
            icon=":material/south_east:",
        )  # fmt: skip


def _with_unit(found: Analysis, value: float) -> str:
    return counted(figure(value), behind(f" {found.unit}" if found.unit else ""))


def _truth(found: Analysis) -> str:
    """How large the error is beside the answer itself."""
    errors = found.chosen.errors
    if len(errors.truth) > 1:
        return "One private answer is expected to miss the true one by so much (root mean square, over all groups)."
    of = "of the made-up table" if found.simulated else "of the table"
    true, share = float(errors.truth[0]), float(errors.relative[0])
    by = "so much" if share != share else percent(share) if share < 1 else f"{figure(share)} times as much"  # it can be 0
    return (
        f"Without cap and noise, the answer {of} is {_with_unit(found, true)}. One private answer is expected to miss it by {by} "
        "(root mean square)."
    )


def _kept(found: Analysis) -> str:
    """What the cap leaves out."""
    question = found.question
    (lost,) = dropped(question.rows, (question.cap,), question.bounds)
    rows = "row counts" if question.cap.rows == 1 else "rows count"
    where = " in each group" if question.cap.a_group else ""
    if not lost.people:
        return f"Of each person at most {question.cap.rows:,} {rows}{where}: nobody has more, so nothing is dropped."
    return (
        f"Of each person at most {question.cap.rows:,} {rows}{where}: {percent(lost.rows)} of the rows and "
        f"{percent(lost.value)} of the value are dropped, from {percent(lost.people)} of the people."
    )


def _causes(found: Analysis) -> str:
    """The two largest causes of the error."""
    parts = split([found.chosen])
    named = {
        "dropped rows": parts.dropped,
        "values clipped from below": parts.clipped_low,
        "values clipped from above": parts.clipped_high,
        "noise": parts.noise,
        "which rows are kept": parts.salts,
        "the noise's pull on the mean": parts.from_noise,
    }
    large = sorted(((float(size[0]), name) for name, size in named.items()), reverse=True)[:2]
    said = [f"{name} {_with_unit(found, size)}" for size, name in large if size > 0]
    return f"It comes of {' and '.join(said)}." if said else ""


def _least(found: Analysis) -> str:
    best = found.line.best
    if best.cap == found.question.cap:
        return f"Of all s shown, s = {best.cap.rows:,} has the least error."
    return f"The least error is {_with_unit(found, best.errors.total)}, at s = {best.cap.rows:,}."


def _protected(found: Analysis) -> str:
    """Which guarantee this noise gives, and to whom."""
    privacy = found.scenario.privacy
    return (
        f"**One person is protected, with all rows of that person: {words.name(privacy)}**, for the noise here is sized to the "
        "proved worst case."
    )
