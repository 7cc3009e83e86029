"""The link, the script and the notebook of what is shown, or a sentence that says why there is no script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from dpcore.base.fingerprint import fingerprint
from dpcore.errors import DpcoreError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from pages import state
from pages.experiment.scenario import Scenario
from pages.exports.script import MOST_VALUES, notebook, script
from pages.ledger.entry import Entry
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import while_open
from pages.old.state import address, place
from pages.old.wording.sentences import plain

# The links to what is shown: as it is, and on a wall.


MENU = "link"  # the key of the box
TOO_LONG = "These pins do not fit into a link of 8 kB. Let one go to share the others."
LIST_TOO_LONG = "This list of questions does not fit into a link of 8 kB. Share a shorter one."


def show_link(places: tuple[str, ...], also: Callable[[], None] = lambda: None) -> None:
    """A box with the links of a page that has these ``places``, and what stands in it ``also``."""
    box = st.popover("Link", key=MENU, on_change="rerun", icon=":material/link:")
    while_open(box, lambda: _links(places, also))


def _links(places: tuple[str, ...], also: Callable[[], None]) -> None:
    st.markdown("**A link** opens this view, its seed and its pins included. It holds settings, never data.")
    st.code(address.whole(places), language=None, wrap_lines=True)
    if place.PRESENT in places:
        st.markdown("The same on a wall, in the theme that you see now:")
        st.code(address.whole(places, presented=True), language=None, wrap_lines=True)
    if not address.room_for_pins():
        st.warning(TOO_LONG, icon=":material/info:")
    if not address.room_for_list():
        st.warning(LIST_TOO_LONG, icon=":material/info:")
    also()


NAME = "made_with_dpcore"  # of both files: no table's and no question's, and none that a program could import instead of dpcore
_ABOUT = (
    "**A script** of about 30 lines of dpcore gives the same k, Δ̂ and scale of the noise, and then releases the answer of a "
    "simulated table. It needs this app no more. No confidential row is in it."
)
_OWN = (
    "There is no script of this. Its target, its oracle or its mechanism is not one of dpcore's own, or its oracle draws from "
    f"more than {MOST_VALUES:,} rows. Choose another one."
)
_GONE = "There is no script of this release: its oracle was made of a table's own rows, and that table is not here as it was."


def show_released(entry: Entry) -> None:
    """Offer a release as a script, in a box that is built while it is open."""
    box = st.popover("Code", key=f"code_{entry.ticket}", on_change="rerun", icon=":material/code:")
    while_open(box, lambda: _files(entry.ticket, lambda: _released(entry)))


def _released(entry: Entry) -> str | None:
    """Return the script of a release, None if its oracle is not here any more. TypeError for what cannot be written."""
    if entry.about.settings is None:
        raise TypeError("a target of somebody's own has no settings")
    assert entry.release is not None
    of, scenario = entry.release.provenance, Scenario.from_json(entry.about.settings)
    try:
        oracle = scenario.resolved_oracle(state.tables().get(scenario.table))
    except DpcoreError:
        return None
    if "sample_id" not in of:
        return script(scenario, oracle, point=None, proved=True)
    if fingerprint(oracle) != of["oracle_id"]:
        return None
    given: Any = of
    point = OperatingPoint.for_both(given["m"], given["gamma"], bound=Bound[given["bound"]], confidence=given["confidence"])
    return script(scenario, oracle, point=point, seed=given["seed"])


def _files(name: str, make: Callable[[], str | None]) -> None:
    """``name``: of the buttons' keys."""
    try:
        code = make()
    except TypeError:
        st.markdown(_OWN)
        return
    except DpcoreError as error:
        st.markdown(escaped(plain(error)))
        return
    if code is None:
        st.markdown(_GONE)
        return
    st.markdown(_ABOUT)
    with st.container(horizontal=True):
        _button("Script", code, f"{NAME}.py", "text/x-python", f"script_{name}")
        _button("Notebook", notebook(code), f"{NAME}.ipynb", "application/x-ipynb+json", f"notebook_{name}")


def _button(label: str, content: str, file: str, kind: str, key: str) -> None:
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")
