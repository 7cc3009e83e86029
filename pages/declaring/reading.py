"""Your data: the file, how it is read, and the preview of its first rows."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pandas as pd
import streamlit as st

from dpcore.base.text import counted
from dpcore.errors import DpcoreError
from pages.declaring.draft import Draft, File, begin, forget_form
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.tables import DATA
from pages.files.form import DECIMALS, DELIMITERS, ENCODINGS, LAST_LINE, THOUSANDS, Format, HeaderLines
from pages.files.tables import Form, Parquet, Seen, Sheet, best, proposed
from pages.files.text_detection import first_lines
from pages.server.page_list import link_to
from pages.widgets import guarantees, notices

_EXAMPLE = "hospital_stays.csv"
_PARTS = {
    "delimiter": ("Between columns", DELIMITERS),
    "decimal": ("Decimals", DECIMALS),
    "thousands": ("Between thousands", THOUSANDS),
    "encoding": ("Encoding", ENCODINGS),
}
_LINES = {0: "no line: Column 1, Column 2, …", 1: "one line", 2: "two lines, joined", 3: "three lines, joined"}
_ROWS = 5  # of the preview
_MOST_LINES = 20  # that are shown as they are
_LONGEST = 200  # characters of a line or a cell


def ask_file() -> Draft | None:
    """Return the file on the page, as a new draft if it is a new one."""
    uploaded = st.file_uploader("A CSV, Excel, ODS or Parquet file of at most 50 MB", key="file", on_change=_leave_example)
    notices.mend_drop_zones()
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("Your file stays in this server's memory until some minutes after you close the tab.", width="content")
        st.page_link(link_to("about"), label="Limits of a file")
        st.button("Try a simulated hospital's file", key="try_example", on_click=_take_example, icon=":material/science:")
        st.download_button(
            "Download it",
            (DATA / _EXAMPLE).read_bytes(),
            _EXAMPLE,
            "text/csv",
            key="example_file_itself",
            on_click="ignore",
            icon=":material/download:",
            help="1,200 simulated stays of 800 patients, with a title above the names of columns, semicolons, decimal commas, "
            "units, codes for missing values and a line of totals.",
        )
    draft: Draft | None = st.session_state.get("draft")
    key = "example" if "example_file" in st.session_state else None if uploaded is None else uploaded.file_id
    if key is None or (draft is not None and draft.file.key == key):
        return draft
    draft = st.session_state["draft"] = None  # so the memory of the last table is free
    file = File(_EXAMPLE, (DATA / _EXAMPLE).read_bytes(), key)
    if uploaded is not None and key != "example":
        file = File(uploaded.name, uploaded.getvalue(), key)
    try:
        return begin(file, proposed(file.content), "")
    except DpcoreError as error:
        return begin(file, (), f"{file.name}: {plain(error)}")


def _leave_example() -> None:
    st.session_state.pop("example_file", None)


def _take_example() -> None:
    st.session_state["example_file"] = True
    st.session_state.pop("draft", None)


def show(draft: Draft) -> None:
    """Show how the file is read, what of that can be changed, and its first rows as they are read."""
    if draft.ways and draft.shown:
        said = st.empty()
        form = _ask_form(draft)
        if form is not None:
            draft.read(form)
            said.markdown(_form_words(draft, form))
    if draft.problem:
        st.error(escaped(draft.problem))
    elif draft.table is not None and draft.shown:
        for_you = "" if draft.public else ": for you only, and only before you use the table"
        st.markdown(f"**First rows as they are read**{for_you}")
        if not draft.public:
            guarantees.show_badge(guarantees.CONFIDENTIAL)
        rows = {name: values[:_ROWS] for name, values in draft.table.values.items()}
        short = {name: values.astype(f"U{_LONGEST}") if values.dtype.kind == "U" else values for name, values in rows.items()}
        st.dataframe(pd.DataFrame(short), key="preview", hide_index=True, alt="The first rows of the file as they are read.")
    elif draft.table is not None:
        st.markdown("A confidential file is shown once, before you use it. Upload it again to read it in another way.")


def _form_words(draft: Draft, form: Form) -> str:
    """Return how the file is read: as detected or as its user says, with renamed columns and doubtful numbers."""
    way, said = _detected(draft, form), f"**Detected:** {escaped(form.words)}."
    if form != way.form:
        said = f"**Read as:** {escaped(form.words)}. Detected was: {escaped(way.form.words)}."
    renamed = () if draft.table is None else draft.table.renamed
    marks = {(one.decimal, one.thousands) for one in (form, way.form) if isinstance(one, Format)}
    doubt = ""
    if way.in_doubt and len(marks) == 1:
        doubt = (
            f"**Its numbers can be read in two ways:** 1{marks.pop()[0]}234 is read as a little more than one. If it is more "
            "than a thousand, choose that mark between thousands, and the other one for decimals."
        )
    return " ".join(filter(None, [said, *map(escaped, renamed), doubt]))


def _detected(draft: Draft, form: Form) -> Seen:
    """Return what was detected of the file, or of this sheet."""
    same = (way for way in draft.ways if isinstance(form, Sheet) and isinstance(way.form, Sheet) and way.form.name == form.name)
    return next(same, best(draft.ways))


def _ask_form(draft: Draft) -> Form | None:
    """Return how the file is to be read, or None if two choices exclude each other."""
    form: Form = draft.form or best(draft.ways).form
    if isinstance(form, Parquet):
        return form
    if isinstance(form, Sheet) and len(draft.ways) > 1:
        form = _ask_sheet(draft, form)
    with st.expander("Read it another way, or look at its first lines"):
        found = _ask_parts(form)
        _show_lines(draft, found or form)
    return found


def _ask_sheet(draft: Draft, form: Sheet) -> Sheet:
    """Return the form of the chosen sheet: as it is read now, or as it was detected if it is another one."""
    sheets = {way.form.name: way for way in draft.ways if isinstance(way.form, Sheet)}
    sizes = {
        name: f": {counted(way.rows, ' rows')}, {counted(way.columns, ' columns')}" for name, way in sheets.items() if way.rows
    }
    st.session_state.setdefault("read_sheet", form.name)
    chosen: str = st.selectbox(
        "Sheet",
        list(sheets),
        format_func=lambda name: escaped(name) + sizes.get(name, ""),
        key="read_sheet",
        width=440,
        help="The sheet with most columns is read first.",
    )
    other = sheets[chosen].form
    if chosen == form.name or not isinstance(other, Sheet):
        return form
    forget_form(besides="read_sheet")
    return other


def _ask_parts(form: Format | Sheet) -> Form | None:
    with st.container(horizontal=True):
        st.session_state.setdefault("read_first", form.names.first)
        first = st.number_input(
            "Names begin in line",
            1,
            LAST_LINE,
            key="read_first",
            width=180,
            help="The line that names the columns. Empty lines count too. Lines above it are not read.",
        )
        lines = _ask_part("Lines of names", _LINES, form.names.lines, "read_lines")
        parts = {
            part: _ask_part(label, known, getattr(form, part), f"read_{part}")
            for part, (label, known) in _PARTS.items()
            if part in {field.name for field in fields(form)}
        }
    if parts["thousands"] == parts["decimal"]:
        st.error("One mark cannot be both between thousands and before the decimals. Change one of the two.")
        return None
    return replace(form, **parts, names=HeaderLines(int(first), int(lines)))


def _ask_part(label: str, known: dict[Any, str], now: Any, key: str) -> Any:
    return st.selectbox(label, list(known), index=list(known).index(now), format_func=known.__getitem__, key=key, width=180)


def _show_lines(draft: Draft, form: Form) -> None:
    """Show the raw first lines on request. Nothing of them is sent before."""
    if not st.toggle("Show the first lines as they are", key="read_raw"):
        return
    try:
        lines = first_lines(draft.file.content, form, _MOST_LINES) if isinstance(form, Format) else _detected(draft, form).lines
    except DpcoreError as error:
        lines = [plain(error)]
    if not draft.public:
        guarantees.show_badge(guarantees.CONFIDENTIAL)
    st.code("\n".join(line[:_LONGEST] for line in lines) or " ", language=None, line_numbers=True, wrap_lines=True)
