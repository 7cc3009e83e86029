"""What follows the hand of whoever reads a report of Explore; where nothing may move, what stands still is all there is.

Nothing moves where an answer of a confidential table is shown: then its report is a picture of one choice, and no more.
"""

from __future__ import annotations

from collections.abc import Callable

from dpcore.plots.made_up import NOT_YOUR_DATA
from pages.reports import live_file as file
from pages.reports.document import Block, Live, Module, Part, Picture
from pages.shared import dots
from pages.shared.live import parts
from pages.state.view import Shown, View

_DESK = "report"


def module(view: View) -> Module | None:
    """What moves it; None where nothing does."""
    return file.module() if parts.offered(view) else None


def sentences(view: View, still: tuple[Block, ...]) -> tuple[Block, ...]:
    """The answer in words under both sliders, and the tables of all that follows."""
    if not isinstance(view, Shown) or not parts.offered(view):
        return still
    return (Live(_DESK, (*parts.ground(view), parts.gamma(), parts.epsilon(), parts.sentences(view)), still),)


def sensitivity(view: View, still: Picture) -> tuple[Block, ...]:
    """How far the answer moves."""
    return _moved(view, still, lambda shown: (parts.gamma(), parts.sensitivity(shown, "")))


def trials(view: View, still: Picture) -> tuple[Block, ...]:
    """What trials cost."""
    return _moved(view, still, lambda shown: (parts.gamma(), parts.trials(shown, "")))


def answers(view: View, still: Picture) -> tuple[Block, ...]:
    """What would be published; above it, where that is so, that it is of a made-up table."""

    def make(shown: Shown) -> tuple[Part, ...]:
        title = NOT_YOUR_DATA if shown.headline.exact.simulated else ""
        return parts.epsilon(), *parts.answers(shown, dots.usual(shown), title)

    return _moved(view, still, make)


def errors(view: View, still: Picture) -> tuple[Block, ...]:
    """How far off an answer is at each ε, where the kind has such a chart."""
    return _moved(view, still, lambda shown: (parts.epsilon(), *parts.errors(shown)) if parts.errors(shown) else ())


def _moved(view: View, still: Picture, make: Callable[[Shown], tuple[Part, ...]]) -> tuple[Block, ...]:
    made = make(view) if isinstance(view, Shown) and parts.offered(view) else ()
    return (Live(_DESK, made, (still,)),) if made else (still,)
