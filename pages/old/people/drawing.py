"""How a chart of the page People is drawn, with its title, its badge and the ways to enlarge it and to take it along."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.old.charts.drawn import Drawn
from pages.old.shared import badges, frame, picture
from pages.old.shared.escape import escaped
from pages.old.state.contributions import Analysis

BESIDE = frame.Frame(270)


def chart(found: Analysis, drawn: tuple[Drawn, str], key: str, title: str, at: Any = None) -> None:
    """In a frame, which takes the whole width where it was enlarged. ``at``: as ``heading`` gives it."""
    size = frame.of(key, BESIDE)
    size.chart(drawn[0], key, drawn[1], of(found, title, at=at or size.enlarge(key)))


def heading(key: str, title: str) -> Any:
    """Above a question and its chart, with the ways to enlarge the chart and to take it along at its end."""
    size = frame.of(key, BESIDE)
    with size.heading(key):
        st.markdown(f"## {title}")
        return size.enlarge(key)


def of(found: Analysis, title: str, *, at: Any = None) -> picture.Picture:
    """What a picture of a chart says beside it."""
    return picture.Picture(title, badges.of_chart(found.table), at=at)


def small(sentence: str) -> None:
    """What is to be known to read a chart."""
    st.markdown(f":small[{escaped(sentence)}]")
