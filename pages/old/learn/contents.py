"""The list of lessons: what each is about, and what of it this tab has seen."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from pages.old.learn import guess, opening
from pages.old.learn.found import Lesson

_STYLE = """<style>
[class*="st-key-to_lesson_"] button { min-height: 2rem; padding: 0; }
[class*="st-key-to_lesson_"] button p { font-size: 1rem; font-weight: 600; text-decoration: underline; }
</style>"""


def show(every: tuple[Lesson, ...], go: Callable[[opening.Place], None]) -> None:
    """One under another, in two columns where there is room."""
    st.html(_STYLE)
    half = (len(every) + 1) // 2
    for start, box in zip((0, half), st.columns(2, gap="large"), strict=True):
        with box:
            for number, one in enumerate(every[start : start + half], start + 1):
                _row(number, one, go)


def _row(number: int, one: Lesson, go: Callable[[opening.Place], None]) -> None:
    key, first = f"to_lesson_{one.name}", next(iter(one.steps))
    with st.container(gap=None):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.button(f"{number}. {one.words.title}", key=key, type="tertiary", on_click=go, args=((one.name, first),))
            st.markdown(_seen(one), width="content")
        st.markdown(f":small[{_short(one)}]")


def _short(one: Lesson) -> str:
    """The first sentence of what it is about."""
    return f"{one.words.about.partition('. ')[0].rstrip('.')}."


def _seen(one: Lesson) -> str:
    seen, steps = guess.looked_at(one), len(one.steps)
    if seen == steps:
        return ":green[:material/check_circle: **Done**]"
    return f"**{seen} of {steps} steps done**" if seen else f":small[{steps} steps]"
