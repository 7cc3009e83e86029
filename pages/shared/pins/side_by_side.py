"""The pinned scenarios and the one shown, side by side under the panels of Explore."""

from __future__ import annotations

import streamlit as st

from dpcore.answers.answer import moved_after
from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from dpcore.guarantees.words import figure
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.experiment import cost
from pages.experiment.headlines.base import Row
from pages.shared import badges, saved_files
from pages.shared.escape import escaped
from pages.shared.escape import table as table_of
from pages.shared.live import redraw
from pages.shared.pins import charts, conclusion
from pages.state import address, pins, place
from pages.state.differences import Differences
from pages.state.pins import Stood, side_by_side
from pages.state.saved import writing
from pages.state.view import Shown, View

# The numbers of scenarios side by side, and what can be done with each pin.


_NONE, _LEAST_SECONDS = "none", 0.01


def table_rows(stood: list[Stood], differ: Differences) -> list[Row]:
    """A row a scenario."""
    return [_row(one, what) for one, what in zip(stood, differ.whole, strict=True)]


def show_table(stood: list[Stood], differ: Differences) -> None:
    """A row a scenario."""
    secret = any(isinstance(one.view, Shown) and one.view.confidential for one in stood)
    table_of(
        table_rows(stood, differ),
        "confidential-side-by-side" if secret else "side-by-side",
        marks={"made from": "some of it uses the confidential table: do not publish"} if secret else None,
    )


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


# Under Share, or Link: saving the scenario shown and its pins as a file, and loading such a file.


_NAME = "scenarios.json"
TOO_LONG = "These pins do not fit into a link of 8 kB. Save them as a file, under Share; whoever loads it there sees them."

LIST_TOO_LONG = (
    "This list of questions does not fit into a link of 8 kB. Save it as a file, under Share; whoever loads it there sees it."
)


def show_settings_file() -> None:
    """Both, and why a link may not do."""
    if not address.room_for_pins():
        st.warning(TOO_LONG, icon=":material/info:")
    if not address.room_for_list():
        st.warning(LIST_TOO_LONG, icon=":material/info:")
    st.markdown("**A settings file** holds the same as the link, however much it is.")
    st.download_button(
        "Save as a file",
        writing.view(),
        _NAME,
        "application/json",
        key="save_pins",
        on_click="ignore",
        icon=":material/download:",
        help="The same as the link: settings, never data. To save the ledger too, use the page Release.",
    )
    saved_files.drop("Load a settings file", "link")


def show(view: View) -> None:
    """Nothing where nothing is pinned."""
    if not pins.kept_pins():
        return
    redraw.with_the_page()
    stood = side_by_side(view)
    shared = pins.to_share(stood)
    if place.presenting():
        st.markdown(f"## {escaped(conclusion.conclude(shared))}")
        table_of(table_rows(shared, pins.differing(shared)), "side-by-side")
        _not_protected(shared)
        return
    if not address.room_for_pins():
        st.markdown(f":material/info: {TOO_LONG}")
    differ = pins.differing(stood)
    st.markdown(f"## Side by side{': ' * (len(stood) > 1)}{escaped(differ.heading) * (len(stood) > 1)}")
    if len(stood) == 1:
        st.markdown(f"{stood[0].name} is what is shown now: nothing differs yet. Change a setting, and the two stand here.")
        ways(stood)
        return
    st.markdown(f"**{escaped(conclusion.conclude(shared))}.**")
    charts.show(stood, differ)
    show_table(stood, differ)
    _not_protected(shared)
    ways(stood)


def _not_protected(stood: list[Stood]) -> None:
    for said in conclusion.not_protected(stood):
        st.markdown(f":small[{escaped(said)}]")


def rows(view: View) -> list[Row]:
    """The numbers of all, for a report: those of a confidential table's own answer stay out of it."""
    stood = side_by_side(view)
    differ = pins.differing(stood)
    own = [isinstance(one.view, Shown) and one.view.confidential for one in stood]
    return [row for row, secret in zip(table_rows(stood, differ), own, strict=True) if not secret]
