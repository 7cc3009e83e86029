"""The place for a file is a group with a name, and takes one by mouse and by keyboard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.browser import screen

_DROP = """zone => {
  const files = new DataTransfer();
  files.items.add(new File(["a,b\\n1,2\\n3,4\\n5,6\\n"], "dropped.csv", { type: "text/csv" }));
  zone.dispatchEvent(new DragEvent("drop", { dataTransfer: files, bubbles: true, cancelable: true }));
}"""


def _place(page: Page) -> Locator:
    return page.get_by_role("group", name="A CSV, Excel, ODS or Parquet file of at most 50 MB")


def test_dropped_file_is_read(open_page: Callable[..., Page]) -> None:
    page = open_page("/your_data")
    expect(_place(page)).to_have_count(1)
    _place(page).evaluate(_DROP)
    expect(page.get_by_role("heading", name="dropped.csv")).to_be_visible()
    screen.settle(page)
    expect(_place(page)).to_have_count(1)
    page.get_by_role("button", name="Remove dropped.csv").click()
    screen.settle(page)
    expect(_place(page)).to_have_count(1)
