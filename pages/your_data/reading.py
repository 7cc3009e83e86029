"""How an uploaded file is read: what was detected, said and proposed to its holder, who can change each part of it."""

from __future__ import annotations

from dataclasses import fields

import streamlit as st

from dpcore.errors import DpcoreError
from pages.files.csv_columns.format import DECIMALS, DELIMITERS, ENCODINGS, THOUSANDS, Format
from pages.files.tables import Form, Sheet, proposed
from pages.reports.saved.everything import is_saved
from pages.server import uploads
from pages.shared.escape import escaped
from pages.wording.sentences import plain
from pages.your_data import kept_declarations, persons_form

_ASKED = {
    "delimiter": ("Between columns", DELIMITERS),
    "decimal": ("Decimals", DECIMALS),
    "thousands": ("Between thousands", THOUSANDS),
    "encoding": ("Encoding", ENCODINGS),
}


def turn() -> int:
    """How often this tab has read a file: what was read off one reading says nothing of the next."""
    return int(st.session_state.get("draft_turn", 0))


def show(content: bytes, name: str, file_id: str) -> None:
    """Read a new file as it seems to be written, or again as its holder says; a refusal is a sentence."""
    if st.session_state.get("draft_file") != file_id:
        st.session_state["draft_file"] = file_id
        persons_form.forget()
        st.session_state.pop("new_version", None)
        _propose(content, name)
        if kept_declarations.recall(content):
            st.rerun()
    form = _asked(st.session_state["draft_forms"], file_id)
    if form is not None and form != st.session_state["draft_read_as"]:
        st.session_state["draft_read_as"] = form
        _read(content, name, form)
    if st.session_state["draft_problem"]:
        st.error(escaped(st.session_state["draft_problem"]))


def _propose(content: bytes, name: str) -> None:
    st.session_state.update(draft=None, draft_content=b"", draft_problem="", draft_forms=(), draft_read_as=None)
    if is_saved(content):
        st.session_state["draft_problem"] = f"{name} is a settings file. Drop the table first, then load its settings below it."
        return
    try:
        st.session_state["draft_forms"] = proposed(content)
    except DpcoreError as error:
        st.session_state["draft_problem"] = f"{name}: {plain(error)}"


def _read(content: bytes, name: str, form: Form) -> None:
    st.session_state["draft_turn"] = turn() + 1
    st.session_state.update(draft=None, draft_problem="")  # the memory of the last one is free while this one is read
    try:
        st.session_state["draft"], st.session_state["draft_content"] = uploads.read(content, name, form), content
    except DpcoreError as error:
        st.session_state["draft_problem"] = f"{name}: {plain(error)}"


def _asked(forms: tuple[Form, ...], file_id: str) -> Form | None:
    """The form that its holder wants; None where there is none."""
    if not forms:
        return None
    said = st.empty()
    first = forms[0]
    form = _written(first, file_id) if isinstance(first, Format) else _chosen(forms, file_id)
    if form is not None:
        said.markdown(
            f"**Read as:** {escaped(form.words)}. This is what the file looks like; once you use the table, it stays so."
        )
    return form


def _chosen(forms: tuple[Form, ...], file_id: str) -> Form:
    """One of the sheets, where there are several."""
    if len(forms) == 1:
        return forms[0]
    names = [form.name for form in forms if isinstance(form, Sheet)]
    name = st.selectbox("Sheet", names, format_func=escaped, key=f"read_sheet_{file_id}", width=440)
    return forms[names.index(name)]


def _written(detected: Format, file_id: str) -> Format | None:
    """How text is written; None where two choices exclude each other, in a sentence."""
    with st.expander("Read it another way"), st.container(horizontal=True):
        chosen = {
            name: st.selectbox(
                label,
                list(known),
                index=list(known).index(getattr(detected, name)),
                format_func=known.__getitem__,
                key=f"read_{name}_{file_id}",
                width=180,
            )
            for name, (label, known) in _ASKED.items()
        }
    if chosen["thousands"] == chosen["decimal"]:
        st.error("One mark cannot stand both between thousands and before the decimals. Change one of the two.")
        return None
    return Format(**{field.name: chosen[field.name] for field in fields(Format)})
