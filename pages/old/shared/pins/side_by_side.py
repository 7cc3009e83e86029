"""The pinned scenarios and the one shown, side by side under the panels of Explore."""

from __future__ import annotations

import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment import cost
from pages.old.experiment.headlines.base import Row
from pages.old.shared import badges
from pages.old.shared.escape import escaped
from pages.old.shared.escape import table as table_of
from pages.old.shared.live import redraw
from pages.old.shared.pins import charts, conclusion
from pages.old.state import address, pins, place
from pages.old.state.differences import Differences
from pages.old.state.pins import Stood, side_by_side
from pages.old.state.view import Shown, View

# The numbers of scenarios side by side, and what can be done with each pin.


_NONE, _LEAST_SECONDS = "none", 0.01


def table_rows(stood: list[Stood], differ: Differences) -> list[Row]:
    """A row a scenario."""
    return [_row(one, what) for one, what in zip(stood, differ.whole, strict=True)]


def show_table(stood: list[Stood], differ: Differences) -> None:
    """A row a scenario."""
    table_of(table_rows(stood, differ), "side-by-side")


def _row(one: Stood, what: str) -> Row:
    view, scenario = one.view, one.scenario
    shown = view if isinstance(view, Shown) else None
    return {
        "scenario": f"{one.name}, shown now" if one.now and one.name in pins.kept_pins() else one.name,
        "what differs": what,
        "Δ̂": _NONE if view is None else _sensitivity(view),
        f"±, {100 * SHARE_WITHIN:g} in 100": _NONE if shown is None else _reach(shown),
        "guarantee": _NONE if shown is None else shown.promise,
        "trials": f"{scenario.m:,}",
        "seconds (about)": _NONE if view is None else _seconds(view),
    }


def _sensitivity(view: View) -> str:
    if view.trials is None:
        return _NONE
    return counted(figure(view.trials.sample.order_statistic), moved_after(view.answer))


def _reach(shown: Shown) -> str:
    """In one number where there is one; and whose answer it tells of, where it does."""
    said = shown.headline.short_reach(shown.leading) or shown.headline.reach(shown.leading)
    return said + badges.whose(shown, foretold=" (foretold)")


def _seconds(view: View) -> str:
    """Of all its trials."""
    scenario = view.scenario
    try:
        oracle = scenario.resolved_oracle(view.table)
    except DpcoreError:  # the records of a confidential table
        return _NONE
    seconds = scenario.m * cost.a_draw(scenario, oracle)
    return figure(seconds) if seconds >= _LEAST_SECONDS else f"under {_LEAST_SECONDS:g}"


def ways(stood: list[Stood]) -> None:
    """Two buttons a pin; and a sentence for each one that stands there without numbers."""
    for one in stood:
        if one.why and one.name in pins.kept_pins():
            st.markdown(f"**{one.name}**: {escaped(one.why)}")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for one in (one for one in stood if one.name in pins.kept_pins()):
            st.button(
                f"Open {one.name} again",
                key=f"open_{one.name}",
                icon=":material/open_in_full:",
                on_click=_open,
                args=(one,),
                disabled=one.now,
                help="It becomes the scenario shown. What is shown now stays, as a pin.",
            )
            icon, key = ":material/keep_off:", f"let_go_{one.name}"
            st.button(f"Let {one.name} go", key=key, icon=icon, on_click=pins.let_go, args=(one.name,))


def _open(one: Stood) -> None:
    if one.view is not None and one.view.trials is not None:
        one.view.exploration.put_back(one.view.trials.sample)
    pins.open_again(one.name)


# Under Share, or Link: what does not fit into a link.


TOO_LONG = "These pins do not fit into a link of 8 kB. Let one go to share the others."
LIST_TOO_LONG = "This list of questions does not fit into a link of 8 kB. Share a shorter one."


def show_what_is_too_long() -> None:
    """What the link does not hold."""
    if not address.room_for_pins():
        st.warning(TOO_LONG, icon=":material/info:")
    if not address.room_for_list():
        st.warning(LIST_TOO_LONG, icon=":material/info:")


def show(view: View) -> None:
    """Nothing where nothing is pinned."""
    if not pins.kept_pins():
        return
    redraw.with_the_page()
    stood = side_by_side(view)
    if place.presenting():
        st.markdown(f"## {escaped(conclusion.conclude(stood))}")
        table_of(table_rows(stood, pins.differing(stood)), "side-by-side")
        _not_protected(stood)
        return
    if not address.room_for_pins():
        st.markdown(f":material/info: {TOO_LONG}")
    differ = pins.differing(stood)
    st.markdown(f"## Side by side{': ' * (len(stood) > 1)}{escaped(differ.heading) * (len(stood) > 1)}")
    if len(stood) == 1:
        st.markdown(f"{stood[0].name} is what is shown now: nothing differs yet. Change a setting, and the two stand here.")
        ways(stood)
        return
    st.markdown(f"**{escaped(conclusion.conclude(stood))}.**")
    charts.show(stood, differ)
    show_table(stood, differ)
    _not_protected(stood)
    ways(stood)


def _not_protected(stood: list[Stood]) -> None:
    for said in conclusion.not_protected(stood):
        st.markdown(f":small[{escaped(said)}]")


def rows(view: View) -> list[Row]:
    """The numbers of all, for a report."""
    stood = side_by_side(view)
    return table_rows(stood, pins.differing(stood))
