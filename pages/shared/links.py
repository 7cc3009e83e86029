"""The links to what is shown: as it is, and on a wall."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.shared.live import anew
from pages.state import address, place


def show(places: tuple[str, ...], also: tuple[Callable[[], None], ...] = ()) -> None:
    """A box with the links of a page that has these ``places``, and what stands in it ``also``."""
    label, icon = ("Share", ":material/ios_share:") if len(also) > 1 else ("Link", ":material/link:")
    box = st.popover(label, key="link", on_change="rerun", icon=icon)
    if not anew.opened(box):
        return
    with box:
        st.markdown("**A link** opens this view, its seed and its pins included. It holds settings, never data.")
        st.code(address.whole(places), language=None, wrap_lines=True)
        if place.PRESENT in places:
            st.markdown("The same on a wall, in the theme that you see now:")
            st.code(address.whole(places, presented=True), language=None, wrap_lines=True)
        for each in also:
            each()
