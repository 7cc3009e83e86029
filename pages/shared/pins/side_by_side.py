"""The pinned scenarios and the one shown, side by side under the panels of Explore."""

from __future__ import annotations

import streamlit as st

from dpcore.workbench.headlines.base import Row
from pages.shared.escape import escaped
from pages.shared.live import anew
from pages.shared.pins import charts, settings_file, table
from pages.state import address, pins
from pages.state.differing import Differences, differences
from pages.state.pinned_views import Stood, side_by_side
from pages.state.view import Shown, View


def show(view: View) -> None:
    """Nothing where nothing is pinned."""
    if not pins.kept():
        return
    anew.with_the_page()
    stood = side_by_side(view)
    if not address.room_for_pins():
        st.markdown(f":material/info: {settings_file.TOO_LONG}")
    if len(stood) == 1:
        st.markdown("## Side by side")
        st.markdown(f"{stood[0].name} is what is shown now: nothing differs yet. Change a setting, and the two stand here.")
        table.ways(stood)
        return
    differ = _differing(stood)
    st.markdown(f"## Side by side: {escaped(differ.heading)}")
    charts.show(stood, differ)
    table.show(stood, differ)


def rows(view: View, *, to_share: bool) -> list[Row]:
    """The numbers of all, for a report: those of a confidential table's own answer stay out of one that is ``to_share``."""
    stood = side_by_side(view)
    differ = _differing(stood)
    own = [isinstance(one.view, Shown) and one.view.confidential for one in stood]
    return [row for row, secret in zip(table.rows(stood, differ), own, strict=True) if not (to_share and secret)]


def _differing(stood: list[Stood]) -> Differences:
    promised = tuple(one.view.leading.guarantee if isinstance(one.view, Shown) else None for one in stood)
    return differences([(one.scenario, None if one.view is None else one.view.table) for one in stood], promised)
