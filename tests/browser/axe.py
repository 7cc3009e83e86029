"""What axe-core finds on a page."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

_RULES = {
    "runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"],
    "rules": {"presentation-role-conflict": {"enabled": True}},  # Streamlit's own file uploader breaks it
}
_LEFT = 300  # milliseconds until what a mouse left begins to fade
_STANDS = """() => document.getAnimations().every(one =>
  one.playState !== "running" || one.effect.getComputedTiming().endTime === Infinity)"""


def refuse_violations(page: Page) -> None:
    """Nothing that breaks WCAG 2.2 A and AA, once nothing fades in or out any more: no help either that a mouse brings up."""
    page.mouse.move(0, 0)
    page.wait_for_timeout(_LEFT)
    page.wait_for_function(_STANDS)
    results = Axe().run(page, options=_RULES)
    broken = [
        (violation["id"], node["html"][:160], node["failureSummary"][:200])
        for violation in results.response["violations"]
        for node in violation["nodes"]
    ]
    assert results.response["passes"], "axe-core looked at nothing"
    assert not broken, broken
