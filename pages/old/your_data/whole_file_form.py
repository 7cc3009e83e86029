"""What is declared of a whole file: which cells say that nothing is known, and which lines are no rows of the table."""

from __future__ import annotations

import streamlit as st

from dpcore.errors import DpcoreError, TableError
from pages.files.declarations.left_out import records, refuse_unknown
from pages.files.declarations.whole_file import MOST_LAST, WholeFile
from pages.files.tables import Table
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import drop, hold
from pages.old.wording.sentences import plain
from pages.old.your_data.typed_lists import codes_in, typed

_KEYS = ("file_codes", "last_lines", "left_out_by", "left_out_words")
_NONE = ""


def forget() -> None:
    """Another file: what was said of the last one does not hold for it."""
    drop(*_KEYS)


def fill(whole: WholeFile) -> None:
    """What stands in settings, before it is asked."""
    drop(*_KEYS)
    st.session_state.update(
        file_codes=typed(whole.codes), last_lines=whole.last, left_out_by=whole.by, left_out_words=typed(whole.words)
    )


def ask(draft: Table, *, public: bool) -> WholeFile:
    """What its holder says; with a sentence where that cannot be, and then nothing of it holds."""
    hold(*_KEYS)
    st.session_state.setdefault("file_codes", "")
    codes = st.text_input(
        "Which cells mean that nothing is known?",
        key="file_codes",
        placeholder="as in: -999; k. A.; n/a",
        help="In every column. An empty cell says so anyway. Below, a column can have some of its own."
        + (
            " The likely ones of this public table are proposed there."
            if public
            else " They are never looked for in a confidential table."
        ),
    )
    with st.expander("Leave out a totals row, or lines at the end"):
        last, by, words = _asked_rows(draft)
    try:
        whole = WholeFile(codes=codes_in(codes, "the file"), last=last, by=by, words=codes_in(words, by) if by else ())
        records(draft, whole)
        refuse_unknown(draft, whole)
    except DpcoreError as error:
        st.error(escaped(f"{plain(error)} Until then every row counts, and only an empty cell says that nothing is known."))
        return WholeFile()
    if whole.said:
        st.markdown(f":material/content_cut: {escaped(whole.said)}{_stays(whole)}")
    return whole


def _stays(whole: WholeFile) -> str:
    return " It stays one of the rows, so that their number tells nothing of what they hold." if whole.by else ""


def _asked_rows(draft: Table) -> tuple[int, str, str]:
    st.markdown(
        "Say it from what you know of such files: nobody looks for a totals row in your table. Lines that are left out by their "
        "place are no rows. A row that is left out by what it holds stays a row, of which nothing is known."
    )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state.setdefault("last_lines", 0)
        last: int = st.number_input("Last lines that are no rows", 0, MOST_LAST, step=1, key="last_lines", width=230)
        names = [_NONE, *(column.name for column in draft.columns), *draft.unused]
        if (gone := st.session_state.get("left_out_by", _NONE)) not in names:
            names.append(gone)  # of settings for a file that has it: a sentence says so
        by: str = st.selectbox(
            "Leave out rows by the column",
            names,
            key="left_out_by",
            width=250,
            format_func=lambda name: escaped(name) or "None: every row counts",
        )
        words = ""
        if by:
            words = st.text_input(
                "where that is",
                key="left_out_words",
                width=250,
                placeholder="without a value",
                help="Words as they are written in the file, as in: Total; Sum. Leave it empty for rows without a value there.",
            )
    return int(last), by, words


def still_there(draft: Table, whole: WholeFile) -> int:
    """How many records the file has."""
    try:
        return records(draft, whole)
    except TableError:
        return len(draft)
