"""A script and a notebook that make what is shown anew, or a sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.reports.code.cells import Program
from pages.reports.code.notebook import notebook
from pages.reports.code.script import script
from pages.shared.escape import escaped

NAME = "made_anew"  # of its files: no table's and no question's, and none that a program could import instead of dpcore
_ABOUT = (
    "**A program** that makes this anew: with dpcore, and without this app, it gives the same numbers to the last digit and "
    "draws the same figures. No confidential record is in it."
)


def show(name: str, made: Callable[[], Program | str]) -> None:
    """Both, in a box that is built while it is open; ``name`` tells that of one place from those of another."""
    box = st.popover("Code", key=f"code_{name}", on_change="rerun", icon=":material/code:")
    if box.open:
        with box:
            offer(name, made)


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
            _button("Its records", content, file, "text/csv", f"records_{name}")
    if program.beside is not None:
        st.markdown(":small[The table is too large to stand in the code. Keep the file of its records beside it.]")


def _button(label: str, content: str | Callable[[], str], file: str, kind: str, key: str) -> None:
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")
