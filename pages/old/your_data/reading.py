"""How an uploaded file is read: what was detected, said and proposed to its holder, who can change each part of it."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any, final

import streamlit as st

from dpcore.base.counted import counted
from dpcore.errors import DpcoreError
from pages.files.csv_columns.format import DECIMALS, DELIMITERS, ENCODINGS, THOUSANDS, Format
from pages.files.csv_columns.header_lines import LAST_LINE, MOST_LINES, HeaderLines
from pages.files.tables import Form, Parquet, Seen, Sheet, Table, best, proposed
from pages.ledger.ledger_file import is_ledger_file
from pages.old.shared.escape import escaped
from pages.old.shared.widgets import hold
from pages.old.wording.sentences import plain
from pages.old.your_data import first_lines, kept_declarations, persons_form
from pages.server import uploads

_ASKED = {
    "delimiter": ("Between columns", DELIMITERS),
    "decimal": ("Decimals", DECIMALS),
    "thousands": ("Between thousands", THOUSANDS),
    "encoding": ("Encoding", ENCODINGS),
}
_LINES = {0: "no line: Column 1, Column 2, …", 1: "one line", 2: "two lines, joined", 3: "three lines, joined"}
assert max(_LINES) == MOST_LINES


@final
@dataclass(frozen=True, slots=True)
class File:
    """A file that somebody brought. ``key``: another one has another."""

    name: str
    content: bytes
    key: str


def turn() -> int:
    """How often this tab has read a file: what was read off one reading says nothing of the next."""
    return int(st.session_state.get("draft_turn", 0))


def show(file: File, *, public: bool) -> None:
    """Read a new file as it seems to be written, or again as its holder says; a refusal is a sentence."""
    if st.session_state.get("draft_file") != file.key:
        st.session_state["draft_file"] = file.key
        persons_form.forget()
        st.session_state.pop("new_version", None)
        _propose(file)
        if kept_declarations.recall(file.content):
            st.rerun()
    if ways := st.session_state["draft_ways"]:
        _show_form(file, ways, public=public)
    if st.session_state["draft_problem"]:
        st.error(escaped(st.session_state["draft_problem"]))


def _propose(file: File) -> None:
    st.session_state.update(draft=None, draft_content=file.content, draft_problem="", draft_ways=(), draft_read_as=None)
    if is_ledger_file(file.content):
        said = f"{file.name} is a saved ledger. Load it on the page Release, where its table is shown."
        st.session_state["draft_problem"] = said
        return
    try:
        st.session_state["draft_ways"] = proposed(file.content)
    except DpcoreError as error:
        st.session_state["draft_problem"] = f"{file.name}: {plain(error)}"


def _show_form(file: File, ways: tuple[Seen, ...], *, public: bool) -> None:
    """What was detected, or is said of it; what can be changed; and the table as it is read so."""
    said = st.empty()
    way = _sheet(ways, file.key) if len(ways) > 1 else ways[0]
    form: Form | None = way.form
    if not isinstance(way.form, Parquet):
        with st.expander("Read it another way, or look at its first lines"):
            form = _asked(way.form, file.key, ways.index(way))
            first_lines.show(file.content, file.name, form or way.form, public=public)
    if form is None:
        return
    if form != st.session_state["draft_read_as"]:
        st.session_state["draft_read_as"] = form
        _read(file, form)
    said.markdown(_said(form, best(ways), st.session_state["draft"]))


_DOUBT = (
    "**Its numbers can be read in two ways:** {number} is read as a little more than one. If it is more than a thousand, choose "
    "that mark between thousands, and the other one for decimals, under “Read it another way”."
)


def _said(form: Form, way: Seen, draft: Table | None) -> str:
    """How the file is read, as it was detected or as its holder says; which columns are called otherwise than in it; and whether
    its numbers can be read in two ways."""
    detected = way.form
    so = "This is what the file looks like; once you use the table, it stays so."
    if form != detected:
        so = f"This is what you say; detected was: {escaped(detected.words)}."
    renamed = "" if draft is None else " ".join(map(escaped, draft.renamed))
    doubt = ""
    if way.in_doubt and isinstance(form, Format) and isinstance(detected, Format):
        same = (form.decimal, form.thousands) == (detected.decimal, detected.thousands)
        doubt = _DOUBT.format(number=f"1{form.decimal}234") if same else ""
    return f"**{'Detected' if form == detected else 'Read as'}:** {escaped(form.words)}. {so} {renamed} {doubt}".rstrip()


def _read(file: File, form: Form) -> None:
    st.session_state["draft_turn"] = turn() + 1
    st.session_state.update(draft=None, draft_problem="")  # the memory of the last one is free while this one is read
    try:
        st.session_state["draft"] = uploads.read(file.content, file.name, form)
    except DpcoreError as error:
        st.session_state["draft_problem"] = f"{file.name}: {plain(error)}"


def _sheet(ways: tuple[Seen, ...], key: str) -> Seen:
    """The sheet that its holder wants: at first the one with most columns."""
    names = [way.form.name for way in ways if isinstance(way.form, Sheet)]
    sizes = dict(zip(names, map(_size, ways), strict=True))
    hold(f"read_sheet_{key}")
    chosen = st.selectbox(
        "Sheet",
        names,
        index=ways.index(best(ways)),
        format_func=lambda name: escaped(name) + sizes[name],
        key=f"read_sheet_{key}",
        width=440,
        help="At first the sheet with most columns is read.",
    )
    return ways[names.index(chosen)]


def _size(way: Seen) -> str:
    return f": {counted(way.rows, ' rows')}, {counted(way.columns, ' columns')}" if way.rows else ""


def _asked(detected: Format | Sheet, key: str, place: int) -> Form | None:
    """How it is to be read; None where two choices exclude each other, in a sentence."""
    with st.container(horizontal=True):
        names = _names(detected.names, f"{key}_{place}")
        own = {one.name for one in fields(detected)}
        asked = [name for name in _ASKED if name in own]
        place_of = f"_{place}" if isinstance(detected, Sheet) else ""  # each sheet has its own
        chosen = {
            name: _choice(*_ASKED[name], getattr(detected, name), f"read_{name}_{key}{place_of}", _TEXTS if place_of else None)
            for name in asked
        }
    if chosen["thousands"] == chosen["decimal"]:
        st.error("One mark cannot stand both between thousands and before the decimals. Change one of the two.")
        return None
    return replace(detected, **chosen, names=names)


def _names(detected: HeaderLines, key: str) -> HeaderLines:
    hold(f"read_first_{key}")
    first = st.number_input(
        "Names begin in line",
        1,
        LAST_LINE,
        detected.first,
        key=f"read_first_{key}",
        width=180,
        help="The line that names the columns. Lines are counted from 1, empty ones too. What stands above is not read.",
    )
    lines = _choice("Names stand in", _LINES, detected.lines, f"read_lines_{key}")
    return HeaderLines(int(first), int(lines))


_TEXTS = "Of numbers that the workbook holds as text. Those that it holds as numbers need nothing."


def _choice(label: str, known: dict[Any, str], detected: Any, key: str, told: str | None = None) -> Any:
    hold(key)
    listed = list(known)
    return st.selectbox(label, listed, index=listed.index(detected), format_func=known.__getitem__, key=key, width=180, help=told)
