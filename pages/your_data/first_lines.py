"""The first lines of a file as they are, to choose by which of them names the columns. Of a confidential file that is a look."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.tables import Form, Sheet, Table, first_lines
from pages.shared import badges
from pages.state import ledger, state, table_identity
from pages.wording.sentences import plain

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
        _remember_the_look(name)
        badges.show(badges.CONFIDENTIAL)
    st.code("\n".join(_lines(content, form)) or " ", language=None, line_numbers=True, wrap_lines=True)


def _remember_the_look(name: str) -> None:
    """In this tab's book, as a comparison is. The file is known by its bytes: other columns of it, read in another way, too."""
    book, draft, digest = ledger.book(), st.session_state["draft"], st.session_state["draft_digest"]
    known = table_identity.of(book)
    if draft is not None:
        known.names[digest] = _settled(draft, known.names.get(digest, ""))
    known.know_file(digest, f"{name}, whose first lines you looked at")
    with book.lock:
        book.looked.add(known.names[digest])


def stay_known(draft: Table) -> None:
    """However the file is read after its lines were looked at, it is the file that was looked at."""
    if seen := table_identity.of(ledger.book()).names.get(st.session_state["draft_digest"]):
        _settled(draft, seen)


def _settled(draft: Table, seen: str) -> str:
    named = table_identity.settle(ledger.book(), draft, seen, used=False)
    state.rename_tables(ledger.book().same)
    return named


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
