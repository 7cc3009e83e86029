"""Under a response: two of its answers compared, which costs nothing; and the next question, with what was answered in it."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from dpcore.base.counted import counted
from dpcore.base.rounded import ShownNumber
from dpcore.base.types import settles
from dpcore.errors import DpcoreError
from dpcore.guarantees import words
from dpcore.guarantees.words import figure
from dpcore.ledger.derived import SHARE, Derived, DerivedNumber, derived, shown_numbers
from dpcore.mechanisms.base import Release
from dpcore.registry.fit import fits, usable
from pages.experiment.oracle_origin import AFTERWARDS, fits_an_oracle
from pages.experiment.scenario import Scenario, TableRecords
from pages.files.tables import Table
from pages.server.page_list import link_to
from pages.shared.escape import behind, escaped
from pages.shared.widgets import while_open
from pages.state import choosing, ledger, state
from pages.state.release_entry import Entry
from pages.wording.sentences import oracle_words, plain

# Two answers of one response compared: their difference or their ratio, with an interval of the noise; nothing is charged.


_FREE = "It is computed from this answer alone. So nothing is asked of the table, and nothing is charged."
_WORDS = {Derived.DIFFERENCE: "Difference, A − B", Derived.RATIO: "Ratio, A ÷ B"}


def show_comparison(entry: Entry, release: Release[Any]) -> None:
    """Under a response of two numbers or more, built only while it is open."""
    numbers = shown_numbers(release, entry.about.answer)
    if len(numbers) < 2:
        return
    box = st.expander("Compare two answers", key=f"compare_{entry.ticket}", on_change="rerun", icon=":material/compare_arrows:")
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
    """Its own name; where another has the same, with its place."""
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
    """The number, its interval and what that says, what it is of, and what it costs."""
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
    """What stands in the way, and what to do."""
    if how is Derived.RATIO:
        return f"{escaped(names[second])} is 0, and nothing can be divided by 0. Take another B, or the difference."
    one, other = (escaped(numbers[place].after.strip()) or "no unit" for place in (first, second))
    return f"A and B have different units ({one}; {other}), so they have no difference. Take two in one unit, or the ratio."


def _with_unit(found: DerivedNumber, value: float) -> str:
    return escaped(counted(figure(value), found.after)) if found.after.strip() else figure(value)


def _interval(found: DerivedNumber, denominator: str, *, scale: float) -> str:
    """Where it lies without noise, as far as the noise tells."""
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


_ON_TO_PEOPLE = "on_to_people"


def show_next(entry: Entry) -> None:
    """Nothing under a response that is an answer itself."""
    scenario = pressed(entry)
    if scenario is None or entry.release is None or not settles(scenario.target):
        return
    target: Any = scenario.target
    response = entry.release.response
    chosen = entry.about.answer.parts(response)[0][1]
    with st.container(horizontal=True):
        st.button(
            escaped(_offer(target, chosen)),
            key=f"take_up_{entry.ticket}",
            icon=":material/check:",
            on_click=partial(_take_up, entry, scenario, response),
            disabled=_is_taken_up(scenario, response),
        )
        if choosing.has_bound_to_choose(target) and choosing.settles_rows(target):
            st.button(
                "Then choose the upper bound on the page People",
                key=f"take_up_bound_{entry.ticket}",
                icon=":material/casino:",
                on_click=partial(_take_up, entry, scenario, response, then_the_bound=True),
            )
    if st.session_state.pop(_ON_TO_PEOPLE, False):
        st.switch_page(link_to("people"))


def pressed(entry: Entry) -> Scenario | None:
    """What was pressed; None for a target of somebody's own, and for members that are gone."""
    if entry.about.settings is None:
        return None
    try:
        return Scenario.from_json(entry.about.settings)
    except DpcoreError:
        return None


def table_of(entry: Entry, scenario: Scenario) -> Table | None:
    """The table of a response, if it is here with the values that it had; None with a sentence where it is not."""
    table = state.tables().get(scenario.table)
    if table is None or table.digest != entry.digest:
        state.say("The table of this answer is not here under its old name: bring it again on the page Your data.")
        return None
    return table


