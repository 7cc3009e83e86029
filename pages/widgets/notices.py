"""Parts of all pages: the style, messages, errors of plug-in classes, and opening another page with a scenario."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import streamlit as st

import dpcore
from dpcore.errors import DpcoreError
from pages import state
from pages.escape import escaped
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import Scenario
from pages.ledger import session as ledger
from pages.server.page_list import link_to

_LIBRARY = Path(dpcore.__file__).parent
_FOLDERS = ("targets", "curves", "oracles", "mechanisms", "answers")  # of plug-in classes
_log = logging.getLogger(__name__)
_FORGOTTEN = (
    "This browser has released answers, and this server has forgotten them: it restarted, or it is another server. A release "
    "may have been interrupted, so the ledger here may lack answers. In this browser, noise is no longer sampled, only sized to "
    "proved worst cases. If you saved the ledger, load the file on the page Release before you release more."
)
_STYLE = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-notices) {
  position: fixed; right: 1.5rem; bottom: 1rem; z-index: 99; width: auto;
  max-width: min(36rem, 90vw); max-height: 40vh; overflow: auto;
}
.st-key-notices { gap: 0.3rem; align-items: flex-end; }
.st-key-notices [data-testid="stAlert"] { background: var(--st-background-color); border-radius: 0.5rem; }
</style>"""
# Buttons that copy are visible without a pointer. A toast is at the bottom, where it covers no button. Ticks and titles
# of axes, and numbers beside bars, have too little contrast in Streamlit's own colour.
_ALL_PAGES = """<style>
[data-testid="stCode"] div:has([data-testid="stElementToolbarButton"]) { visibility: visible !important; opacity: 1 !important; }
[data-testid="stToastContainer"] { inset-block: auto 1rem !important; }
[data-testid="stPlotlyChart"] svg :is(g[class*="tick"] text, text[class*="title"], .bartext-outside) {
  fill: currentColor !important;
}
</style>"""
# The light blue of a dark page has too little contrast with white.
_ON_DARK = '<style>[data-testid="stBaseButton-primary"]:not(:disabled) p { color: #0e1117; }</style>'


def show_style() -> None:
    """Add the styles that Streamlit has no setting for."""
    st.html(_ALL_PAGES + _ON_DARK * (st.context.theme.type == "dark"))


def show() -> None:
    """Show a warning if a ledger was lost, and the messages about the last change."""
    show_lost_ledger()
    show_last_change()


def show_lost_ledger() -> None:
    """Show a warning if this server has forgotten answers that the browser released."""
    if ledger.book().lost:
        st.warning(_FORGOTTEN, icon=":material/history_toggle_off:")


def show_last_change() -> None:
    """Show the messages about the last change. They overlay a corner, so nothing moves."""
    st.html(_STYLE)
    with st.container(key="notices"):  # present in each run, so later elements keep their position and the focus
        for sentence in state.notices():
            st.warning(escaped(sentence), icon=":material/info:")


def guarded(draw: Callable[[], object]) -> None:
    """Draw a part of the page. If a plug-in class raises an error, show a message instead.

    Args:
        draw: Draws the part.
    """
    try:
        draw()
    except DpcoreError as error:
        st.error(escaped(plain(error)), icon=":material/error:")
    except Exception as error:
        frames = [one for one in traceback.extract_tb(error.__traceback__) if _is_plugin(Path(one.filename))]
        if not frames:
            raise
        file, function = str(Path(frames[-1].filename).relative_to(_LIBRARY.parent)), frames[-1].name
        _log_once(file, function, type(error).__name__)
        st.error(
            f"**This could not be shown.** `{escaped(function)}` in `{escaped(file)}` raised {type(error).__name__}. Choose "
            "another target, oracle or mechanism, or correct that file. What you chose stays.",
            icon=":material/error:",
        )
        st.button("Show the example", key="leave_failed", on_click=lambda: state.anew(state.example()))


def _is_plugin(file: Path) -> bool:
    """Return whether a file defines plug-in classes, and not their base class."""
    in_folder = any(file.is_relative_to(_LIBRARY / folder) for folder in _FOLDERS)
    return in_folder and file.name not in ("base.py", "answer.py")


@cache
def _log_once(file: str, function: str, kind: str) -> None:
    """Log an error once, without its message, which could quote a value."""
    _log.warning("%s raised %s in %s: the page says so. Correct the file.", file, kind, function)


def open_page(name: str, scenario: Scenario) -> None:
    """Open a page with a scenario.

    Args:
        name: Name of the page in the address.
        scenario: The scenario.
    """
    state.anew(scenario)
    st.switch_page(link_to(name))


# Streamlit gives the drop zone of an uploader a name, but the role ``presentation``, which hides the name from screen readers.
_DROP_ZONE_JS = """
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
def _drop_zone_component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component("dropzone", html="<span hidden></span>", js=_DROP_ZONE_JS)
    return component


def mend_drop_zones() -> None:
    """Give all drop zones of the page the role ``group``."""
    _drop_zone_component()(key="dropzone")
