"""A script and a notebook that make what is shown anew, or a sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.reports.code.cells import Program
from pages.reports.code.script import notebook, script
from pages.shared.escape import escaped
from pages.shared.widgets import while_open
from pages.state import address, place

# The links to what is shown: as it is, and on a wall.


MENU = "link"  # the key of the box


def show_link(
    places: tuple[str, ...], also: tuple[Callable[[], None], ...] = (), first: Callable[[], None] | None = None
) -> None:
    """A box with the links of a page that has these ``places``, and what stands in it ``also``, or ``first``."""
    label, icon = ("Link", ":material/link:") if first is None else ("More", ":material/more_horiz:")
    box = st.popover(label, key=MENU, on_change="rerun", icon=icon)
    while_open(box, lambda: _links(places, also, first))


def _links(places: tuple[str, ...], also: tuple[Callable[[], None], ...], first: Callable[[], None] | None) -> None:
    if first is not None:
        first()
    st.markdown("**A link** opens this view, its seed and its pins included. It holds settings, never data.")
    st.code(address.whole(places), language=None, wrap_lines=True)
    if place.PRESENT in places:
        st.markdown("The same on a wall, in the theme that you see now:")
        st.code(address.whole(places, presented=True), language=None, wrap_lines=True)
    for each in also:
        each()


NAME = "made_anew"  # of its files: no table's and no question's, and none that a program could import instead of dpcore
_ABOUT = (
    "**A program** that makes this anew: with dpcore, and without this app, it gives the same numbers to the last digit and "
    "draws the same figures. No confidential row is in it."
)


def show_code(name: str, made: Callable[[], Program | str]) -> None:
    """Both, in a box that is built while it is open; ``name`` tells that of one place from those of another."""
    box = st.popover("Code", key=f"code_{name}", on_change="rerun", icon=":material/code:")
    while_open(box, lambda: offer(name, made))


def offer(name: str, made: Callable[[], Program | str]) -> None:
    """The same within a box that is open."""
    program = made()
    if isinstance(program, str):
        st.markdown(escaped(program))
        return
    st.markdown(_ABOUT)
    with st.container(horizontal=True):
        _button("Script", script(program), f"{NAME}.py", "text/x-python", f"script_{name}")
        _button("Notebook", notebook(program), f"{NAME}.ipynb", "application/x-ipynb+json", f"notebook_{name}")
        if program.beside is not None:
            file, content = program.beside
            _button("Its rows", content, file, "text/csv", f"records_{name}")
    if program.beside is not None:
        st.markdown(":small[The table is too large to stand in the code. Keep the file of its rows beside it.]")


def _button(label: str, content: str | Callable[[], str], file: str, kind: str, key: str) -> None:
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")
