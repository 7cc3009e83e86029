"""A report opened from a disk: one request, its own file; whole without JavaScript; no violation in either theme."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

from pages.old.charts.drawn import BLUE
from pages.old.charts.groups import Whiskers, groups
from pages.old.charts.svg import Theme, svg
from pages.old.reports.document import Address, Notice, Picture, Points, Report, Section, Table, Text, Tone
from pages.old.reports.html import html
from tests.browser.axe import refuse_violations

pytestmark = pytest.mark.browser


def _report() -> Report:
    """Every kind of block, and enough of them for several pages."""
    whiskers = [Whiskers("near", np.array([0.1, 0.2]), BLUE)]
    chart = groups(("a", "b"), np.array([1.0, 2.0]), whiskers, name="answer", colour=BLUE, from_zero=True)
    drawn = Picture(svg(chart, alt="Two answers.", theme=Theme.PAGE), "Two answers")
    table = Table(("of", "answer"), (("a", "1"), ("b", "2")), "All answers")
    blocks = (Text("lead", lead=True), Text("plain"), Text("small", small=True), Points(("one", "two")), table, drawn)
    told = (*(Notice("Look.", tone) for tone in Tone), Address("Open it", "http://127.0.0.1:1/?v=1"))
    inner = tuple(Section(f"Part {place}", blocks) for place in range(5))
    return Report("Private answers", "of a table", (Section("Answers", blocks, inner), Section("Told", told)), "made")


def test_from_a_disk_it_asks_nobody_and_each_printed_page_has_its_title(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(html(_report()), encoding="utf-8")
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme="dark" if scheme == "dark" else "light", java_script_enabled=False)
        page = context.new_page()
        asked: list[str] = []
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(file.as_uri())
        assert asked == [file.as_uri()]
        assert page.locator("svg[role=img]").count() == 6
        ground = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (ground == "rgb(255, 255, 255)") is (scheme == "light")
        page.emulate_media(media="print")
        assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(255, 255, 255)"
        assert page.evaluate("getComputedStyle(document.querySelector('.page > thead')).display") == "table-header-group"
        context.close()


def test_it_is_accessible(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(html(_report()), encoding="utf-8")
    context = browser.new_context(color_scheme="dark", bypass_csp=True)  # its own policy lets no script in, axe-core's neither
    page = context.new_page()
    page.goto(file.as_uri())
    refuse_violations(page)
    context.close()
