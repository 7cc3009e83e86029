"""Arrays of 100 icons: of 100 possible answers, so many lie on your side."""

from __future__ import annotations

from base64 import b64encode
from html import escape

import streamlit as st

from dpcore.plots.style import GREY

_SIDE = 10  # icons in a row, and rows
_SIZE, _FIGURE_WIDTH = 8, 10  # heights of the type
_ICON = "a4 4 0 1 0 8 0a4 4 0 1 0 -8 0"  # a circle of radius 4, from its left end
OF, FILLED, FOR = "of 100", "icons are filled", ", for "
_FIGURE = (
    '<figure style="margin:0;width:{width}rem">'
    '<img src="data:image/svg+xml;base64,{image}" style="width:{size}rem;height:{size}rem" alt="{alt}">'
    '<figcaption style="font-size:0.875rem;line-height:1.3"><strong>{count} {of}</strong> {below}</figcaption></figure>'
)


def arrays(each: list[tuple[int, str, str]], colour: str) -> None:
    """Arrays beside one another, of a number of filled icons, what they stand for (70, over 99), and which they are each.

    ``colour`` fills them; the others are rings, so that no meaning hangs on colour. All texts are shown as they are.
    """
    shown = "".join(_figure(count, said, of, colour) for count, said, of in each)
    st.html(f'<div style="display:flex;flex-wrap:wrap;gap:1.5rem">{shown}</div>')


def _figure(count: int, said: str, of: str, colour: str) -> str:
    stand_for = "" if said == str(count) else FOR + said
    return _FIGURE.format(
        width=_FIGURE_WIDTH,
        size=_SIZE,
        image=b64encode(picture(count, colour).encode()).decode(),
        alt=escape(f"{count} {OF} {FILLED}{stand_for}: {of}."),
        count=escape(said),
        of=OF,
        below=escape(of),
    )


def picture(count: int, colour: str) -> str:
    """An SVG of 10 × 10 icons, the first ``count`` of them filled, row by row."""
    filled, rings = (
        "".join(f"M{10 * (i % _SIDE) + 1} {10 * (i // _SIDE) + 5}{_ICON}" for i in some)
        for some in (range(count), range(count, _SIDE**2))
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<path d="{filled}" fill="{colour}"/><path d="{rings}" fill="none" stroke="{GREY}"/></svg>'
    )
