"""A page on a wall: nothing but what is presented, in large type, stepped through by keys and buttons."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TypeVar

import streamlit as st

from pages.shared.escape import escaped
from pages.shared.widgets import control
from pages.state import place

# How large the type on a wall is.


SMALLEST = 18.5  # pixels of type on 1280 × 720, for which all is laid out


_BACK, _NEXT = ("Left", "PageUp"), ("Right", "PageDown")  # the second of each is what a remote control sends
_PLAIN = """
[data-testid="stHeader"], [data-testid="stToolbar"] { display: none !important; }
[data-testid="stMainBlockContainer"] { padding: 0.8rem 2rem 3.6rem !important; max-width: none; }
[data-testid="stMainBlockContainer"] small, [data-testid="stMainBlockContainer"] .stMarkdown span { font-size: 1em; }
[data-testid="stMainBlockContainer"] h2 { font-size: 1.4rem; }
.st-key-wall_text h1 { font-size: 2rem; padding-bottom: 1rem; }
.st-key-wall_text p { font-size: 1.45rem; line-height: 1.5; }
@media (min-width: 900px) {
  .st-key-wall_ways { position: fixed; inset: auto 0 0; padding: 0.5rem 2rem; z-index: 1; backdrop-filter: blur(12px); }
}
[class*="st-key-wide_"], [class*="st-key-wide_"] * { overflow: visible !important; }
.st-key-wall_remote:not(:focus-within) { position: absolute; left: -9999px; }
"""
# Everything but charts is measured in heights of the type. A chart is drawn for 1280 × 720, and enlarged as a picture is.
_AS_LARGE = """@media (min-width: {width}px) and (min-height: {height}px) {{
  :root {{ font-size: {type}px !important; }}
  [class*="st-key-wide_"] {{ width: calc(100% / {size}) !important; margin-bottom: calc(var(--chart) * ({size} - 1)); }}
  [class*="st-key-wide_"] .js-plotly-plot {{ transform: scale({size}); transform-origin: top left; }}
}}
"""
_SIZES = [1 + step / 8 for step in range(33)]  # to a screen of 6400 × 3600


def _as_large(size: float) -> str:
    return _AS_LARGE.format(width=round(1280 * size), height=round(690 * size), type=round(SMALLEST * size, 2), size=size)


_STYLE = f"<style>:root {{ font-size: {SMALLEST}px !important; }}{_PLAIN}{''.join(map(_as_large, _SIZES))}</style>"
T = TypeVar("T", bound=Hashable)


def leave() -> None:
    """Back to the whole page."""
    place.go_to({place.PRESENT: "", "panel": ""})


def button() -> None:
    """What begins it."""
    st.button(
        "Present",
        key="present",
        on_click=place.go,
        args=(place.PRESENT, "1"),
        help="On a wall, in large type. Steps by the arrow keys.",
    )


def begin() -> None:
    """The large type, and nothing around what is presented."""
    st.html(_STYLE)


def beside(walk: Sequence[T], at: T) -> tuple[T | None, T | None]:
    """What comes before and after on a walk; None at its ends."""
    number = walk.index(at)
    return walk[number - 1] if number else None, walk[number + 1] if number + 1 < len(walk) else None


def ways(walk: Sequence[T], at: T, go: Callable[[T], None], note: str = "") -> None:
    """Back and forth through what is presented, by buttons and keys; what the speaker may say; and the way out."""
    before, after = beside(walk, at)
    with st.container(horizontal=True, vertical_alignment="center", key="wall_ways"):
        _button("Back", "wall_back", before, go, ":material/arrow_back:", _BACK[0])
        _button("Next", "wall_next", after, go, ":material/arrow_forward:", _NEXT[0])
        st.markdown(f"{walk.index(at) + 1} of {len(walk)}", width="content")
        st.button(
            "Leave", key="wall_leave", icon=":material/close:", on_click=leave, shortcut="Escape", help="Back to the whole page"
        )
        if note:
            _note(note)
    with st.container(key="wall_remote"):
        _button("Back", "wall_remote_back", before, go, None, _BACK[1])
        _button("Next", "wall_remote_next", after, go, None, _NEXT[1])


def _note(note: str) -> None:
    """In the line of the buttons, so that nothing above it moves."""
    shown = control(
        st.toggle,
        "Speaker's note",
        key="wall_note",
        holds=st.session_state.get("wall_note_shown", False),
        act=lambda on: st.session_state.update(wall_note_shown=on),
    )
    if shown:
        st.markdown(escaped(note), width="stretch")


def _button(label: str, key: str, to: T | None, go: Callable[[T], None], icon: str | None, shortcut: str) -> None:
    st.button(label, key=key, icon=icon, disabled=to is None, on_click=go, args=(to,), shortcut=shortcut)
