"""Actions on the app's pages, and waits for their effects."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError

from pages.declaring.columns import TITLES

# before a tab's first line: notes when something was sent to the server that it has said nothing after
LISTENING = """(() => {
  const Plain = window.WebSocket;
  window.unanswered = null;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      window.unanswered = null;
      this.addEventListener("message", () => { window.unanswered = null; });
    }
    send(message) {
      window.unanswered ??= performance.now();
      super.send(message);
    }
  };
})()"""
_STILL = """patience => {
  const app = document.querySelector("[data-testid=stApp]");
  return app && app.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
    && !(window.unanswered && performance.now() < window.unanswered + patience)
    && !document.querySelector("[data-testid=stSkeleton], [data-stale=true]");
}"""
_ANSWER = 5_000  # milliseconds within which a busy server begins to answer; a few messages have no answer
CHARTS = 4  # of Explore
_UNROLLED = 5_000  # milliseconds until a list stands open under a hand on a busy machine
_CELLS = tuple(TITLES.values())
_EDITOR = "[class*=st-key-columns_]"
_GRID = f"{_EDITOR} .dvn-scroller"  # of the editor of columns
_ROW = 35  # pixels
_DRAWN = 300  # milliseconds until its hidden table follows the canvas
_NAMES = """table => [...table.parentElement.querySelectorAll("td[aria-colindex='2']")]
  .map(cell => [cell.id.split("-").at(-1), cell.textContent])"""


def settle(page: Page) -> None:
    """Wait until the server has nothing more to say: a click takes a moment to leave the browser, so look twice."""
    for milliseconds in (100, 60):
        page.wait_for_timeout(milliseconds)
        page.wait_for_function(_STILL, arg=_ANSWER)


def connected(page: Page) -> None:
    """Wait until the page is in touch with its server."""
    expect(page.locator("[data-testid=stApp][data-test-connection-state=CONNECTED]")).to_have_count(1, timeout=60_000)


def see_charts(page: Page) -> None:
    """The four charts of Explore are drawn."""
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_attached()
    expect(page.locator(".js-plotly-plot").nth(CHARTS - 1)).to_be_attached()
    settle(page)


def go(page: Page, title: str) -> None:
    """Go to another page by the navigation at the top. Click again if a redraw of a busy machine swallowed the click."""
    link = page.get_by_test_id("stTopNavLink").filter(has=page.get_by_text(title, exact=True))
    path = link.evaluate("link => link.pathname")
    for _ in range(3):
        link.click()
        settle(page)
        if page.evaluate("() => location.pathname") == path:
            return
    raise AssertionError(f"{title} was clicked three times, and the page is still {page.url}")


def unroll(box: Locator, option: str, *, search: bool = False) -> Locator:
    """Choose an option of a selector. Its list is opened again if the page was redrawn under it."""
    found = box.page.get_by_role("option", name=option, exact=True).first
    for _ in range(8):
        box.click()
        if search:
            box.fill(option)
        try:
            found.wait_for(timeout=_UNROLLED)
            return found
        except PlaywrightTimeoutError:
            box.press("Escape")
    raise AssertionError(f"no option {option!r} in the list")


def bring(page: Page, name: str, content: str) -> None:
    """A CSV chosen on the page Your data, up to the questions about it."""
    given: Any = {"name": name, "mimeType": "text/csv", "buffer": content.encode()}
    page.locator(".st-key-file input[type=file]").set_input_files(given)
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    settle(page)


def choose(page: Page, option: str) -> None:
    """One option of a question, by its words."""
    page.get_by_role("radio", name=option, exact=True).locator("xpath=ancestor::label").click()
    settle(page)


def fill_cell(page: Page, column: str, title: str, value: str | bool) -> None:
    """A cell in the row of one column in the editor of columns: a text, the words of an option, or a tick.

    The table is a canvas. It holds what it shows in a table of its own for those who cannot see it, and that is read here.
    """
    row, place = _row_of(page, column), _CELLS.index(title)
    cell = page.locator(f"{_EDITOR} #glide-cell-{place}-{row}")
    _select(page, row, place)
    if isinstance(value, bool):
        value = str(value).lower()
        if cell.text_content() != value:
            page.keyboard.press("Space")
            page.keyboard.press("ArrowRight")  # its hidden table follows the selection, not a tick
    else:
        page.keyboard.press("Enter")
        page.locator("#portal").locator("textarea, input").first.fill(value)
        page.keyboard.press("Enter")
    expect(cell).to_have_text(value)
    settle(page)


def _row_of(page: Page, column: str) -> int:
    """The row of a column in the editor of columns, which is scrolled until it is seen, and back."""
    table = page.locator(_GRID)
    for top in range(0, int(table.evaluate("e => e.scrollHeight")), 6 * _ROW):
        table.evaluate("(e, top) => e.scrollTo(0, top)", top)
        page.wait_for_timeout(_DRAWN if top else 0)
        expect(page.locator(f"{_EDITOR} td[aria-colindex='2']").first).to_be_attached()  # it may be scrolled sideways before
        rows = {name: int(row) for row, name in table.evaluate(_NAMES)}
        if column in rows:
            table.evaluate("e => e.scrollTo(0, 0)")
            return rows[column]
    raise AssertionError(f"no column {column!r} in the editor")


def _select(page: Page, row: int, place: int) -> None:
    """Go there from the first row's name by the arrow keys. The pointer has to be there before the click."""
    first = {"x": 100, "y": 1.5 * _ROW}
    page.locator(_GRID).hover(position=first)
    page.locator(_GRID).click(position=first)
    expect(page.locator(f"{_EDITOR} #glide-cell-1-0")).to_have_attribute("aria-selected", "true")
    for key, times in (("ArrowDown", row), ("ArrowRight", place - 1), ("ArrowLeft", 1 - place)):
        for _ in range(times):
            page.keyboard.press(key)
    expect(page.locator(f"{_EDITOR} #glide-cell-{place}-{row}")).to_have_attribute("aria-selected", "true")


def upload(page: Page, name: str, content: str, *, kind: str, bounds: dict[str, tuple[float, float]]) -> None:
    """Bring a CSV on the page Your data, declare it, and explore it."""
    go(page, "Your data")
    bring(page, name, content)
    choose(page, kind)
    for column, (low, high) in bounds.items():
        fill_cell(page, column, TITLES["lowest"], f"{low:g}")
        fill_cell(page, column, TITLES["highest"], f"{high:g}")
    expect(page.get_by_text("Ready:")).to_be_visible()
    page.locator(".st-key-use_table button").click()
    see_charts(page)


def release(page: Page) -> None:
    """One press of Release, on its page, and the response to it."""
    go(page, "Release")
    page.locator(".st-key-release button").click()
    expect(page.locator(".st-key-release button")).to_have_text(re.compile("Released"))
    settle(page)


def entries(page: Page) -> Locator:
    """The responses on the page Release."""
    return page.locator("[class*=st-key-entry_]")


def lines(page: Page) -> Locator:
    """The ledger's lines on the page Release."""
    return page.locator("[data-testid=stTable]:not([class*=st-key-entry_] *) tbody tr")
