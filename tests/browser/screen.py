"""What a person does on the app's pages, and what they then see."""

from __future__ import annotations

import json
import re
from urllib.parse import parse_qsl, urlsplit

from playwright.sync_api import Locator, Page, expect

_STILL = """() => {
  const app = document.querySelector("[data-testid=stApp]");
  return app && app.dataset.testScriptState === "notRunning" && app.dataset.testConnectionState === "CONNECTED"
    && !document.querySelector("[data-testid=stSkeleton], [data-stale=true]");
}"""
CHARTS = ("cdf", "points", "responses")


def settle(page: Page) -> None:
    """Wait until the server has nothing more to say: a press takes a moment to leave the browser, so look twice."""
    for milliseconds in (100, 60):
        page.wait_for_timeout(milliseconds)
        page.wait_for_function(_STILL)


def see_charts(page: Page) -> None:
    """The three charts of Explore are drawn, traces and all."""
    for key in CHARTS:
        expect(page.locator(f".st-key-{key} .scatterlayer .trace, .st-key-{key} .barlayer .trace").first).to_be_attached()
    settle(page)


def go(page: Page, title: str) -> None:
    """To another page by the navigation at the top."""
    page.get_by_role("link", name=title, exact=True).click()
    settle(page)


def slider(page: Page, name: str) -> Locator:
    """The slider of m, gamma or epsilon."""
    return page.locator(f".st-key-slide_{name}").get_by_role("slider")


def value(page: Page, name: str) -> str:
    """What the slider shows."""
    return slider(page, name).get_attribute("aria-valuetext") or ""


def step(page: Page, name: str, key: str) -> None:
    """One press of an arrow key on a slider."""
    before = value(page, name)
    slider(page, name).focus()
    page.keyboard.press(key)
    expect(slider(page, name)).not_to_have_attribute("aria-valuetext", before)
    settle(page)


def picked(page: Page, name: str) -> str:
    """What the selector of table, target or oracle shows."""
    return page.locator(f".st-key-pick_{name}").get_by_role("combobox").input_value()


def pick(page: Page, name: str, title: str) -> None:
    """Set the selector of table, target or oracle, and see what it shows."""
    page.locator(f".st-key-pick_{name}").get_by_role("combobox").click()
    page.get_by_role("option", name=title, exact=True).click()
    expect(page.locator(f".st-key-pick_{name}").get_by_role("combobox")).to_have_value(title)
    see_charts(page)


def sampled_sensitivity(page: Page) -> float:
    """Δ̂ in the answer's sentence."""
    found = re.search(r"Δ̂ = ([\d.,]+(?:e[-+]?\d+)?)", page.locator("[data-testid=stMain]").inner_text())
    assert found, "the answer gives no Δ̂"
    return float(found[1].replace(",", "").rstrip("."))


def scenario(page: Page) -> dict[str, object]:
    """The address's query, each value read where it is JSON."""
    read = {}
    for name, text in parse_qsl(urlsplit(page.url).query):
        try:
            read[name] = json.loads(text)
        except ValueError:
            read[name] = text
    return read


def bring(page: Page, name: str, content: str) -> None:
    """A CSV chosen on the page Your data, up to the questions about it."""
    page.locator("input[type=file]").set_input_files({"name": name, "mimeType": "text/csv", "buffer": content.encode()})
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    settle(page)


def choose(page: Page, option: str) -> None:
    """One option of a question, by its words."""
    page.get_by_role("radio", name=option, exact=True).locator("xpath=ancestor::label").click()
    settle(page)


def upload(
    page: Page, name: str, content: str, *, kind: str, bounds: dict[str, tuple[float, float]], several: str = ""
) -> None:  # fmt: skip
    """Bring a CSV on the page Your data, declare it, and explore it; ``several`` answers whether a person can have more rows."""
    go(page, "Your data")
    bring(page, name, content)
    choose(page, kind)
    if several:
        choose(page, several)
    for column, (low, high) in bounds.items():
        for which, number in (("lowest", low), ("highest", high)):
            page.get_by_label(f"{column}: {which}", exact=True).fill(f"{number:g}")
            page.keyboard.press("Tab")
            settle(page)
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
