"""On every page: how it looks, and sentences on the last change. In the place of a page: what a link to a missing table asks."""

from __future__ import annotations

import streamlit as st

from pages import state
from pages.ledger import session as ledger
from pages.old.shared.escape import escaped

FORGOTTEN = (
    "This browser released answers before, and this server has forgotten them: it was restarted, or it is another one. A release "
    "may have been interrupted. So the ledger here may lack answers. Noise is no longer sized by trials in this browser, only to "
    "proved worst cases. If you saved the ledger, load the file on the page Release before you release more."
)

# Over what is at the bottom of the window, so that no chart jumps
_OVER = """<style>
[data-testid="stLayoutWrapper"]:has(> .st-key-notices) {
  position: fixed; left: 2rem; right: 2rem; bottom: 1rem; z-index: 99; width: auto; max-height: 40vh; overflow: auto;
}
.st-key-notices { backdrop-filter: blur(16px); border-radius: 0.5rem; gap: 0.4rem; }
[data-testid="stMain"]:has(.st-key-notices) [data-testid="stMainBlockContainer"] { padding-bottom: 10rem; }
</style>"""


def show(*, over: bool = False) -> None:
    """What stands, and the sentences of the last change. ``over`` what else is on the page."""
    show_standing()
    show_last(over=over)


def show_standing() -> None:
    """On every page: that a ledger was lost."""
    if ledger.book().lost:
        st.warning(FORGOTTEN, icon=":material/history_toggle_off:")


def show_last(*, over: bool = False) -> None:
    """The sentences of the last change, and the way back."""
    if over:
        st.html(_OVER)
    with st.container(key="notices"):  # there at each run, so that what follows keeps its place, and with it the focus
        for sentence in state.notices():
            st.warning(escaped(sentence), icon=":material/info:")
        if "undo" in st.session_state:
            st.button("Undo", key="undo_button", on_click=state.undo, icon=":material/undo:")


# How every page looks, where Streamlit has no setting for it.


# A button that copies is seen, not only under a pointer. A toast stands below, where it covers no button.
# A wide chart has both, names at its lines and a second legend of them: where the window is narrow, that is what can be read.
_LOOKS = """<style>
[data-testid="stCode"] div:has([data-testid="stElementToolbarButton"]) { visibility: visible !important; opacity: 1 !important; }
[data-testid="stToastContainer"] { inset-block: auto 1rem !important; }
[class*="st-key-enlarge_"] button { min-height: 0; min-width: 0; padding: 0.15rem 0; }
@media (max-width: 899px) { [class*="st-key-enlarge_"] { display: none; } }
[class*="st-key-enlarge_"] p {
  position: absolute; width: 1px; overflow: hidden; clip-path: inset(50%);
}
[class*="st-key-wide_"] svg text { fill: currentColor !important; }
@media (min-width: 900px) { [class*="st-key-wide_"] .legend2 { display: none; } }
</style>"""


# the light blue of a dark page has too little contrast with white
_ON_DARK = '<style>[data-testid="stBaseButton-primary"]:not(:disabled) p { color: #0e1117; }</style>'


def show_style() -> None:
    """At the top of each page."""
    st.html(_LOOKS + _ON_DARK * (st.context.theme.type == "dark"))
