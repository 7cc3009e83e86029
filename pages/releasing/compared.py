"""Two numbers of one answer compared, which costs nothing."""

from __future__ import annotations

from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.rounded import ShownNumber
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.ledger.derived import SHARE, Derived, DerivedNumber, derived, shown_numbers
from dpcore.mechanisms.base import Release
from pages.ledger.entry import Entry
from pages.old.shared.escape import behind, escaped
from pages.old.shared.widgets import while_open

_FREE = "It is computed from this answer alone. So nothing is asked of the table, and nothing is charged."
_WORDS = {Derived.DIFFERENCE: "Difference, A − B", Derived.RATIO: "Ratio, A ÷ B"}


def show_comparison(entry: Entry, release: Release[Any]) -> None:
    """Show the comparison for an answer of two numbers or more, built only while it is open."""
    numbers = shown_numbers(release, entry.about.answer)
    if len(numbers) < 2:
        return
    box = st.popover("Compare", key=f"compare_{entry.ticket}", on_change="rerun", icon=":material/compare_arrows:")
    while_open(box, lambda: _compare(entry, release, numbers))


def _compare(entry: Entry, release: Release[Any], numbers: tuple[ShownNumber, ...]) -> None:
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
    st.markdown(_compared(entry, release, first, second, how, names, numbers))


def _name(place: int, number: ShownNumber, numbers: tuple[ShownNumber, ...]) -> str:
    """Return a number's name, with its place if another number has the same name."""
    alike = sum(other.name == number.name for other in numbers) > 1
    return f"{number.name}, number {place + 1}" if alike else number.name


def _compared(
    entry: Entry,
    release: Release[Any],
    first: int,
    second: int,
    how: Derived,
    names: list[str],
    numbers: tuple[ShownNumber, ...],
) -> str:
    """Return the compared number, its interval, its question and its cost, in words."""
    if first == second:
        return "A and B are the same answer. Take another one for A or for B."
    try:
        found = derived(release, entry.about.answer, first, second, how)
    except DpcoreError:
        return _refused(numbers, first, second, how, names)
    sign = "−" if how is Derived.DIFFERENCE else "÷"
    what = f"**{escaped(names[first])} {sign} {escaped(names[second])} = {_with_unit(found, found.value)}**."
    stands = (
        "The guarantee of this answer covers it too." if entry.covered else "What is said below of this answer holds of it too."
    )
    of = f"This is about {escaped(entry.about.question)}, in {escaped(entry.about.table)}."
    return "\n\n".join([f"{what} {_interval(found, names[second], scale=release.scale)}", f"{of} {_FREE} {stands}"])


def _refused(numbers: tuple[ShownNumber, ...], first: int, second: int, how: Derived, names: list[str]) -> str:
    """Return why two numbers cannot be compared, and the remedy."""
    if how is Derived.RATIO:
        return f"{escaped(names[second])} is 0, and nothing can be divided by 0. Take another B, or the difference."
    one, other = (escaped(numbers[place].after.strip()) or "no unit" for place in (first, second))
    return f"A and B have different units ({one}; {other}), so they have no difference. Take two in one unit, or the ratio."


def _with_unit(found: DerivedNumber, value: float) -> str:
    return escaped(counted(figure(value), found.after)) if found.after.strip() else figure(value)


def _interval(found: DerivedNumber, denominator: str, *, scale: float) -> str:
    """Return the interval of the exact value, as far as the noise tells."""
    if scale == 0:
        return "No noise was added to this answer, so this has none."
    what = found.how.value
    if found.within is None:
        return (
            f"The noise is so large that {escaped(denominator)} could be 0 without it. So this ratio can be any number, and it "
            "has no interval. The difference has one."
        )
    low, high = found.within
    return (
        f"Interval of the noise: from {figure(low)} to {figure(high)}{behind(found.after)}. In {SHARE * 100:g} of 100 releases "
        f"such an interval holds the {what} without noise. It tells of the noise alone: it is no interval for the "
        "population."
    )
