"""A label on the screen, and the ways to take it along: as SVG, as PNG and as HTML."""

from __future__ import annotations

import logging
from base64 import b64encode
from collections.abc import Callable
from functools import partial
from html import escape

import streamlit as st

from pages.charts.label import Label, picture
from pages.charts.properties import NotDrawnError
from pages.files.tables import Table
from pages.reports.html import label_html
from pages.shared import picture as pictures
from pages.shared.escape import escaped
from pages.shared.labels import example, published, together
from pages.shared.labels.around import Told
from pages.shared.widgets import control, while_open
from pages.state import ledger
from pages.state.release_entry import Entry
from pages.state.view import View
from pages.state.view import view as view_of

_log = logging.getLogger(__name__)
_FILE = "privacy-facts"
_TIMES = 2  # pixels of a PNG for one of the SVG
_LONGEST = 120  # letters of what a holder says
_IMAGE = '<img src="data:image/svg+xml;base64,{image}" style="width:100%;max-width:400px" alt="{alt}">'
_ASKED = {  # what a holder may say; the same beside every label
    "whom": "Whom can people ask? (may stay empty)",
    "period": "Of which time are the data? (may stay empty)",
}
_ABOUT = "**A label**, as on food: what was published, who is protected, and who is not."
_EXAMPLE = "A label, as it would stand beside the answer"
_NO_ROOM = "A picture has no room for all that this label must say. It is whole as HTML."
_NONE = "There is no label: no guarantee covers {}."


def of_answer(entry: Entry) -> None:
    """The button beside the other files of an answer."""
    make = partial(published.of_answer, ledger.book(), entry)
    _box("Label", entry.ticket, lambda: _told(make, _NONE.format("this answer"), entry.ticket))


def of_ledger(table: Table) -> None:
    """The same of all answers about a table; of the only one where it is not shown by itself, as after a file was loaded."""
    book = ledger.book()
    many = sum(line.responded for line in book.ledger(table).lines)
    if many > 1 or (many and not any(entry.digest == table.digest for entry in book.entries)):
        make = partial(together.of_ledger, book, table)
        _box("Label of all", "all", lambda: _told(make, _NONE.format("any answer about this table"), "all"))


def of_view(view: View) -> None:
    """The same of what Explore shows, within a box that is open: made of the view that may be shared."""
    st.markdown(_EXAMPLE)
    _show(example.of_view(view_of(view.scenario, view.table, to_share=True)), example.NONE, "shown")


def _box(label: str, key: str, build: Callable[[], None]) -> None:
    box = st.popover(label, key=f"label_{key}", on_change="rerun", icon=":material/label:")
    while_open(box, build)


def _told(make: Callable[[Told], Label | None], none: str, key: str) -> None:
    """What its holder may say, and the label with it."""
    st.markdown(_ABOUT)
    kept: dict[str, str] = st.session_state.setdefault("label_told", {})
    for name, asked in _ASKED.items():
        control(
            st.text_input,
            asked,
            key=f"label_{name}_{key}",
            holds=kept.get(name, ""),
            act=partial(_keep, kept, name),
            max_chars=_LONGEST,
        )
    _show(make(Told(**kept)), none, key)


def _keep(kept: dict[str, str], name: str, said: str | None) -> None:
    kept[name] = " ".join((said or "").split())


def _show(label: Label | None, none: str, key: str) -> None:
    if label is None:
        st.markdown(escaped(none))
        return
    name = f"{'example-' * bool(label.across)}{_FILE}"
    try:
        drawn = picture(label)
    except NotDrawnError as error:
        _log.warning("%s", error)
        st.markdown(_NO_ROOM)
    else:
        st.html(_IMAGE.format(image=b64encode(drawn.encode()).decode(), alt=escape(label.alt)))
        pictures.ways(drawn, name, f"label_{key}", times=_TIMES, what="label")
    st.download_button(
        "HTML", label_html(label), f"{name}.html", "text/html", key=f"html_label_{key}", on_click="ignore", width="stretch"
    )
