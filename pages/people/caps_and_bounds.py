"""The sliders of the page People: how many rows count, between which bounds, and under how much noise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.bounds import Interval
from dpcore.base.counted import counted
from dpcore.guarantees import words
from dpcore.guarantees.words import figure, percent
from pages.experiment.contributions.asked import narrowed
from pages.experiment.contributions.cap import Keeping, remarks, remarks_on_bounds
from pages.experiment.contributions.parts import dropped
from pages.experiment.contributions.predict import split
from pages.experiment.question import asked_alone
from pages.shared import form, widgets
from pages.shared.escape import behind, escaped
from pages.state import state
from pages.state.contributions import Analysis
from pages.wording.question_words import question

CAP_GRID = [*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 700, 1_000]
_MOST_CAP = 1_000_000
_SHARES = (0.01, 0.02, 0.03, *(share / 20 for share in range(1, 21)))


def cap(found: Analysis) -> None:
    """s: how many rows of each person count."""
    st.markdown("## How many rows do people have?")
    where = " in each group" if found.question.cap.a_group else ""
    widgets.slider(
        "cap",
        f"Rows that a person counts for{where}, s",
        "s",
        CAP_GRID,
        found.question.cap.rows,
        partial(take_cap, found),
        form="%d",
        most=_MOST_CAP,
    )


def epsilon(found: Analysis) -> None:
    """ε of the answer."""
    st.markdown("## What does the cap cost?")
    widgets.epsilon(found.scenario.epsilon)


def bound(found: Analysis) -> None:
    """The bounds of the values, as far as they are narrower than declared."""
    st.markdown("## Which values count in full?")
    question = found.question
    if question.bounds is None or question.widest is None:
        st.markdown(f":small[Each row of a {question.asked.name} counts as 0 or 1, so there are no bounds to choose.]")
        return
    pairs = {_end(pair): pair for pair in (*(narrowed(question.widest, share) for share in _SHARES), question.bounds)}
    widgets.slider(
        "bound",
        _label(question.widest),
        "bound",
        sorted(pairs),
        _end(question.bounds),
        lambda end: take_bounds(found, pairs.get(end) or _ending(found, end)),
        step=(question.widest[1] - question.widest[0]) / 100,
    )


def _end(pair: Interval) -> float:
    """The end that is moved: the upper one, unless no value is above 0."""
    return pair[1] if pair[1] > 0 else pair[0]


def _label(widest: Interval) -> str:
    if widest[0] < 0 < widest[1]:
        return "Upper bound of a value, U; the lower one moves with it"
    return "Upper bound of a value, U" if widest[1] > 0 else "Lower bound of a value"


def _ending(found: Analysis, end: float) -> Interval:
    """The bounds that end at a number from the box."""
    widest = found.question.widest
    assert widest is not None
    low, high = widest
    if high <= 0:
        return end, high
    return (low if low >= 0 else float(f"{low * end / high:.3g}"), end)


def take_cap(found: Analysis, rows: int) -> None:
    """So many rows of each person, in the question that was analysed."""
    _take(found, lambda: replace(_target(), rows=rows), lambda changed: state.change(target=changed))


def take_bounds(found: Analysis, bounds: Interval) -> None:
    """Values between these bounds; the oracle stays, for what it draws is clipped too."""

    def changed() -> Any:
        alone: Any = asked_alone(state.scenario())
        return replace(alone, bounds=bounds)

    _take(found, changed, lambda changed: state.rework(target=changed))


def _take(found: Analysis, make: Callable[[], Any], take: Callable[[Any], None]) -> None:
    form.in_time(form.owner_of(found.scenario.target, found.scenario), _target, lambda: form.propose(make, take))


def _target() -> Any:
    return state.scenario().target


# What the chosen cap costs, in a paragraph.


def show(found: Analysis) -> None:
    """The error at this cap, what it is made of, the least one, and what is protected."""
    best = found.line.best
    heading, body = sentences(found)
    st.markdown(f"# {heading}\n{' '.join(body)}")
    if best.cap != found.question.cap:
        if not (found.simulated or found.table.public):
            st.warning(
                "This s is the best for the confidential table itself. No guarantee covers an s that is chosen in view of the "
                "table, and every later release of it says so."
            )
        st.button(
            f"Take s = {best.cap.rows:,}, the least error",
            key="take_best_cap",
            on_click=take_cap,
            args=(found, best.cap.rows),
            icon=":material/south_east:",
        )


def sentences(found: Analysis) -> tuple[str, list[str]]:
    """A heading, and what stands under it."""
    total = found.chosen.errors.total
    made_up = "**All of this is about made-up people from the oracle, not about yours.**" * found.simulated
    body = [made_up, _truth(found), _left_out_words(found), _causes(found), _least(found), _protected(found)]
    if not found.simulated:  # of made-up people there is nothing to mend
        body += remarks(found.question.rows, (found.question.cap,))
    if not found.simulated and found.question.bounds is not None:
        body += remarks_on_bounds(found.question.rows, found.question.bounds)
    asked = escaped(question(found.scenario, found.table))
    return f"{asked}: off by about {_with_unit(found, total)}", [part for part in body if part]


def _with_unit(found: Analysis, value: float) -> str:
    return counted(figure(value), behind(found.unit))


def _truth(found: Analysis) -> str:
    """How large the error is beside the answer itself."""
    errors = found.chosen.errors
    if len(errors.truth) > 1:
        return "Each group's private answer typically misses the true one by about that much (a root mean square)."
    of = "of the made-up table" if found.simulated else "of the table"
    true, share = float(errors.truth[0]), float(errors.relative[0])
    by = "that much" if share != share else f"{percent(share)} of it" if share < 1 else f"{figure(share)} times the answer itself"
    return (
        f"Without cap and noise, the answer {of} is {_with_unit(found, true)}. A private answer typically misses it by {by} "
        "(a root mean square)."
    )


def _left_out_words(found: Analysis) -> str:
    """What the cap leaves out."""
    question, cap = found.question, found.question.cap
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


def _causes(found: Analysis) -> str:
    """The two largest causes of the error."""
    parts = split([found.chosen])
    named = {
        "what the cap leaves out": parts.dropped,
        "values below the lower bound": parts.clipped_low,
        "values above the upper bound": parts.clipped_high,
        "the noise": parts.noise,
        "which rows happen to be kept": parts.salts,
        "the noise's pull on the mean": parts.from_noise,
    }
    large = sorted(((float(size[0]), name) for name, size in named.items()), reverse=True)[:2]
    (most, first), (less, second) = large
    if most <= 0:
        return ""
    make = "makes" if second.startswith(("the", "which", "what")) else "make"
    then = f"; {second} {make} {_with_unit(found, less)}" if less > 0 else ""
    return f"Most of it comes from {first} ({_with_unit(found, most)}){then}."


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
