"""The app's process is killed and started again while a tab with a release is open."""

from __future__ import annotations

import time
from collections.abc import Iterator

from tests.browser import screen
from tests.faults.case import MissedError, Seen, fault
from tests.faults.connection import connected
from tests.faults.stand import Stand

_BACK = 20.0  # seconds from the new process's first answer: a browser asks less and less often
_PAGES = ("Explore", "Your data", "About and limits")
_PAUSE = (0.5, 6.0)  # seconds without a process


@fault
def app_killed_and_started_again(stand: Stand) -> Iterator[Seen]:
    """The app is killed and started again at its port while a tab that has released is open."""
    app = stand.app()
    tab = stand.tab(app.address)
    screen.see_charts(tab.page)
    screen.release(tab.page)
    tab.page.reload()  # so that the browser has said once that the tab has released
    screen.settle(tab.page)
    tab.listen()
    app.kill()
    tab.stay(stand.rng.uniform(*_PAUSE))
    stand.app(app.port)
    started = time.monotonic()
    tab.until(lambda: connected(tab), "the connection")
    tab.until(lambda: tab.shows("this server has forgotten them"), "the sentence about forgotten releases")
    said = time.monotonic() - started
    yield Seen("until the tab was connected, and its page said by itself that releases were forgotten", said, _BACK, tab.said)
    screen.go(tab.page, stand.rng.choice(_PAGES))
    screen.go(tab.page, "Release")
    again = tab.until(lambda: tab.shows("The server forgot earlier answers of this tab"), "the same on Release")
    if tab.has("release"):
        raise MissedError("no release that is sized by trials", again, tab.said)
    yield Seen("until Release said that too, and offered no noise that is sized by trials", again, _BACK)
