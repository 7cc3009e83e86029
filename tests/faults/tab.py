"""A tab that remembers what its page said, and how far a long run is in it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from contextlib import suppress
from typing import final

from playwright.sync_api import Error, Page

from tests.browser import screen
from tests.faults.case import MissedError

SECONDS = 60  # patience with a busy computer where no limit is stated
_LOOK = 100  # milliseconds
_UNDER_WAY = 1.0  # seconds: a task takes a tenth, a page shows it within half of one, and no new worker starts in that time
_SHOWN = re.compile(r"([\d,]+) of ([\d,]+) pairs")
_ICON = re.compile(r"^(?:[a-z]+(?:_[a-z]+)+|warning|info)\s+")  # the name of an icon's glyph
_SENTENCE = re.compile(r"[A-Za-z].*\s.*[.…!?]$")
_OF_FAULTS = re.compile(
    r"worker|scheduler|server is|server has forg|too little memory|forg[eo]t|connect|stopped|ended|no answer", re.IGNORECASE
)
_NUMBER = re.compile(r"[\d,.]*\d")


@final
class Tab:
    """One page. ``said`` holds the sentences of faults that came since ``listen``, each once, whatever its numbers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.said: list[str] = []
        self._known: set[str] = set()

    def listen(self) -> None:
        """From now on."""
        self.said, self._known = [], {_kind(line) for line in self._lines()}

    def until(self, there: Callable[[], bool], what: str, seconds: float = SECONDS) -> float:
        """The seconds until it is there; MissedError where that takes longer."""
        began = time.monotonic()
        while True:
            self._hear()
            with suppress(Error):  # the page is on its way to another address
                if there():
                    return time.monotonic() - began
            if time.monotonic() - began > seconds:
                raise MissedError(what, seconds, self.said)
            self.page.wait_for_timeout(_LOOK)

    def stay(self, seconds: float) -> None:
        """Look at it for so long."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end, "the time", seconds + SECONDS)

    def shows(self, text: str) -> bool:
        """Whether the page says it now."""
        return any(text in line for line in self._lines())

    def has(self, key: str) -> bool:
        """Whether the button of this key is there to be pressed."""
        button = self.page.locator(f".st-key-{key} button")
        return button.count() > 0 and button.first.is_enabled()

    def press(self, key: str) -> None:
        """The button of this key, once it is there."""
        self.until(lambda: self.has(key), f"the button {key}")
        self.page.locator(f".st-key-{key} button").click()

    def done(self) -> int:
        """How many pairs the progress counts; none where there is no progress."""
        found = _SHOWN.search("\n".join(self._lines()))
        return int(found[1].replace(",", "")) if found else 0

    def drawn(self, pairs: int, seconds: float = SECONDS) -> float:
        """The seconds until the progress counts so many."""
        return self.until(lambda: self.done() >= pairs, f"{pairs:,} pairs", seconds)

    def drawn_again(self) -> float:
        """The seconds from a fault until draws come that were not under way when it came."""
        began = time.monotonic()
        self.stay(_UNDER_WAY)
        self.further(self.done())
        return time.monotonic() - began

    def further(self, than: int, seconds: float = SECONDS) -> float:
        """The seconds until the progress counts more, or there is nothing left to count."""
        return self.until(lambda: self.done() > than or self._ended(), f"more than {than:,} pairs", seconds)

    def _ended(self) -> bool:
        return self.page.locator("[class*=st-key-entry_]").count() > 0 or screen.drawn(self.page, "cdf").count() > 0

    def whole(self) -> float:
        """Δ̂ of the run, once it is whole."""
        self.until(lambda: self._ended(), "the whole run", 2 * SECONDS)
        screen.see_charts(self.page)
        return screen.sampled_sensitivity(self.page)

    def _lines(self) -> list[str]:
        with suppress(Error):
            return self.page.locator("body").inner_text().splitlines()
        return []

    def _hear(self) -> None:
        for line in self._lines():
            sentence = _ICON.sub("", line.strip())
            if _SENTENCE.search(sentence) and _OF_FAULTS.search(sentence) and _kind(line) not in self._known:
                self._known.add(_kind(line))
                self.said.append(sentence)


def _kind(line: str) -> str:
    return _NUMBER.sub("#", line.strip())
