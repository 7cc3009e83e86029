"""A file to try with: a made-up hospital's list of stays, as its system would write it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.experiment.tables import DATA
from pages.old.your_data.reading import File
from pages.server.page_list import link_to

_NAME = "hospital_stays.csv"
_KEY = "example_file"


def brought(uploaded: Any, on_another: Callable[[], None]) -> File | None:
    """The file that is on the page: the one that was uploaded, or the example, whichever came last."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown("No file at hand?", width="content")
        st.button("Try a made-up one", key="try_example", on_click=_take, args=(on_another,), icon=":material/science:")
        st.download_button(
            "Download it",
            (DATA / _NAME).read_bytes(),
            _NAME,
            "text/csv",
            key="example_file_itself",
            on_click="ignore",
            icon=":material/download:",
            help="1,200 stays of 800 patients who do not exist, in a file as hospitals have it: a title above the names of "
            "columns, semicolons, decimal commas, units, codes for missing values and a line of totals.",
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(
            "Your file stays in this server's memory and is erased some minutes after you close the tab. It is never saved or "
            "sent on.",
            width="content",
        )
        st.page_link(link_to("about"), label="Limits of a file")
    if _KEY in st.session_state:
        return File(_NAME, (DATA / _NAME).read_bytes(), "example")
    return None if uploaded is None else File(uploaded.name, uploaded.getvalue(), uploaded.file_id)


def let_go() -> None:
    """Another file came."""
    st.session_state.pop(_KEY, None)


def _take(on_another: Callable[[], None]) -> None:
    on_another()
    st.session_state[_KEY] = True
