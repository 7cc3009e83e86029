"""Learn: lessons of a few minutes, and the papers' figures beside ours."""

from __future__ import annotations

from functools import partial

import streamlit as st

from data.exhibits.exhibit import gallery as exhibits
from pages.escape import escaped
from pages.figures.exhibits import LARGE, TALL
from pages.widgets import gallery, lesson, notices, present
from pages.widgets.controls import control

TITLE = "Learn"
_LESSONS, _FIGURES = "Lessons", "The papers' figures"
_ABOUT = {
    _LESSONS: (
        "# Lessons\nGuess on a chart, then see the answer. Each lesson takes three to five minutes. "
        "The server forgets your guesses some minutes after you close the tab."
    ),
    _FIGURES: (
        "# The papers' figures, and ours\nFigures 1 to 9 and Table 1 of the sampler paper, and the examples of two others, "
        "computed again with the same settings: what agrees, what does not, and why. The results were computed once and stored. "
        "Each exhibit leads to a smaller experiment that is computed now."
    ),
}


def show() -> None:
    """Show the lessons or the papers' figures, whichever the address names."""
    figures = gallery.NAME in st.query_params and "lesson" not in st.query_params
    if "present" in st.query_params:
        with present.page():
            if figures:
                _present_figures()
            else:
                lesson.show_presented()
        return
    shown = _FIGURES if figures else _LESSONS
    look = {"label_visibility": "collapsed", "required": True}
    control(st.segmented_control, "Shown", [_LESSONS, _FIGURES], key="learn_view", holds=shown, act=_turn, **look)
    notices.show()
    if figures:
        st.markdown(_ABOUT[shown])
        st.button("Present", key="present_figures", icon=":material/slideshow:", on_click=present.start_learn)
        gallery.show(st.query_params[gallery.NAME])
    else:
        lesson.show(_ABOUT[shown])


def _turn(to: str) -> None:
    """Show the lessons or the figures, from the first on."""
    st.query_params.clear()
    if to == _FIGURES:
        st.query_params[gallery.NAME] = next(iter(exhibits()))


def _present_figures() -> None:
    """Present the chart in the address; its parameters are those of its slide."""
    slides = gallery.slides()
    named = [query for query, _, _ in slides]
    here = {"panel": "1"} | st.query_params.to_dict()
    at = next((number for number, query in enumerate(named) if query.items() <= here.items()), 0)
    _, title, chart = slides[at]
    st.markdown(f"## {escaped(title)}")
    figure = chart.figure(size=LARGE, height=TALL)
    present.show_figure(figure, f"exhibit_{at}", chart.alt, TALL)
    back, onward = (partial(_go, named[to]) if 0 <= to < len(slides) else None for to in (at - 1, at + 1))
    present.show_buttons(at, len(slides), back, onward, present.leave_learn)


def _go(query: dict[str, str]) -> None:
    st.query_params.update(query)
