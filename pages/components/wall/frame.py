"""How large a panel is drawn: beside others, of the whole width, or alone on a wall."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import streamlit as st

from dpcore.plots.labels_at_lines import widened
from pages.components.escape import escaped
from pages.session import place

_CONFIG = {"displayModeBar": False}
_WIDTH, _TYPE = 1150, 16  # pixels of a wide chart in a window of 1280, and of its smallest type


@final
@dataclass(frozen=True)
class Frame:
    """``height`` of its chart in pixels, and its ``width`` where it is a wide one, whose title is the message of the chart."""

    height: int
    width: int | None = None

    @property
    def wide(self) -> bool:
        """Whether there is room for large type, and for labels at lines."""
        return self.width is not None

    def title(self, question: str, message: str) -> str:
        """The heading of a panel: its question, and of a wide one what its chart says."""
        return f"## {escaped(message) if self.wide and message else question}"

    def heading(self, panel: str) -> Any:
        """What holds the heading: beside others as high as the heading of two lines."""
        return st.container(
            horizontal=True, vertical_alignment="center", horizontal_alignment="distribute", gap=None,
            key=None if self.wide else f"heading_{panel}",
        )  # fmt: skip

    def enlarge(self, panel: str) -> None:
        """The button of a panel that takes the whole width, and that gives it back; none of one that is alone."""
        if self is ALONE:
            return
        label, icon = ("Back beside the others", "close_fullscreen") if self.wide else ("Enlarge", "open_in_full")
        st.button(
            label, key=f"enlarge_{panel}", icon=f":material/{icon}:", on_click=place.go, type="tertiary",
            args=("panel", "" if self.wide else panel),
        )  # fmt: skip

    def lower(self, pixels: int) -> Frame:
        """With a chart that leaves room for something below it."""
        return replace(self, height=self.height - pixels)

    def chart(self, figure: Any, key: str, alt: str, **more: Any) -> None:
        """A chart that fills the frame."""
        box = st.container()
        if self.width is not None:
            figure, labelled = widened(figure, width=self.width, height=self.height, type_size=_TYPE)
            name = f"wide_{'labels' if labelled else 'legend'}_{key}"
            st.html(f"<style>.st-key-{name} {{ --chart: {self.height}px; }}</style>")
            box = st.container(key=name)
        with box:
            st.plotly_chart(figure, height=self.height, key=key, config=_CONFIG, alt=alt, **more)


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
