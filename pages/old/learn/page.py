"""Learn: lessons of a few minutes, and the papers' figures and tables beside ours."""

from __future__ import annotations

import streamlit as st

from pages.old.learn import gallery, lesson, opening
from pages.old.shared import frame
from pages.old.state import place
from pages.widgets import notices
from pages.widgets.controls import control

TITLE = "Learn"
ORDER = 4
PLACES = place.OF_LEARN

_LESSONS, _FIGURES = "Lessons", "The papers' figures"
_ABOUT = {
    _LESSONS: (
        "# Lessons\nGuess on a chart, then look: three to five minutes each. "
        "Your guesses and what is done stay in this server's memory and are erased some minutes after you close the tab."
    ),
    _FIGURES: (
        "# The papers' figures, and ours\n"
        "Figures 1 to 9 and Table 1 of the sampler paper, and the examples of two others, made again at their settings: "
        "what agrees, what does not, and why. What you see was computed once and stored. Each leads to a smaller one that is "
        "computed now."
    ),
}


def show() -> None:
    """What is shown, what it is for, and one lesson's step or one exhibit at a time."""
    shown = _FIGURES if place.of("exhibit") and not place.of("lesson") else _LESSONS
    if place.presenting():
        frame.begin_on_a_wall()
    else:
        control(
            st.segmented_control,
            "Shown",
            [_LESSONS, _FIGURES],
            key="learn",
            holds=shown,
            act=_turn,
            label_visibility="collapsed",
            required=True,
        )
        if shown == _FIGURES or opening.at_the_list():
            st.markdown(_ABOUT[shown])
    notices.show()
    if shown == _FIGURES:
        gallery.show()
    else:
        lesson.show()


def _turn(to: str) -> None:
    """Show the lessons or the figures, from the first on."""
    place.go_to(dict.fromkeys(PLACES, "") | ({} if to == _LESSONS else {"exhibit": gallery.first()}))
