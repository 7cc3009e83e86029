"""Where no part of a page ever speaks: a browser, or a policy on the way to it, that runs none of them.

Such a part cannot say that it failed. The part that says which tab this is speaks as soon as any can: until it has been heard, a
timer of the page looks whether it has; then there is no timer any more.
"""

from __future__ import annotations

import streamlit as st

from pages.state import hand, tab

_EVERY = 2.0  # seconds
_TIMES = 4  # which a busy computer needs too
_KEY = "silence"  # how often nothing was heard; -1 in the run of the page itself


def heed() -> None:
    """Give up what follows the hand where nothing speaks for some seconds."""
    if tab.known() is None:
        st.session_state[_KEY] = -1
        _look()


@st.fragment(run_every=_EVERY)
def _look() -> None:
    st.session_state[_KEY] = times = st.session_state.get(_KEY, 0) + 1
    if times >= _TIMES and tab.known() is None:
        hand.failed()
        st.rerun()
