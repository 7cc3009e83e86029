"""A report of releases opened from a disk: one request, its own file; whole without JavaScript; accessible; it fits paper."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from pages.exports.release_report import release_report
from pages.ledger.book import Book
from tests.browser.axe import refuse_violations
from tests.pages.exports import shown
from tests.pages.exports.released import release


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A mean, a histogram and a curve."""
    table, book = shown.table("sine"), Book()
    release(book, shown.scenario(table, "KernelDensity", ("x",)), worst_case=False, table=table)
    for kind in ("Mean", "Histogram"):
        release(book, shown.scenario(table, kind, ("x",)), worst_case=True, table=table)
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(release_report(book, table, book.entries, who="An office"), encoding="utf-8")
    return file


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_report_asks_no_host_and_prints_on_white(browser: Browser, report: Path, scheme: str, width: int) -> None:
    context = browser.new_context(
        color_scheme="dark" if scheme == "dark" else "light",
        java_script_enabled=False,
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(report.as_uri())
    assert asked == [report.as_uri()]
    assert page.locator("svg.curve polyline").count() == 1
    assert page.locator("svg.bar").count() > 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") is (scheme == "light")
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
    context.close()


def test_report_is_accessible(browser: Browser, report: Path) -> None:
    context = browser.new_context(color_scheme="dark", bypass_csp=True)  # its own policy refuses scripts, also those of axe-core
    page = context.new_page()
    page.goto(report.as_uri())
    refuse_violations(page)
    context.close()
