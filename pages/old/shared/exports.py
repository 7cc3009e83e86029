"""The link, the script and the notebook of what is shown, or a sentence that says why there is no script."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.errors import DpcoreError
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.exports import ExportError
from pages.exports.script import notebook, script_of_release
from pages.ledger import session as ledger
from pages.ledger.entry import Entry
from pages.old.shared.widgets import while_open
from pages.old.state import address, place

# The links to what is shown: as it is, and on a wall.


MENU = "link"  # the key of the box
TOO_LONG = "These pins do not fit into a link of 8 kB. Let one go to share the others."
LIST_TOO_LONG = "This list of questions does not fit into a link of 8 kB. Share a shorter one."


def show_link(places: tuple[str, ...]) -> None:
    """Show a box with the links of a page that has these ``places``."""
    box = st.popover("Link", key=MENU, on_change="rerun", icon=":material/link:")
    while_open(box, lambda: _links(places))


def _links(places: tuple[str, ...]) -> None:
    st.markdown("**A link** opens this view, its seed and its pins included. It holds settings, never data.")
    st.code(address.whole(places), language=None, wrap_lines=True)
    if place.PRESENT in places:
        st.markdown("The same on a wall, in the theme that you see now:")
        st.code(address.whole(places, presented=True), language=None, wrap_lines=True)
    if not address.room_for_pins():
        st.warning(TOO_LONG, icon=":material/info:")
    if not address.room_for_list():
        st.warning(LIST_TOO_LONG, icon=":material/info:")


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
