"""Links and scripts that a user takes away."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from dpcore.errors import DpcoreError
from pages import address, state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.exports import ExportError
from pages.exports.script import notebook, script_of_release
from pages.ledger import session as ledger
from pages.ledger.entry import Entry
from pages.widgets.controls import while_open

_FILE = "made_with_dpcore"  # a name that no import of the script can find in place of dpcore
_ABOUT_RELEASE = (
    "**Script.** About 30 lines of dpcore that give the same k, Δ̂ and noise without this app. They release the answer of a "
    "simulated table, because they hold no confidential row."
)


def show_link(page: str, *, with_list: bool = False) -> None:
    """Show a popover with the link to a page.

    Args:
        page: Name of the page in the address.
        with_list: Add the list of questions to the link.
    """

    def build() -> None:
        try:
            link = address.link_to(state.scenario(), page, with_list=with_list)
        except TypeError:
            st.markdown("A link can only hold targets, oracles and mechanisms of dpcore. This scenario has another one.")
        except DpcoreError as error:
            st.markdown(escaped(plain(error)))
        else:
            st.markdown("**Link.** It opens this page with all settings and the seed. It holds no data.")
            st.code(link, language=None, wrap_lines=True)

    while_open(st.popover("Link", key="link", on_change="rerun", icon=":material/link:"), build)


def show_released(entry: Entry) -> None:
    """Show a box with the script of a release.

    Args:
        entry: The release.
    """

    def build() -> None:
        show_code(lambda: script_of_entry(entry), _ABOUT_RELEASE, entry.ticket)

    while_open(st.popover("Code", key=f"code_{entry.ticket}", on_change="rerun", icon=":material/code:"), build)


def script_of_entry(entry: Entry) -> str:
    """Return the script of a release in this session."""
    settings = entry.about.settings
    table = None if settings is None else state.tables().get(settings["table"])
    return script_of_release(entry, table, ledger.book().entries)


def show_code(make: Callable[[], str], about: str, key: str) -> None:
    """Show a script and its notebook to download, or the reason if they cannot be made.

    Args:
        make: Returns the script.
        about: A text on the script.
        key: End of the keys of the buttons.
    """
    try:
        code = make()
    except DpcoreError as error:
        problem = f"A script cannot be made. {error}" if isinstance(error, ExportError) else plain(error)
        st.markdown(escaped(problem))
        return
    st.markdown(about)
    with st.container(horizontal=True):
        download("Script", code, f"{_FILE}.py", "text/x-python", f"script_{key}")
        download("Notebook", notebook(code), f"{_FILE}.ipynb", "application/x-ipynb+json", f"notebook_{key}")


def download(label: str, content: str | Callable[[], str], file: str, kind: str, key: str) -> None:
    """Show a button that downloads a file.

    Args:
        label: Its label.
        content: The content, or a function that returns it when the button is clicked.
        file: Name of the file.
        kind: Its media type.
        key: Key of the button.
    """
    st.download_button(label, content, file, kind, key=key, on_click="ignore", icon=":material/download:")
