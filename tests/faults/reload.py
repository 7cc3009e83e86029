"""A reload in the middle of long draws: on Explore, on Release, and on another page while a release is drawn."""

from __future__ import annotations

from collections.abc import Iterator

from tests.browser import screen
from tests.faults.case import Seen, fault
from tests.faults.connection import connected
from tests.faults.drawing import answered, begin
from tests.faults.stand import SHORT, Stand
from tests.faults.workers import same_answer

_BACK = 10.0  # seconds until the page is there again with what it was at
_GRACE = 14.0  # seconds on another page; what nobody waits for is ended after 10
_OTHERS = ("Your data", "About and limits")


@fault
def reload_on_explore(stand: Stand) -> Iterator[Seen]:
    """Explore is loaded anew in the middle of a run."""
    assert stand.undisturbed > 0
    tab = stand.tab(stand.shared.address, f"/{stand.query(SHORT)}")
    tab.drawn(stand.rng.randint(SHORT // 10, SHORT // 4))
    before = tab.done()
    tab.listen()
    tab.page.reload()
    yield Seen("until the run was found again, and further on", tab.further(before), _BACK, tab.said)
    same_answer(tab, stand)


@fault
def reload_on_release(stand: Stand) -> Iterator[Seen]:
    """Release is loaded anew while a release is drawn."""
    tab = stand.tab(stand.shared.address, f"/release{stand.query(SHORT)}")
    begin(tab, stand.rng.randint(SHORT // 10, SHORT // 4))
    before = tab.done()
    tab.listen()
    tab.page.reload()
    yield Seen("until the draws were found again, and further on", tab.further(before), _BACK, tab.said)
    answered(tab)


@fault
def reload_of_another_page_during_a_release(stand: Stand) -> Iterator[Seen]:
    """While a release is drawn, its tab goes to another page and loads that anew."""
    tab = stand.tab(stand.shared.address, f"/release{stand.query(2 * SHORT)}")
    begin(tab, stand.rng.randint(SHORT // 20, SHORT // 10))
    before = tab.done()
    tab.listen()
    screen.go(tab.page, stand.rng.choice(_OTHERS))
    tab.page.reload()
    tab.until(lambda: connected(tab), "the page")
    tab.stay(_GRACE)
    tab.page.get_by_role("link", name="Release", exact=True).click()
    back = tab.further(before)
    yield Seen("until Release, opened again, showed the draws further on, or their answer", back, _BACK, tab.said)
    answered(tab)
