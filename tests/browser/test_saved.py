"""A ledger saved as a file, the server started again, the table and the file dropped again: the ledger is back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import screen
from tests.faults.connection import connected
from tests.faults.stand import Stand

pytestmark = pytest.mark.browser

CSV = "age,ward\n" + "".join(f"{20 + i * i % 71},{'AB'[i % 2]}\n" for i in range(200))


@pytest.fixture
def stand(tmp_path: Path, browser: Browser) -> Iterator[Stand]:
    """For servers of this test alone."""
    started = Stand(1, tmp_path, browser)
    yield started
    started.close()


def _drop(page: Page, where: str, content: str) -> None:
    page.locator(f"{where} input[type=file]").set_input_files(
        {"name": "ledger.json", "mimeType": "application/json", "buffer": content.encode()}
    )
    screen.settle(page)


def test_a_tab_whose_server_was_started_again_has_its_ledger_back_from_its_file(stand: Stand) -> None:
    app = stand.app()
    tab = stand.tab(app.address, "/")
    page = tab.page
    tab.until(lambda: screen.charts(page) > 0, "the first screen of a new server")
    _brought(page)
    screen.release(page)
    expect(page.get_by_text("This server forgets the ledger when it restarts: save it.")).to_be_visible()
    with page.expect_download() as given:
        page.get_by_role("button", name="Save the ledger").first.click()
    content = Path(given.value.path()).read_text(encoding="utf-8")
    app.kill()
    stand.app(app.port)
    tab.until(lambda: connected(tab), "the connection")
    screen.go(page, "Your data")
    expect(page.get_by_text("This tab released answers before")).to_be_visible()
    _brought(page)
    screen.go(page, "Release")
    page.get_by_text("Load a saved ledger").click()
    screen.settle(page)
    _drop(page, "[class*=st-key-ledger_file_]", content)
    expect(screen.lines(page)).to_have_count(1)
    expect(page.get_by_text("This ledger was loaded from a file of").first).to_be_visible()
    expect(page.get_by_text("Noise sized by trials is offered only").first).to_be_visible()


def _brought(page: Page) -> None:
    screen.upload(page, "patients.csv", CSV, kind="Confidential", bounds={"age": (0, 110)}, several="No, one row is one person")
