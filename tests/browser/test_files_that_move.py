"""Files that move under the hand, opened from a disk: one request, nothing against their policy, and a sentence that follows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import pytest
from pages.learn.written import of_all, of_one
from playwright.sync_api import Browser, Locator, Page, expect

from pages.learn import written
from pages.learn.found import lessons
from pages.learn.lesson import _computed
from pages.reports.document import Edition, Report, Section
from pages.reports.html import html, module
from tests.browser.axe import refuse_violations
from tests.browser.screen import settle

pytestmark = pytest.mark.browser
Scheme = Literal["light", "dark"]
_NOISE = next(one for one in lessons() if one.name == "noise")


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


def test_every_lesson_moves_in_the_file_of_all(browser: Browser, tmp_path: Path) -> None:
    with _shown(browser, tmp_path / "lessons.html", of_all(_computed)) as page:
        desks = page.locator(".moving")
        assert desks.count() == sum(written.desk_of(one) is not None for one in lessons())
        before = [desk.locator(".live.words").inner_text() for desk in desks.all()]
        for place, desk in enumerate(desks.all()):
            told = _dragged(page, desk, "ε", 0.2), _dragged(page, desk, "γ", 0.8)
            assert len({before[place], *told}) == 3
        page.evaluate("scrollTo(0, 0)")
        after = [desk.locator(".live.words").inner_text() for desk in desks.all()]
        assert not set(before) & set(after)  # each is a desk of its own


@pytest.mark.journey
def test_a_lesson_answers_behind_a_guess_and_stands_still_on_paper_and_without_scripts(browser: Browser, tmp_path: Path) -> None:
    text = of_one(_NOISE, _computed)
    with _shown(browser, tmp_path / "noise.html", text) as page:
        answer = page.get_by_text("What is so:").first
        expect(answer).not_to_be_visible()
        page.get_by_label("Your guess", exact=False).first.fill("75")
        page.get_by_text("Reveal").first.click()
        expect(answer).to_be_visible()
        expect(page.locator(".still")).not_to_be_visible()
        page.emulate_media(media="print")
        expect(page.locator(".still")).to_be_visible()
        expect(page.locator(".moving")).not_to_be_visible()
    with _shown(browser, tmp_path / "still.html", text, java_script_enabled=False) as page:
        expect(page.locator(".still svg[role=img]").first).to_be_visible()
        expect(page.locator(".moving")).not_to_be_visible()


def test_a_report_that_moves_asks_for_nothing_and_is_accessible(browser: Browser, tmp_path: Path) -> None:
    made = written.desk_of(_NOISE)
    assert made is not None
    text = html(Report("t", "a", Edition.SHARING, (Section("What would be published?", (made,)),), "made", module=module()))
    with _shown(browser, tmp_path / "report.html", text) as page:
        assert page.locator(".live.words").inner_text() != _dragged(page, page.locator(".moving"), "ε", 0.9)
    with _shown(browser, tmp_path / "report.html", text, bypass_csp=True) as page:
        refuse_violations(page)


def test_where_the_program_fails_what_stands_still_is_shown(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "broken.html"
    file.write_text(of_one(_NOISE, _computed).replace('type="application/json">{', 'type="application/json">{broken'), "utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    expect(page.locator(".still svg[role=img]").first).to_be_visible()
    expect(page.locator(".moving")).not_to_be_visible()
    page.close()


def test_at_the_end_of_a_lesson_a_drag_moves_all_and_tells_the_server_nothing(open_page: Callable[..., Page]) -> None:
    page = open_page("/learn?lesson=noise&step=large")
    settle(page)
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")
    settle(page)
    page.get_by_role("button", name="Reveal").click()
    settle(page)
    expect(page.locator(".live.answers path").first).to_be_attached()
    sent: list[object] = []
    network = page.context.new_cdp_session(page)
    network.send("Network.enable")
    network.on("Network.webSocketFrameSent", lambda frame: sent.append(frame))
    before = page.locator(".live.words").inner_text()
    assert _dragged(page, page.locator("[data-testid=stMain]"), "ε", 0.2) != before
    page.keyboard.press("ArrowLeft")
    settle(page)
    assert not sent
    page.get_by_role("button", name="Guess again").click()
    settle(page)
    assert sent  # so what is sent is seen
    assert page.locator(".live.words").count() == 0


def test_beyond_what_its_trials_reach_a_file_says_so_and_promises_no_more_trials(browser: Browser, tmp_path: Path) -> None:
    with _shown(browser, tmp_path / "noise.html", of_one(_NOISE, _computed)) as page:
        said = _dragged(page, page.locator(".moving"), "γ", 0.02)
        assert "There are 199. Take a larger γ." in said
        assert "Let go" not in said


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_accessible(browser: Browser, tmp_path: Path, scheme: Scheme) -> None:
    text = of_one(_NOISE, _computed)
    with _shown(browser, tmp_path / "noise.html", text, color_scheme=scheme, bypass_csp=True) as page:
        page.locator("summary").evaluate_all("all => all.forEach(one => one.click())")
        expect(page.locator(".live.words p")).to_be_visible()
        refuse_violations(page)
