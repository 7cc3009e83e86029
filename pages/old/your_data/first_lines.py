"""The first lines of a file as they are, to choose by which of them names the columns."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.tables import Form, Sheet, first_lines
from pages.old.shared import badges
from pages.old.wording.sentences import plain

_MOST, _LONGEST = 20, 200  # lines, and characters of one


def show(content: bytes, name: str, form: Form, *, public: bool) -> None:
    """The switch, and behind it the lines; nothing of them is sent before it is on."""
    told = "" if public else " They are for you alone."
    if not st.toggle(
        "Show the first lines as they are",
        key=f"raw_{st.session_state['draft_file']}",
        help=f"The first {_MOST} lines of the file, as it has them.{told}",
    ):
        return
    if not public:
        badges.show(badges.CONFIDENTIAL)
    st.code("\n".join(_lines(content, form)) or " ", language=None, line_numbers=True, wrap_lines=True)


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
