"""How large a panel is drawn: beside others, of the whole width, or alone on a wall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import streamlit as st

from pages.charts.laid_out import in_large_type
from pages.charts.named import Room, named
from pages.shared.escape import escaped
from pages.shared.live.mounts import Size
from pages.shared.picture import Picture
from pages.shared.wall.mode import SMALLEST
from pages.state import place

_ROOT, _SMALL = 15, 12  # pixels of the page's type, and of a chart's beside others
_CONFIG = {"displayModeBar": False}
_WIDTH, _TYPE = 1150, 16  # pixels of a wide chart in a window of 1280, and of its smallest type
_PHONE = Room(344, 304, 13)  # the smallest chart whose lines have their names beside them
_OF_ONE = "<style>.st-key-{name} {{ --chart: {height}px; }} @media (max-width: 899px) {{ {names} {{ display: none; }} }}</style>"


@final
@dataclass(frozen=True)
class Frame:
    """``height`` of its chart in pixels, and its ``width`` where it is a wide one, whose title is the message of the chart.

    ``named``: lines of a chart that is not wide have their names beside them too, as a phone has room for them.
    """

    height: int
    width: int | None = None
    named: bool = False

    @property
    def wide(self) -> bool:
        """Whether there is room for large type, and for labels at lines."""
        return self.width is not None

    @property
    def size(self) -> Size:
        """Of a chart that follows the hand: it grows with the type of a wall by itself."""
        type_, root = (_TYPE if self.wide else _SMALL), (SMALLEST if self.wide and place.presenting() else _ROOT)
        return Size(type_ / root, self.height / root)

    def title(self, question: str, message: str) -> str:
        """The heading of a panel: its question, and of a wide one what its chart says."""
        return f"## {escaped(message) if self.wide and message else question}"

    def heading(self, panel: str) -> Any:
        """What holds the heading: beside others as high as the heading of two lines."""
        return st.container(
            horizontal=True,
            vertical_alignment="center",
            horizontal_alignment="distribute",
            gap=None,
            key=None if self.wide else f"heading_{panel}",
        )

    def enlarge(self, panel: str) -> Any:
        """The button of a panel that takes the whole width, and that gives it back; none of one that is alone. Beside it the
        place for the button that gives a picture of the chart."""
        if self is ALONE:
            return None
        with st.container(horizontal=True, vertical_alignment="center", gap="small", width="content", key=f"tools_{panel}"):
            place_of_picture = st.container(width="content")
            self._enlarging(panel)
        return place_of_picture

    def _enlarging(self, panel: str) -> None:
        label, icon = ("Back beside the others", "close_fullscreen") if self.wide else ("Enlarge", "open_in_full")
        st.button(
            label,
            key=f"enlarge_{panel}",
            icon=f":material/{icon}:",
            on_click=place.go,
            type="tertiary",
            args=("panel", "" if self.wide else panel),
        )

    def lower(self, pixels: int) -> Frame:
        """With a chart that leaves room for something below it."""
        return replace(self, height=self.height - pixels)

    def chart(self, figure: Any, key: str, alt: str, picture: Picture, **more: Any) -> None:
        """A chart that fills the frame, and the button that gives a picture of it."""
        picture.offered(lambda: (figure, alt), key)
        box = st.container()
        if self.width is not None:
            room = Room(self.width, self.height, _TYPE, wide=True)
            figure, names = named(in_large_type(figure, type_size=_TYPE), room)
            box = st.container(key=f"wide_{key}")
            st.html(self._style(f"wide_{key}", figure, names))
        elif self.named:
            figure, _ = named(figure, _PHONE)
        with box:
            st.plotly_chart(figure, height=self.height, key=key, config=_CONFIG, alt=alt, **more)

    def _style(self, name: str, figure: Any, names: int) -> str:
        """How high the chart is, and what it leaves out where the window is narrow: the names at its lines."""
        notes = len(figure.ready()["layout"].get("annotations", ()))
        hidden = [f'.st-key-{name} .annotation[data-index="{at}"]' for at in range(notes - names, notes)]
        return _OF_ONE.format(name=name, height=self.height, names=", ".join(hidden) or "none")


BESIDE = Frame(262)  # so that a fourth line of the answer still fits a window of 800
ENLARGED = Frame(480, _WIDTH)
ALONE = Frame(376, _WIDTH)


def of(panel: str, beside: Frame) -> Frame:
    """A panel's frame: of the whole width where it was enlarged."""
    return ENLARGED if place.of("panel") == panel else beside


def arranged(panels: Sequence[str], draw: Callable[[str, Frame], None], beside: Frame, *, in_a_row: int) -> None:
    """Panels beside one another, under the one that has the whole width, where one has."""
    large = [name for name in panels if of(name, beside) is ENLARGED]
    for name in large:
        draw(name, ENLARGED)
    others = [name for name in panels if name not in large]
    for start in range(0, len(others), in_a_row):
        row = others[start : start + in_a_row]
        for box, name in zip(st.columns(len(row), gap="medium"), row, strict=True):
            with box:
                draw(name, beside)
