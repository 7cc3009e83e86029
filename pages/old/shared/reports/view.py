"""What the reports of pages have in common."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pages.ledger.entry import now
from pages.old.charts.svg import Theme, drawn_or_said
from pages.old.reports.document import (
    Address,
    Block,
    Notice,
    Picture,
    Points,
    Section,
    Text,
    Tone,
)
from pages.old.shared.escape import unmarked
from pages.old.shared.reports.noise import made_with

# The figures of a page as a report has them.


def picture(made: tuple[Any, str], height: int = 340) -> Picture:
    """A figure with what describes it."""
    figure, alt = made
    return Picture(drawn_or_said([(figure, alt, "")], width=480, height=height, theme=Theme.PAGE), alt)


NOTHING = "This is a look ahead, and no release: nothing private was published, and nothing was spent."
MADE_UP = "Where an answer is shown, it is that of a made-up table from the oracle, and not that of the confidential table."


def said(heading: str, body: Sequence[str]) -> tuple[Block, ...]:
    """What a page says in Markdown, as plain text."""
    return Text(f"{unmarked(heading)}.", lead=True), Points(tuple(map(unmarked, body)))


def made_on() -> str:
    """When, and by which version."""
    return f"This report was made on {now()} with {made_with()}. It loads nothing and sends nothing."


def ends(link: str) -> Section:
    """The way back to what is shown."""
    said = Text("The link, the script and the notebook of this view make the same trials again, from the same seed.")
    there = (
        (Address("Open this view in the app. The link holds settings and no data.", link),)
        if link.startswith(("http://", "https://"))
        else ()
    )
    return Section("How can this be checked?", (said, *there))


def before(*, public: bool) -> tuple[Block, ...]:
    """The same in sentences."""
    nothing = Notice(NOTHING, Tone.GOOD)
    return (nothing,) if public else (nothing, Text(MADE_UP))
