"""A report that moves under the hand, opened from a disk: one request, nothing against its policy, and words that follow."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from pages.old.learn.live_end import shown
from playwright.sync_api import Browser, Locator, Page, expect

from pages.old.learn.found import lessons
from pages.old.reports.html import html
from pages.old.shared.reports.view import report
from tests.browser.axe import refuse_violations

pytestmark = pytest.mark.browser
Scheme = Literal["light", "dark"]
_NOISE = next(one for one in lessons() if one.name == "noise")


def _text() -> str:
    return html(report(shown(_NOISE.to_try()), link=""))


@contextmanager
def _shown(browser: Browser, file: Path, text: str, **more: Any) -> Iterator[Page]:
    """The file in a tab; at its end it asked for nothing but itself, and broke nothing."""
    file.write_text(text, encoding="utf-8")
    context = browser.new_context(**more)
    page = context.new_page()
    asked: list[str] = []
    said: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.goto(file.as_uri())
    yield page
    assert asked == [file.as_uri()]
    assert not said, said
    context.close()


def _dragged(page: Page, desk: Locator, name: str, share: float) -> str:
    """What a desk's sentences say while a hand holds its slider."""
    hand = desk.get_by_role("slider", name=name).first
    hand.scroll_into_view_if_needed()
    box = hand.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2, steps=4)
    page.wait_for_timeout(60)
    said = desk.locator(".live.words").inner_text()
    page.mouse.up()
    return said


@pytest.mark.journey
def test_it_moves_and_stands_still_on_paper_and_without_scripts(browser: Browser, tmp_path: Path) -> None:
    text = _text()
    with _shown(browser, tmp_path / "report.html", text) as page:
        before = page.locator(".live.words").inner_text()
        told = _dragged(page, page.locator("main"), "ε", 0.9), _dragged(page, page.locator("main"), "γ", 0.8)
        assert len({before, *told}) == 3
        expect(page.locator(".still").first).not_to_be_visible()
        page.emulate_media(media="print")
        expect(page.locator(".still").first).to_be_visible()
        expect(page.locator(".moving").first).not_to_be_visible()
    with _shown(browser, tmp_path / "still.html", text, java_script_enabled=False) as page:
        expect(page.locator(".still svg[role=img]").first).to_be_visible()
        expect(page.locator(".moving").first).not_to_be_visible()


def test_where_the_program_fails_what_stands_still_is_shown(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "broken.html"
    file.write_text(_text().replace('type="application/json">{', 'type="application/json">{broken'), "utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    expect(page.locator(".still svg[role=img]").first).to_be_visible()
    expect(page.locator(".moving").first).not_to_be_visible()
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(browser: Browser, tmp_path: Path, scheme: Scheme) -> None:
    text = _text()
    with _shown(browser, tmp_path / "report.html", text, color_scheme=scheme, bypass_csp=True) as page:
        expect(page.locator(".live.words p").first).to_be_visible()
        refuse_violations(page)