def _taken(entry: Entry, scenario: Scenario, response: Any) -> Scenario | None:
    """The question with the response in it, as the table now is; None with a sentence where it no longer fits."""
    st.session_state["notices"] = []
    target: Any = scenario.target
    table = table_of(entry, scenario)
    if table is None:
        return None
    try:
        found = choosing.again(scenario, target.taken_up(response))
        if problem := _unfit(found, table):
            state.say(problem)
            return None
        return choosing.with_oracle(found, table)
    except DpcoreError as error:
        state.say(plain(error))
        return None


def _unfit(scenario: Scenario, table: Table) -> str:
    """Why the question of an answer no longer fits the table, whose columns may have been declared anew; empty where it does."""
    names = [column.name for column in (*table.columns, *table.persons_column)]
    gone = [name for name in scenario.columns if name not in names]
    if gone:
        needs = f"This answer's question needs the column {', '.join(gone)}"
        return f"{needs}, which is not in use now: pick it on the page Your data."
    columns = tuple(table.column(name) for name in scenario.columns)
    if not fits(scenario.target, columns) or usable(scenario.target, columns) != columns:
        anew = "This answer's question does not fit the columns as they are declared now."
        return f"{anew} Declare them as they were, or ask anew."
    if scenario.adjacency is not table.adjacency:
        return "This answer protects another unit than the table now does: it was declared anew since. Declare it as it was."
    records = table.size(scenario.columns, scenario.target)
    if records != scenario.n:
        return (
            f"This answer was made for {scenario.n:,} {words.counted_in(scenario.adjacency)}, and the table now has {records:,} "
            "for this question: it was declared anew since. Declare it as it was, or ask anew."
        )
    return ""


def _take_up(entry: Entry, scenario: Scenario, response: Any, *, then_the_bound: bool = False) -> None:
    """Show the question with the response in it. ``then_the_bound``: the run that follows leads on to the page that shows
    beforehand what the choice of a bound does."""
    found = _taken(entry, scenario, response)
    if found is None:
        return
    groups_each = choosing.groups_each_before(scenario)
    state.anew(found)
    ledger.choose_way(found, ledger.WORST)
    if isinstance(scenario.oracle, TableRecords) and not isinstance(found.oracle, TableRecords):
        state.say(
            f"The table is confidential now, so its own rows are no oracle. The oracle is now {oracle_words(found.oracle)}."
        )
    if groups_each is not None:
        state.say("The chosen s is a cap over all groups together, so the number of groups that a person counts in was left out.")
    st.session_state[_ON_TO_PEOPLE] = then_the_bound
    if then_the_bound:
        choosing.show_the_bound()


def _is_taken_up(scenario: Scenario, response: Any) -> bool:
    """Whether the question is shown with this response in it, whichever rows it keeps."""
    target: Any = scenario.target
    shown: Any = state.scenario()
    taken = choosing.with_salt_of(target.taken_up(response), shown.target)
    return (shown.table, shown.target) == (scenario.table, taken)


def _offer(target: Any, chosen: str) -> str:
    """The target's own words; a number of rows is one over all groups together, where there are any."""
    if len(target.question.groups) > 1 and choosing.settles_rows(target):
        return f"Count at most {chosen} a person, over all groups, from now on"
    offered: str = target.offer(chosen)
    return offered


# Under a response that an oracle can be made of: the button that draws from it from now on.


_TAKEN = (
    "Made-up tables are now drawn from the private fit. Look at them on Explore. Release with noise that is sized to "
    "the worst case, where one is proved: noise that is sized by trials from the fit has no guarantee for this table."
)


def show_oracle(entry: Entry) -> None:
    """Nothing under a response that is no fit."""
    fit = pressed(entry)
    if fit is None or entry.release is None or not fits_an_oracle(fit.target):
        return
    st.markdown(AFTERWARDS)
    st.button(
        "Draw made-up tables from this from now on",
        key=f"take_up_fit_{entry.ticket}",
        icon=":material/check:",
        on_click=partial(_take_up_oracle, entry, fit, entry.release.response),
    )


def _take_up_oracle(entry: Entry, fit: Scenario, response: Any) -> None:
    st.session_state["notices"] = []
    table = table_of(entry, fit)
    found = None if table is None else choosing.taken_up(fit, table, response)
    if found is not None:
        state.anew(found)
        ledger.choose_way(found, ledger.WORST)
        state.say(_TAKEN)
