"""The browser's connection is lost in the middle of long draws, on Explore and on Release."""

from __future__ import annotations

from collections.abc import Iterator

from tests.browser.wire import Wire
from tests.faults.case import Seen, fault
from tests.faults.drawing import answered, begin
from tests.faults.stand import LONG, SHORT, Stand
from tests.faults.tab import Tab
from tests.faults.workers import same_answer

_BEGUN = (30, 90)  # pairs that a long run has got to
_SHORT, _LONG = 5.0, 20.0  # seconds without; a run is kept for 10
_BACK, _BACK_LATE = 12.0, 30.0  # seconds until a browser, which asks less and less often, is there again


@fault
def connection_lost_for_5_s_on_explore(stand: Stand) -> Iterator[Seen]:
    """The connection is lost for 5 s in the middle of a run on Explore."""
    tab, wire = _wired(stand, f"/{stand.query(SHORT)}")
    tab.drawn(stand.rng.randint(SHORT // 20, SHORT // 4))
    before = _part(tab, wire, _SHORT)
    back = tab.until(lambda: connected(tab), "the connection") + tab.further(before)
    yield Seen("until the page was back with its run, which had gone on", back, _BACK, tab.said)
    same_answer(tab, stand)


@fault
def connection_lost_for_20_s_on_explore(stand: Stand) -> Iterator[Seen]:
    """The connection is lost for 20 s in the middle of a run on Explore."""
    tab, wire = _wired(stand, f"/{stand.query(LONG)}")
    tab.drawn(stand.rng.randint(*_BEGUN))
    before = _part(tab, wire, _LONG)
    back = tab.until(lambda: connected(tab) and tab.shows("they are kept"), "what was drawn")
    kept = tab.done()
    assert kept >= before
    tab.press("go_on")
    went_on = tab.further(kept)
    yield Seen(f"until the run, which had ended, was taken up at {kept}", back + went_on, _BACK_LATE, tab.said)
    tab.press("cancel")


@fault
def connection_lost_for_5_s_on_release(stand: Stand) -> Iterator[Seen]:
    """The connection is lost for 5 s while a release is drawn."""
    tab, wire = _wired(stand, f"/release{stand.query(SHORT)}")
    begin(tab, stand.rng.randint(SHORT // 20, SHORT // 4))
    before = _part(tab, wire, _SHORT)
    back = tab.until(lambda: connected(tab), "the connection") + tab.further(before)
    yield Seen("until the page was back with its draws, which had gone on", back, _BACK, tab.said)
    answered(tab)


@fault
def connection_lost_for_20_s_on_release(stand: Stand) -> Iterator[Seen]:
    """The connection is lost for 20 s while a release is drawn."""
    tab, wire = _wired(stand, f"/release{stand.query(LONG)}")
    begin(tab, stand.rng.randint(*_BEGUN))
    _part(tab, wire, _LONG)
    back = tab.until(lambda: connected(tab) and tab.shows("No answer: the draws were ended"), "what became of the draws")
    yield Seen("until the page said that they were ended", back, _BACK_LATE, tab.said)


def connected(tab: Tab) -> bool:
    """Whether the page is in touch with its server."""
    return tab.page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]").count() > 0


def _wired(stand: Stand, path: str) -> tuple[Tab, Wire]:
    if path.startswith("/?"):
        assert stand.undisturbed > 0
    wire = stand.wire(stand.shared)
    return stand.tab(wire.address, path), wire


def _part(tab: Tab, wire: Wire, seconds: float) -> int:
    """Without a connection for so long; how many pairs there were before."""
    before = tab.done()
    tab.listen()
    wire.part()
    tab.until(lambda: not connected(tab), "the loss of the connection")
    tab.stay(seconds)
    wire.join()
    return before
