"""Two answers of one response compared: their difference or their ratio, with an interval of the noise; nothing is charged."""

from __future__ import annotations

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.rounded import ShownNumber
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.ledger.derived import SHARE, Derived, DerivedNumber, derived, shown_numbers
from pages.shared.escape import behind, escaped
from pages.shared.widgets import while_open
from pages.state.release_entry import Entry

_FREE = "It is computed from this response alone. So nothing is asked of the table, and nothing is charged."
_WORDS = {Derived.DIFFERENCE: "Difference, A − B", Derived.RATIO: "Ratio, A ÷ B"}


def show(entry: Entry) -> None:
    """Under a response of two numbers or more, built only while it is open."""
    if entry.release is None:
        return
    numbers = shown_numbers(entry.release, entry.about.answer)
    if len(numbers) < 2:
        return
    box = st.expander("Compare two answers", key=f"compare_{entry.ticket}", on_change="rerun", icon=":material/compare_arrows:")
    while_open(box, lambda: _compare(entry, numbers))


def _compare(entry: Entry, numbers: tuple[ShownNumber, ...]) -> None:
    names = [_name(place, number, numbers) for place, number in enumerate(numbers)]
    places = list(range(len(numbers)))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        first = st.selectbox("A", places, key=f"compare_a_{entry.ticket}", format_func=names.__getitem__)
        second = st.selectbox("B", places, 1, key=f"compare_b_{entry.ticket}", format_func=names.__getitem__)
    how = st.segmented_control(
        "Which comparison",
        list(Derived),
        key=f"compare_how_{entry.ticket}",
        default=Derived.DIFFERENCE,
        required=True,
        format_func=_WORDS.__getitem__,
        label_visibility="collapsed",
    )
    st.markdown(_words(entry, first, second, how, names))


def _name(place: int, number: ShownNumber, numbers: tuple[ShownNumber, ...]) -> str:
    """Its own name; where another has the same, with its place."""
    alike = sum(other.name == number.name for other in numbers) > 1
    return f"{number.name}, number {place + 1}" if alike else number.name


def _words(entry: Entry, first: int, second: int, how: Derived, names: list[str]) -> str:
    """The number, its interval and what that says, what it is of, and what it costs."""
    assert entry.release is not None
    if first == second:
        return "A and B are the same answer. Take another one for A or for B."
    try:
        found = derived(entry.release, entry.about.answer, first, second, how)
    except DpcoreError:
        return _refused(entry, first, second, how, names)
    sign = "−" if how is Derived.DIFFERENCE else "÷"
    what = f"**{escaped(names[first])} {sign} {escaped(names[second])} = {_said(found, found.value)}**."
    stands = (
        "The guarantee of this response covers it too."
        if entry.covered
        else "What is said below of this response holds of it too."
    )
    return "\n\n".join([f"{what} {_interval(entry, found, names[second])}", f"{_of(entry)} {_FREE} {stands}"])


def _refused(entry: Entry, first: int, second: int, how: Derived, names: list[str]) -> str:
    """What stands in the way, and what to do."""
    assert entry.release is not None
    if how is Derived.RATIO:
        return f"{escaped(names[second])} is 0, and nothing can be divided by 0. Take another B, or the difference."
    numbers = shown_numbers(entry.release, entry.about.answer)
    one, other = (escaped(numbers[place].after.strip()) or "no unit" for place in (first, second))
    return f"A and B have different units ({one}; {other}), so they have no difference. Take two in one unit, or the ratio."


def _said(found: DerivedNumber, value: float) -> str:
    return escaped(counted(figure(value), found.after)) if found.after.strip() else figure(value)


def _interval(entry: Entry, found: DerivedNumber, denominator: str) -> str:
    """Where it lies without noise, as far as the noise tells."""
    assert entry.release is not None
    if entry.release.scale == 0:
        return "No noise was added to this response, so this has none."
    what = found.how.value
    if found.within is None:
        return (
            f"The noise is so large that {escaped(denominator)} could be 0 without it. So this ratio can be any number, and it "
            "has no interval. The difference has one."
        )
    low, high = found.within
    return (
        f"Interval of the noise: from {figure(low)} to {figure(high)}{behind(found.after)}. In {SHARE * 100:g} of 100 releases "
        f"such an interval holds the {what} without noise. It tells of the noise alone: it is no confidence interval of a "
        "population."
    )


def _of(entry: Entry) -> str:
    return f"This is about {escaped(entry.about.question)}, in {escaped(entry.about.table)}."
