"""How large a chart of the gallery is drawn, and the steps from one exhibit to another."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, final

import streamlit as st

from pages.old.charts.drawn import inked
from pages.old.state import place
from pages.widgets.charts import CONFIG

T = TypeVar("T", bound=Hashable)


def before_and_after(walk: Sequence[T], at: T) -> tuple[T | None, T | None]:
    """Return what comes before and after on a walk; None at its ends."""
    number = walk.index(at)
    return walk[number - 1] if number else None, walk[number + 1] if number + 1 < len(walk) else None


@final
@dataclass(frozen=True)
class Frame:
    """Size of a chart.

    Args:
        height: Height in pixels.
        wide: Whether the chart has the whole width of the page.
    """

    height: int
    wide: bool = False

    def enlarge(self, panel: str) -> None:
        """Show the button that gives a panel the whole width, or takes it back."""
        label, icon = ("Back beside the others", "close_fullscreen") if self.wide else ("Enlarge", "open_in_full")
        st.button(
            label,
            key=f"enlarge_{panel}",
            icon=f":material/{icon}:",
            on_click=place.go,
            type="tertiary",
            args=("panel", "" if self.wide else panel),
        )

    def chart(self, figure: Any, key: str, alt: str) -> None:
        """Show a chart."""
        st.plotly_chart(on_ground(figure), height=self.height, key=key, config=CONFIG, alt=alt)


ENLARGED = Frame(480, wide=True)


def arranged(panels: Sequence[str], draw: Callable[[str, Frame], None], beside: Frame, *, in_a_row: int) -> None:
    """Show panels beside each other, below the enlarged one if there is one."""
    large = [name for name in panels if place.of("panel") == name]
    for name in large:
        draw(name, ENLARGED)
    others = [name for name in panels if name not in large]
    for start in range(0, len(others), in_a_row):
        row = others[start : start + in_a_row]
        for box, name in zip(st.columns(len(row), gap="medium"), row, strict=True):
            with box:
                draw(name, beside)


def on_ground(figure: Any) -> Any:
    """Return a figure in the colours of the page's theme, which the browser says."""
    return inked(figure) if st.context.theme.type == "dark" else figure
