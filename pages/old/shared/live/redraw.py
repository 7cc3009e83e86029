"""What the server draws anew where a hand let go of γ or ε: the parts that hang on them, and not the page.

All else follows the hand in the browser. What does not says so while it is drawn: then the whole page is drawn anew, as it is
where anything but γ and ε changed.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import partial
from typing import Any, final

import streamlit as st

from pages import state
from pages.old.shared import member_errors
from pages.old.state import address, place
from pages.old.state.view import View

Draw = Callable[[View], None]
_KEY = "drawn_anew"


@final
@dataclass(eq=False)
class _Page:
    """As it was drawn last. ``whole``: something on it hangs on γ or ε, and is none of its ``parts``. ``stands``: what it shows
    of a view whatever γ and ε are; None of a view that does not follow a hand. ``view``: what it is about to show."""

    parts: list[tuple[Any, Draw]] = field(default_factory=list)
    whole: bool = False
    view: View | None = None
    stands: Hashable | None = None


def begin() -> None:
    """A page is drawn as a whole."""
    st.session_state[_KEY] = _Page()


def part(draw: Draw) -> None:
    """Here stands one that hangs on γ or ε."""
    _page().parts.append((st.container(), draw))


def with_the_page() -> None:
    """What is drawn now hangs on γ or ε, and is no such part."""
    if _KEY in st.session_state:
        _page().whole = True


def opened(box: Any) -> bool:
    """Whether what is in a popover or in something that folds out is to be drawn: it may say anything of γ and ε."""
    if box.open:
        with_the_page()
    return bool(box.open)


def show(view: View, view_now: Callable[[], View], stands: Callable[[View], Hashable | None]) -> None:
    """At the end of a page: its parts, each in its place. ``view_now``: what is shown later; ``stands``: what is shown of it
    whatever γ and ε are."""
    page = _page()
    del st.session_state[_KEY]
    page.view = view
    if page.parts:
        _drawn(page, view_now, stands)


@st.fragment
def _drawn(page: _Page, view_now: Callable[[], View], stands: Callable[[View], Hashable | None]) -> None:
    view, page.view = page.view, None
    if view is not None:  # with the page
        page.stands = stands(view)
        page.whole |= page.stands is None or state.said_something()
    else:
        view = view_now()
        if page.whole or state.said_something() or stands(view) != page.stands:
            address.say_again()  # a hand began this run, and the next one brings the same address
            st.rerun()
        address.publish(place.OF_PANELS)
    for there, draw in page.parts:
        with there:
            member_errors.guarded(partial(draw, view))
    address.finish()


def _page() -> _Page:
    page: _Page = st.session_state[_KEY]
    return page
