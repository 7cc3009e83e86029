"""Learn: lessons of a few minutes, and the papers' figures and tables beside ours."""

from __future__ import annotations

import streamlit as st

from data.exhibits.exhibit import gallery as exhibits
from pages.old.learn import lesson, opening
from pages.old.shared import frame
from pages.old.state import place
from pages.widgets import gallery, notices
from pages.widgets.charts import CONFIG
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
    if shown == _LESSONS:
        lesson.show()
    elif place.presenting():
        _on_a_wall()
    else:
        with st.container(horizontal=True):
            frame.present_button()
        gallery.show(st.query_params.get(gallery.NAME, ""))


def _on_a_wall() -> None:
    """One chart at a time."""
    slides = gallery.slides()
    walk = [tuple(sorted(address.items())) for address, _, _ in slides]
    said = tuple(sorted({"exhibit": place.of("exhibit"), "panel": place.of("panel") or "1"}.items()))
    at = walk.index(said) if said in walk else 0
    _, title, chart = slides[at]
    st.markdown(f"## {title}")
    st.plotly_chart(chart.figure(size=20), key=f"exhibit_{at}", config=CONFIG, alt=chart.alt)
    frame.ways_on_a_wall(walk, walk[at], lambda to: place.go_to(dict(to)))


def _turn(to: str) -> None:
    """Show the lessons or the figures, from the first on."""
    place.go_to(dict.fromkeys(PLACES, "") | ({} if to == _LESSONS else {"exhibit": next(iter(exhibits()))}))
