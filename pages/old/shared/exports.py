"""The link, the script and the notebook of what is shown, or a sentence that says why there is no script."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.exports import ExportError
from pages.exports.script import notebook, script_of_release
from pages.ledger import session as ledger
from pages.ledger.entry import Entry
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import while_open
from pages.old.wording.sentences import plain

NAME = "made_with_dpcore"  # of both files: no table's and no question's, and none that a program could import instead of dpcore
_ABOUT = (
    "**A script** of about 30 lines of dpcore computes the same k, Δ̂ and scale of the noise without this app. Then it releases "
    "the answer of a simulated table, because no confidential row is in it."
)


def show_released(entry: Entry) -> None:
    """Offer a release as a script, in a box that is built while it is open."""
    box = st.popover("Code", key=f"code_{entry.ticket}", on_change="rerun", icon=":material/code:")
    while_open(box, lambda: _files(entry.ticket, lambda: _released(entry)))


def _released(entry: Entry) -> str:
    """Return the script of a release."""
    settings = entry.about.settings
    table = None if settings is None else state.tables().get(settings["table"])
    return script_of_release(entry, table, ledger.book().entries)


def _files(name: str, make: Callable[[], str]) -> None:
    """``name``: of the buttons' keys."""
    try:
        code = make()
    except ExportError as error:
        st.markdown(escaped(f"There is no script of this. {error}"))
        return
    except DpcoreError as error:
        st.markdown(escaped(plain(error)))
        return
    st.markdown(_ABOUT)
    with st.container(horizontal=True):
        _button("Script", code, f"{NAME}.py", "text/x-python", f"script_{name}")
        _button("Notebook", notebook(code), f"{NAME}.ipynb", "application/x-ipynb+json", f"notebook_{name}")


def _button(label: str, content: str, file: str, kind: str, key: str) -> None:
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")
