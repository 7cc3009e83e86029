"""The slide of scenarios side by side on the screen, and to take along: as SVG, as PNG of 1920 × 1080, and as a presentation."""

from __future__ import annotations

from base64 import b64encode
from html import escape

import streamlit as st

from pages.charts.slide import HEIGHT, NARROW, WIDTH, Slide, picture
from pages.charts.svg import Theme
from pages.reports import presentation
from pages.shared import picture as pictures
from pages.shared.widgets import while_open
from pages.state import place

_FILE = "side-by-side"
_ON_A_WALL = (1810, 928)  # what stands above the buttons of a wall of 1280 × 720, in pixels of 1920 × 1080
_IMAGE = '<img class="{name}" src="data:image/svg+xml;base64,{image}" style="width:100%;height:auto{more}" alt="{alt}">'
_WHOLE = ";display:block;max-height:calc(100dvh - 5.7rem);object-fit:contain"
_NOTHING_BELOW = "<style>.st-key-one_slide { margin-bottom: -3rem; }</style>"  # what a page has at its end without a height
_BY_WIDTH = """<style>
.narrow-slide { display: none; }
@media (max-width: 640px) { .wide-slide { display: none; } .narrow-slide { display: block; } }
</style>"""


def show(slide: Slide) -> None:
    """As a picture, in the colours of the page; on a wall as large as that, and on a phone with larger type."""
    with st.container(key="one_slide"):
        if place.presenting():
            st.html(_image(slide, *_ON_A_WALL, more=_WHOLE) + _NOTHING_BELOW)
        else:
            st.html(_image(slide, WIDTH, HEIGHT, "wide-slide") + _image(slide, NARROW, HEIGHT, "narrow-slide") + _BY_WIDTH)


def _image(slide: Slide, width: int, height: int, name: str = "", more: str = "") -> str:
    theme = Theme.DARK if st.context.theme.type == "dark" else Theme.LIGHT
    drawn = picture(slide, width=width, height=height, theme=theme, ground="none")
    return _IMAGE.format(name=name, image=b64encode(drawn.encode()).decode(), more=more, alt=escape(slide.alt))


def offer(slide: Slide) -> None:
    """The button, and what it opens: each file is made once it is asked for."""
    with st.container(horizontal=True, horizontal_alignment="right"):
        box = st.popover(
            "Slide",
            key="picture_beside",
            icon=":material/photo_camera:",
            type="tertiary",
            on_change="rerun",
            help="This slide as a picture, SVG or PNG, or as a presentation",
        )
    while_open(box, lambda: _ways(slide))


def _ways(slide: Slide) -> None:
    st.markdown("The slide as a picture of 1920 × 1080, or as a presentation with a slide for each scenario too")
    pictures.ways(picture(slide), _FILE, "beside", times=1)
    st.download_button(
        "PPTX",
        lambda: presentation.written(slide),
        f"{_FILE}.pptx",
        presentation.MIME,
        key="pptx_beside",
        on_click="ignore",
        width="stretch",
    )
