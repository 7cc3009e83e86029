"""The first lines of a file as they are, to choose by which of them names the columns. Of a confidential file that is a look."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.tables import Form, Sheet, first_lines
from pages.shared import badges
from pages.state import ledger, table_identity
from pages.wording.sentences import plain
from pages.your_data import looks

_MOST, _LONGEST = 20, 200  # lines, and characters of one


def show(content: bytes, name: str, form: Form, *, public: bool) -> None:
    """The switch, and behind it the lines; nothing of them is sent before it is on."""
    told = "" if public else " It is for you alone. Whatever you choose in view of them is covered by no guarantee, and every "
    told += "" if public else "later release of this table says so."
    if not st.toggle(
        "Show the first lines as they are",
        key=f"raw_{st.session_state['draft_file']}",
        help=f"The first {_MOST} lines of the file, as it has them.{told}",
    ):
        return
    if not public:
        _remember_the_look(f"{name}, whose first lines you looked at")
        badges.show(badges.CONFIDENTIAL)
    st.code("\n".join(_lines(content, form)) or " ", language=None, line_numbers=True, wrap_lines=True)


def _remember_the_look(title: str) -> None:
    """In this tab's book, as a comparison is: of the file alone where it is no table yet."""
    draft, digest = st.session_state["draft"], st.session_state["draft_digest"]
    known = table_identity.of(ledger.book())
    known.know_file(digest, title)
    looks.look(known.names[digest] if draft is None else looks.named(draft, known.names.get(digest, "")), title)


def _lines(content: bytes, form: Form) -> list[str]:
    """Kept while they are shown: those of a sheet are read in another process."""
    key = (st.session_state["draft_file"], form.name if isinstance(form, Sheet) else form)
    kept = st.session_state.get("raw_lines")
    if kept is None or kept[0] != key:
        try:
            kept = (key, [line[:_LONGEST] for line in first_lines(content, form, _MOST)])
        except DpcoreError as error:
            kept = (key, [plain(error)])
        st.session_state["raw_lines"] = kept
    lines: list[str] = kept[1]
    return lines
