"""A release whose draws take long, as a person sees it."""

from __future__ import annotations

from tests.faults.case import MissedError
from tests.faults.tab import SECONDS, Tab


def begin(tab: Tab, pairs: int) -> None:
    """Press Release, and wait until so many pairs are drawn."""
    tab.press("release")
    tab.drawn(pairs)


def entries(tab: Tab) -> list[str]:
    """What was released in this tab, or why nothing was."""
    return tab.page.locator("[class*=st-key-entry_]").all_inner_texts()


def answered(tab: Tab, count: int = 1) -> float:
    """The seconds until there are so many entries; MissedError where the last one is no answer."""
    seconds = tab.until(lambda: len(entries(tab)) == count, f"{count} entries", 2 * SECONDS)
    refused = [entry for entry in entries(tab) if "No answer" in entry]
    if refused:
        raise MissedError(f"an answer, and not {refused[0]!r}", seconds, tab.said)
    return seconds
