"""How large a panel is drawn: beside others, of the whole width, or alone on a wall, in large type and stepped through."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, final

import streamlit as st

from pages.old.charts.drawn import inked
from pages.old.charts.laid_out import in_large_type
from pages.old.charts.named import Room, named
from pages.old.state import place
from pages.widgets.charts import CONFIG

# How large the type on a wall is.


SMALLEST = 18.5  # pixels of type on 1280 × 720, for which all is laid out


_BACK, _NEXT = ("Left", "PageUp"), ("Right", "PageDown")  # the second of each is what a remote control sends
_PLAIN = """
[data-testid="stHeader"], [data-testid="stToolbar"] { display: none !important; }
[data-testid="stMainBlockContainer"] { padding: 0.8rem 2rem 3rem !important; max-width: none; }
[data-testid="stMainBlockContainer"] small, [data-testid="stMainBlockContainer"] .stMarkdown span { font-size: 1em; }
[data-testid="stMainBlockContainer"] h2 { font-size: 1.4rem; }
@media (min-width: 900px) {
  .st-key-wall_ways { position: fixed; inset: auto 0 0; padding: 0.5rem 2rem; z-index: 1; backdrop-filter: blur(12px); }
}
[class*="st-key-wide_"], [class*="st-key-wide_"] * { overflow: visible !important; }
.st-key-wall_tables :is(td, th) { padding: 0.05rem 0.5rem; line-height: 1.3; }
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


def present_button() -> None:
    """What begins it."""
    st.button(
        "Present",
        key="present",
        on_click=place.go,
        args=(place.PRESENT, "1"),
        help="On a wall, in large type. Steps by the arrow keys.",
    )


def begin_on_a_wall() -> None:
    """The large type, and nothing around what is presented."""
    st.html(_STYLE)


def before_and_after(walk: Sequence[T], at: T) -> tuple[T | None, T | None]:
    """What comes before and after on a walk; None at its ends."""
    number = walk.index(at)
    return walk[number - 1] if number else None, walk[number + 1] if number + 1 < len(walk) else None


def ways_on_a_wall(
    walk: Sequence[T],
    at: T,
    go: Callable[[T], None],
    *,
    onward: tuple[str, T] | None = None,
) -> None:
    """Back and forth through what is presented, by buttons and keys; and the way out.

    ``onward``: what comes after the end of the walk, and its place.
    """
    before, after = before_and_after(walk, at)
    label = "Next"
    if after is None and onward is not None:
        label, after = onward
    with st.container(horizontal=True, vertical_alignment="center", key="wall_ways"):
        _step_button("Back", "wall_back", before, go, ":material/arrow_back:", _BACK[0])
        _step_button(label, "wall_next", after, go, ":material/arrow_forward:", _NEXT[0])
        st.markdown(f"{walk.index(at) + 1} of {len(walk)}", width="content")
        st.button(
            "Leave",
            key="wall_leave",
            icon=":material/close:",
            on_click=place.go_to,
            args=({place.PRESENT: "", "panel": ""},),
            shortcut="Escape",
            help="Back to the whole page",
        )
    with st.container(key="wall_remote"):
        _step_button("Back", "wall_remote_back", before, go, None, _BACK[1])
        _step_button(label, "wall_remote_next", after, go, None, _NEXT[1])


def _step_button(label: str, key: str, to: T | None, go: Callable[[T], None], icon: str | None, shortcut: str) -> None:
    st.button(label, key=key, icon=icon, disabled=to is None, on_click=go, args=(to,), shortcut=shortcut)


# How large a panel is drawn: beside others, of the whole width, or alone on a wall.


_ROOT, _SMALL = 15, 12  # pixels of the page's type, and of a chart's beside others
_WIDTH, _TYPE = 1150, 16  # pixels of a wide chart in a window of 1280, and of its smallest type
_NARROW = 325  # pixels of the narrowest chart
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
    def room(self) -> Room:
        """The least that its chart has, in pixels of the figure: what is larger is drawn larger."""
        enlarged = _TYPE / _SMALL if self.wide else 1.0
        width = self.width / enlarged if self.width is not None and self is ALONE else _NARROW
        return Room(round(width), round(self.height / enlarged), _SMALL)

    def enlarge(self, panel: str) -> None:
        """The button of a panel that takes the whole width, and that gives it back; none of one that is alone."""
        if self is ALONE:
            return
        label, icon = ("Back beside the others", "close_fullscreen") if self.wide else ("Enlarge", "open_in_full")
        st.button(
            label,
            key=f"enlarge_{panel}",
            icon=f":material/{icon}:",
            on_click=place.go,
            type="tertiary",
            args=("panel", "" if self.wide else panel),
        )

    def chart(self, figure: Any, key: str, alt: str, **more: Any) -> None:
        """A chart that fills the frame."""
        box = st.container()
        if self.width is not None:
            figure, names = named(in_large_type(figure, type_size=_TYPE), Room(self.width, self.height, _TYPE))
            box = st.container(key=f"wide_{key}")
            st.html(self._style(f"wide_{key}", figure, names))
        else:
            figure, _ = named(figure, _PHONE if self.named else self.room)
        with box:
            st.plotly_chart(on_ground(figure), height=self.height, key=key, config=CONFIG, alt=alt, **more)

    def _style(self, name: str, figure: Any, names: int) -> str:
        """How high the chart is, and what it leaves out where the window is narrow: the names at its lines."""
        notes = len(figure.ready()["layout"].get("annotations", ()))
        hidden = [f'.st-key-{name} .annotation[data-index="{at}"]' for at in range(notes - names, notes)]
        return _OF_ONE.format(name=name, height=self.height, names=", ".join(hidden) or "none")


ENLARGED = Frame(480, _WIDTH)
ALONE = Frame(330, _WIDTH)


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


def on_ground(figure: Any) -> Any:
    """In the colours for the theme of the page, which the browser says."""
    return inked(figure) if st.context.theme.type == "dark" else figure
