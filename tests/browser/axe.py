"""Violations that axe-core finds on a page, in one theme or in both."""

from __future__ import annotations

from typing import Any, Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser import screen

_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"presentation-role-conflict": {"enabled": True}},  # Streamlit's own file uploader breaks it
}
_LEFT = 300  # milliseconds until what a mouse left begins to fade
_CONTRAST = {"runOnly": ["color-contrast"]}
_THEME = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).colorScheme"
_OTHER: dict[str, Literal["light", "dark"]] = {"light": "dark", "dark": "light"}
_STANDS = """() => document.getAnimations().every(one =>
  one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""


def refuse_violations(page: Page, within: str = "html") -> None:
    """Nothing that breaks WCAG 2.2 A and AA, once nothing fades in or out any more: no help either that a mouse brings up."""
    _refuse(page, _RULES, within)


def refuse_violations_in_both_themes(page: Page) -> None:
    """And in the other theme, which has other colours and is the same page else, nothing whose contrast is too low.

    The page stays in the other theme.
    """
    refuse_violations(page)
    scheme = _OTHER[page.evaluate(_THEME)]
    page.emulate_media(color_scheme=scheme)
    page.wait_for_function(f"scheme => ({_THEME})() === scheme", arg=scheme)
    screen.settle(page)
    _refuse(page, _CONTRAST)


def _refuse(page: Page, rules: dict[str, Any], within: str = "html") -> None:
    page.mouse.move(0, 0)
    page.wait_for_timeout(_LEFT)
    page.wait_for_function(_STANDS)
    results = Axe().run(page, context=within, options=rules | {"resultTypes": ["violations"]})  # of what passes one node each
    broken = [
        (violation["id"], node["html"][:160], node["failureSummary"][:200])
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]
    assert results.response["passes"], "axe-core looked at nothing"
    assert not broken, broken
