"""A picture of a chart, to take along: as SVG, and as PNG that the browser makes of it.

It is on a light ground in both themes, as it goes into papers and on slides, which are light.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, final
from unicodedata import normalize

import streamlit as st

from pages.old.charts.drawn import inked
from pages.old.charts.svg import drawn_or_said
from pages.old.shared.widgets import while_open
from pages.old.state import place

_WIDTH, _HEIGHT = 720, 440
_TIMES = 3  # pixels of a PNG for one of the SVG
_CONFIG = {"displayModeBar": False}
_LONGEST = 60  # letters of a name
_LETTERS = str.maketrans({"ε": "epsilon", "γ": "gamma", "δ": "delta", "Δ": "Delta", "τ": "tau", "±": "plus-minus", "′": ""})
_KEY = "as_png"
_HTML = '<button type="button">PNG</button>'
_CSS = """
button { font: inherit; font-size: 0.875rem; color: var(--st-text-color); background: var(--st-background-color);
  cursor: pointer; width: 100%;
  border: 1px solid var(--st-border-color, rgba(127, 127, 127, 0.5)); border-radius: var(--st-button-radius, 0.5rem);
  min-height: 2.5rem; padding: 0.25rem 0.75rem; }
button:hover, button:focus-visible { border-color: var(--st-primary-color); outline-color: var(--st-primary-color); }
"""
_JS = """
export default function ({ data, parentElement }) {
  const button = parentElement.querySelector("button");
  button.setAttribute("aria-label", "PNG of the chart");
  button.onclick = () => {
    const image = new Image();
    image.onload = () => {
      const canvas = document.createElement("canvas");
      canvas.width = image.naturalWidth * data.times;
      canvas.height = image.naturalHeight * data.times;
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => {
        const link = document.createElement("a");
        link.href = URL.createObjectURL(blob);
        link.download = data.name;
        link.click();
        setTimeout(() => URL.revokeObjectURL(link.href), 10000);
      }, "image/png");
    };
    image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(data.svg);
  };
}
"""


@final
@dataclass(frozen=True)
class Picture:
    """What a picture says beside its chart, since it travels without its page: ``title`` above it, in plain words, which its
    file is named after too; below it ``says``, and ``made_from``, as the page says it in a badge. ``file``: what its file is
    named after where the title is another. ``at``: where its button stands, if not at the end of a line of its own."""

    title: str
    made_from: str = ""
    says: str = ""
    file: str = ""
    at: Any = None

    @property
    def name(self) -> str:
        """Of its file, without an ending, in ASCII."""
        return ascii_name(self.file or self.title) or "chart"

    def offered(self, make: Callable[[], tuple[Any, str]], key: str) -> None:
        """The button, and what it opens; none on a wall. ``make`` gives the figure and its description, once it is open."""
        if place.presenting():
            return
        with self.at or st.container(horizontal=True, horizontal_alignment="right"):
            box = st.popover(
                "Picture",
                key=f"picture_{key}",
                icon=":material/photo_camera:",
                type="tertiary",
                on_change="rerun",
                help="This chart as a picture, SVG or PNG",
            )
        while_open(box, lambda: self._ways(*make(), key))

    def show(self, make: Callable[[], tuple[Any, str]], key: str) -> None:
        """The same within a box that is open."""
        self._ways(*make(), key)

    def _ways(self, figure: Any, alt: str, key: str) -> None:
        height = None if "height" in figure.ready()["layout"] else _HEIGHT
        words = {"title": self.title, "says": self.says, "note": self.made_from}
        text = drawn_or_said([(figure, alt, "")], width=_WIDTH, height=height, **words)
        st.markdown("A picture of this chart")
        ways(text, self.name, key, times=_TIMES)


def ways(text: str, name: str, key: str, *, times: int) -> None:
    """A button for a picture as SVG, which is its text, and one for it as PNG: so many pixels for one of the SVG."""
    st.download_button("SVG", text, f"{name}.svg", "image/svg+xml", key=f"svg_{key}", on_click="ignore", width="stretch")
    _component()(key=f"png_{key}", data={"svg": text, "name": f"{name}.png", "times": times})


def ascii_name(words: str) -> str:
    """Words as the name of a file, of letters, digits and hyphens: the signs of this app by their names."""
    plain = normalize("NFKD", words.translate(_LETTERS)).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", plain.lower()).strip("-")[:_LONGEST].strip("-")


@st.cache_resource(show_spinner=False)
def _component() -> Callable[..., Any]:
    component: Callable[..., Any] = st.components.v2.component(_KEY, html=_HTML, css=_CSS, js=_JS)
    return component


def on_ground(figure: Any) -> Any:
    """In the colours for the theme of the page, which the browser says."""
    return inked(figure) if st.context.theme.type == "dark" else figure


def chart(figure: Any, key: str, alt: str, picture: Picture, *, height: int | Literal["stretch", "content"]) -> None:
    """A chart that fills the width, and the button that gives a picture of it."""
    picture.offered(lambda: (figure, alt), key)
    st.plotly_chart(on_ground(figure), height=height, key=key, config=_CONFIG, alt=alt)
