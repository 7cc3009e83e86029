"""The first line of the first screen: what this is, and where to begin."""

from __future__ import annotations

import streamlit as st

from pages.server.contents import link_to
from pages.state import state

SENTENCE = "**What does it cost to publish an answer, and to protect those it is about?** Move a slider, or begin with"
# Whoever uses no mouse comes to the sliders without passing all that chooses the question
_SKIP = """<style>
.skip { position: absolute; left: -9999px; }
.skip:focus { position: fixed; top: 0.5rem; left: 40%; z-index: 999999; padding: 0.4rem 0.8rem; outline: 2px solid; }
.skip:focus { background: Canvas; }
.st-key-ways_in { margin-bottom: -0.7rem; }
.st-key-ways_in a, .st-key-ways_in button { min-height: 0; padding: 0 0.35rem; text-decoration: underline; }
</style>
<nav aria-label="Sliders">
<a class="skip" href="#how-sensitive-is-it">Skip to the trials m</a>
<a class="skip" href="#how-many-trials-do-i-need">Skip to γ</a>
<a class="skip" href="#what-would-be-published">Skip to ε</a>
</nav>"""


def show() -> None:
    """A sentence, and a way to somebody's own file, to a lesson, and to the example."""
    with st.container(gap=None, key="ways_in"):
        st.html(_SKIP)
        with st.container(horizontal=True, vertical_alignment="center", gap="xxsmall"):
            st.markdown(f":small[{SENTENCE}]", width="content")
            st.page_link(link_to("your_data"), label="your own file")
            st.page_link(link_to("learn"), label="a lesson")
            st.button("the example", key="back", type="tertiary", on_click=_example)


def _example() -> None:
    """It is shown, and what was shown before can be brought back."""
    before, example = state.scenario(), state.example()
    state.anew(example)
    if before != example:
        state.offer_undo(scenario=before)
        state.say("The example is shown.")
