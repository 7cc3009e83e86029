"""The policy that each page states: all of the app works under it, and what did not come from the server does not run."""

from __future__ import annotations

from collections.abc import Callable
from urllib.request import urlopen

from playwright.sync_api import BrowserContext, Page, expect

from tests.browser import screen
from tests.browser.server import Server

_PATHS = ("/", "/people", "/learn?lesson=coin")  # each test of a page looks for complaints, too
_INJECTED = """() => {
  const script = document.createElement("script");
  script.textContent = "window.hurt = true";
  const other = Object.assign(document.createElement("script"), { src: "https://foreign.example/a.js" });
  const image = Object.assign(document.createElement("div"), { innerHTML: "<img src=x onerror='window.hurt = true'>" });
  const form = Object.assign(document.createElement("form"), { action: "https://foreign.example/", method: "post" });
  const base = Object.assign(document.createElement("base"), { href: "https://foreign.example/" });
  document.body.append(script, other, image, form, base);
  form.submit();
  const later = () => new Promise(done => setTimeout(done, 300, String(window.hurt)));
  return fetch("https://foreign.example/").then(() => "fetched", later);
}"""


def test_pages_state_a_content_security_policy(server: Server) -> None:
    with urlopen(f"{server.address}/") as answer:
        rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert rules["default-src"] == "'self'"
    assert "unsafe" not in rules["script-src"]
    assert rules["frame-ancestors"] == rules["object-src"] == rules["base-uri"] == rules["form-action"] == "'none'"
    assert "connect-src" not in rules  # as the default
    with urlopen(f"{server.address}/_stcore/health") as answer:
        assert "content-security-policy" not in answer.headers


def test_no_page_does_what_the_policy_forbids(open_page: Callable[..., Page]) -> None:
    """The watch refuses each message of a browser that held something back."""
    page = open_page()
    for path in _PATHS:
        page.goto("/".join(page.url.split("/")[:3]) + path)
        expect(page.locator("h1, h2, h4").first).to_be_visible()
        screen.settle(page)
        for closed in page.locator("[data-testid=stExpander] summary").all()[:2]:
            closed.click()
        screen.settle(page)


def test_what_comes_from_elsewhere_does_not_run(profile: BrowserContext, server: Server) -> None:
    page = profile.new_page()
    held_back: list[str] = []
    page.on("console", lambda message: held_back.append(message.text) if "Content Security Policy" in message.text else None)
    page.goto(server.address)
    screen.see_charts(page)
    assert page.evaluate(_INJECTED) == "undefined"
    assert page.evaluate("document.baseURI").startswith(server.address)
    for what in ("inline script", "inline event handler", "foreign.example/a.js", "form", "connect"):
        assert any(what in said.lower() for said in held_back), (what, held_back)
    page.close()
