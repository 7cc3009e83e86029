"""Loading a file that was saved: what will change is said first, and then it is loaded, or all is left as it is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from dpcore.errors import TableError
from pages.files.tables import Table
from pages.reports.saved.everything import Saved
from pages.shared.escape import escaped
from pages.state import ledger, place, state
from pages.state.saved import loaded_file, writing
from pages.wording.sentences import plain

# The place where a file is dropped, put right for those who hear the page: Streamlit calls it an ornament, and names it all
# the same.


_KEY = "dropzone"
_JS = """
export default function () {
  const zones = '[data-testid="stFileUploaderDropzone"][role="presentation"]';
  const mend = () => { for (const zone of document.querySelectorAll(zones)) { zone.setAttribute("role", "group"); } };
  const watching = new MutationObserver(mend);
  watching.observe(document.body, { attributeFilter: ["role"], childList: true, subtree: true });
  mend();
  return () => watching.disconnect();
}
"""


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, html="<span hidden></span>", js=_JS)
    return component


def mend(key: str = _KEY) -> None:
    """From now on, while the page is shown, each such place is a group with its name: its button and its files. ``key``: of a
    part that may stand beside another one that asks for the same."""
    _component()(key=key)


# Saving everything of a table as one file; it offers itself once something would be lost.


_NAME = "settings.json"
_FORGETS = "**This server forgets the ledger when it restarts: save it.**"
_HELP = (
    "How the table is declared, the question shown, pins and list, the plan, the ledger with its answers, and the budget. "
    "Do not publish the file: it holds a digest of the table, which confirms a guess of its values. If your "
    "browser cannot write it, as on a full disk, nothing is lost here: make room and press again."
)


def show(table: Table) -> None:
    """The button, and why to press it."""
    with st.container(horizontal=True, vertical_alignment="center", key="saving"):
        st.download_button(
            "Save all of this",
            writing.everything(table),
            _NAME,
            "application/json",
            key="save_all",
            on_click="ignore",
            icon=":material/save:",
            help=_HELP,
        )
        if writing.worth_it(table):
            st.markdown(_FORGETS, width="stretch")


def incomplete(table: Table) -> None:
    """That what came from a file may not be all."""
    if said := ledger.book().incomplete(table):
        st.markdown(f":material/draft: {said}")


_NEW, _OTHER = "Yes, of {}", "No, it is another table"
_BEFORE, _NOT = "Yes, before all of them", "No, or I do not know"


def drop(label: str, where: str) -> None:
    """Where a file is dropped; the same one can be dropped again. ``where``: on the page, for there may be two."""
    mend(f"dropzone_{where}")
    key = f"saved_{where}_{st.session_state.get('saved_turn', 0)}"
    st.file_uploader(label, type=["json"], key=key, on_change=_take, args=(key,), max_upload_size=8)
    if problem := st.session_state.pop("saved_problem", ""):
        st.error(escaped(problem))
    elif loaded_file.current() is not None:
        st.markdown(":material/arrow_upward: What the file would change stands at the top of this page.")


def _take(key: str) -> None:
    file = st.session_state[key]
    if file is None:
        return
    state.begin()
    st.session_state["saved_turn"] = st.session_state.get("saved_turn", 0) + 1
    try:
        saved = loaded_file.take(file.name, file.getvalue())
    except TableError as error:
        st.session_state["saved_problem"] = f"{file.name}: {plain(error)} Nothing was changed."
        return
    if saved.table is None and saved.views is None:
        loaded_file.leave()
        st.session_state["saved_problem"] = (
            f"{file.name} says how a table is declared. Drop the table on the page Your data, then load the file below it. "
            "Nothing was changed."
        )


def offer() -> None:
    """On every page, while a file waits: what it would change here, and the two ways on."""
    found = loaded_file.current()
    if found is None or place.presenting():
        return
    with st.container(border=True, key="saved_offer"):
        day = f", saved on {found.saved.made}" * bool(found.saved.made)
        st.markdown(f"The file **{escaped(found.name)}**{day}")
        table = loaded_file.table_of(found.saved)
        if found.saved.table is not None and table is None:
            table = _asked_which(found.saved)
            if table is None:
                st.button("Leave all as it is", key="saved_leave", on_click=loaded_file.leave)
                return
        _ask(found, table)


def _asked_which(saved: Saved) -> Table | None:
    """The table that it is by its holder's word; None where that was not said, and why the file cannot be loaded yet."""
    assert saved.table is not None
    doubtful = writing.in_doubt(saved.table, state.tables())
    if not doubtful:
        st.markdown(escaped(writing.not_here(saved.table)))
        return None
    titles = {_NEW.format(table.title or table.name): table for table in doubtful}
    said = st.radio(
        f"The file is of “{escaped(saved.table.title)}”, with the columns of a table that is here and with other values. Is that "
        "table a new version of it? A new version is about the same people or things, and what was released of the earlier one "
        "counts for it too.",
        [*titles, _OTHER],
        index=None,
        key="saved_version",
    )
    if said == _OTHER:
        st.markdown(escaped(writing.not_here(saved.table)))
    return titles.get(str(said))


def _ask(found: loaded_file.Waiting, table: Table | None) -> None:
    first = False
    shown = loaded_file.offer(found.saved, table, first=False)
    if shown.joined is not None and shown.joined.asks:
        said = st.radio(
            "This tab has answers that the file does not know of. Was the plan of the file fixed before them? Say yes only if "
            "you know it: the guarantee of what was planned then rests on your word.",
            [_BEFORE, _NOT],
            index=None,
            key="saved_first",
            horizontal=True,
        )
        if said is None:
            st.button("Leave all as it is", key="saved_leave", on_click=loaded_file.leave)
            return
        first = said == _BEFORE
        shown = loaded_file.offer(found.saved, table, first=first)
    said = "\n".join(f"- {escaped(sentence)}" for sentence in shown.said)
    st.markdown(f"**If you load it:**\n\n{said}" if shown.changes else f"Nothing would change: all of it is here.\n\n{said}")
    with st.container(horizontal=True):
        if shown.changes:
            st.button(
                "Load it",
                key="saved_load",
                icon=":material/upload:",
                on_click=partial(loaded_file.load, shown, first=first),
            )
        st.button("Leave all as it is", key="saved_leave", on_click=loaded_file.leave)
