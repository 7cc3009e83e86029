"""Dragging the sliders of Explore: messages, charts, and agreement with the server afterwards."""

from __future__ import annotations

import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.screen import settle
from tests.browser.watch import Watch

_THUMB, _FRAME = 16, 16  # pixels; ms between two moves
_DRAWN = "() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(drawn, 50))))"
_TRACES = """() => Object.fromEntries([...document.querySelectorAll('.live .panel')].map(panel => [panel.dataset.name,
  { range: panel.querySelector('.chart').layout.xaxis.range,
    traces: panel.querySelector('.chart').data.map(trace => ({ x: [...trace.x], y: [...(trace.y ?? [])] })) }]))"""


def ready(page: Page) -> None:
    """Wait until the four charts are drawn and the server is at rest."""
    page.wait_for_function("() => document.querySelectorAll('.live .chart .main-svg').length >= 8")
    settle(page)


def drag(page: Page, name: str, to: float, steps: int = 25) -> None:
    """Drag a slider's thumb to a share of its length, and hold it there."""
    slider = page.locator(f"#live-{name}")
    box = slider.bounding_box()
    assert box is not None
    share = float(slider.evaluate("e => e.value / e.max"))
    left, width, y = box["x"] + _THUMB / 2, box["width"] - _THUMB, box["y"] + box["height"] / 2
    page.mouse.move(left + share * width, y)
    page.mouse.down()
    for step in range(1, steps + 1):
        page.mouse.move(left + (share + (to - share) * step / steps) * width, y)
        page.wait_for_timeout(_FRAME)
    page.evaluate(_DRAWN)


def numbers(page: Page) -> dict[str, float]:
    """Return the numbers in the boxes."""
    return {name: float(page.get_by_label(f"{name}, exactly").input_value()) for name in ("ε", "γ", "m")}


def _alike(live: dict[str, Any], answered: dict[str, Any]) -> set[str]:
    """Return the charts with the same axis before and after the answer; their traces must be equal."""
    same = {name for name, chart in answered.items() if chart["range"] == live[name]["range"]}
    for name in same:
        for mine, theirs in zip(live[name]["traces"], answered[name]["traces"], strict=True):
            for axis in ("x", "y"):
                assert mine[axis] == pytest.approx(theirs[axis], rel=1e-9, abs=1e-12), name
    return same


def test_only_releasing_a_slider_sends_a_message(page: Page, watch: Watch) -> None:
    ready(page)
    same = set[str]()
    for name, to in (("epsilon", 0.75), ("gamma", 0.75), ("m", 0.9)):
        before, headline = watch.asked, page.locator("[data-text=headline]").inner_text()
        drag(page, name, to)
        assert watch.asked == before
        assert page.locator("[data-text=headline]").inner_text() != headline
        moved = page.evaluate(_TRACES)
        page.mouse.up()
        settle(page)
        assert watch.asked == before + 1
        same |= _alike(moved, page.evaluate(_TRACES))
    assert same == {"answers", "sensitivity", "error", "points"}
    drag(page, "epsilon", 0.3)
    before = watch.asked
    share = page.locator("#live-epsilon").evaluate("e => e.value / e.max")
    page.mouse.up()
    settle(page)
    drag(page, "epsilon", float(share))
    page.mouse.up()
    settle(page)
    assert watch.asked == before + 1  # the second drag returns to the same value


def test_keys_move_slider_and_send_one_message(page: Page, watch: Watch) -> None:
    ready(page)
    page.locator("#live-gamma").focus()
    before, gamma = watch.asked, numbers(page)["γ"]
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    until = time.monotonic() + 10
    while watch.asked == before and time.monotonic() < until:  # it is sent some time after the last key
        page.wait_for_timeout(50)
    settle(page)
    assert watch.asked == before + 1
    assert numbers(page)["γ"] > gamma
    assert f"γ = {numbers(page)['γ']:g}" in page.locator(".promise").inner_text()


def test_typed_values_table_1_and_noise(page: Page) -> None:
    """One visit for all four, because a visit takes seconds."""
    ready(page)
    _typed_value_is_applied_or_reported(page)
    _unreachable_gamma_raises_m_and_back_goes_back(page)
    _table_1_row_selects_operating_point(page)
    _worst_case_noise_is_differential_privacy(page)


def _typed_value_is_applied_or_reported(page: Page) -> None:
    box = page.get_by_label("ε, exactly")
    box.fill("0.37")
    box.press("Enter")
    settle(page)
    assert "ε = 0.37" in page.locator(".promise").inner_text()
    for bad in ("0", "-1", "1000"):
        box.fill(bad)
        box.press("Enter")
        settle(page)
        expect(page.get_by_role("alert")).to_contain_text("ε must be")
        assert numbers(page)["ε"] == 0.37
    page.get_by_label("m, exactly").fill("20000")
    page.get_by_label("m, exactly").press("Enter")
    settle(page)
    assert numbers(page)["m"] == 20_000
    assert float(page.locator("#live-m").evaluate("e => e.value / e.max")) == 1
    for name, value in (("ε", "1"), ("m", "199")):
        page.get_by_label(f"{name}, exactly").fill(value)
        page.get_by_label(f"{name}, exactly").press("Enter")
        settle(page)


def _unreachable_gamma_raises_m_and_back_goes_back(page: Page) -> None:
    drag(page, "gamma", 0.05)
    expect(page.locator("[data-text=summary]")).to_contain_text("needs m")
    page.mouse.up()
    settle(page)
    assert numbers(page)["m"] > 199
    page.wait_for_timeout(1_000)  # a quick click can still carry the address before the last one
    page.go_back()
    settle(page)
    assert numbers(page) == {"ε": 1.0, "γ": 0.05, "m": 199.0}


def _table_1_row_selects_operating_point(page: Page) -> None:
    page.get_by_role("button", name="Table 1").click()
    page.get_by_role("button", name="fix both").click()
    expect(page.locator(".table1")).to_contain_text("needs")
    page.get_by_role("button", name="fix γ").click()
    page.locator(".table1").get_by_role("button", name="DKW").click()
    settle(page)
    assert numbers(page)["m"] > 1_000
    assert page.locator("select[name=bound]").input_value() == "DKW"


def _worst_case_noise_is_differential_privacy(page: Page) -> None:
    page.get_by_role("button", name="Histogram").click()
    ready(page)
    page.locator("select[name=noise]").select_option("WORST_CASE")
    settle(page)
    promise = page.locator(".promise").inner_text()
    assert promise.startswith("Pure DP, ε = 1.")
    assert "γ" not in promise
    drag(page, "gamma", 0.9)
    page.mouse.up()
    settle(page)
    assert page.locator(".promise").inner_text() == promise


def test_ordinary_sliders_replace_failed_component(open_page: Any, watch: Watch) -> None:
    page = open_page()
    page.route("**/plotly/*", lambda route: route.abort())
    page.reload()
    expect(page.get_by_role("alert").first).to_contain_text("do not run in this browser")  # two while a run replaces another
    expect(page.get_by_role("slider").first).to_be_visible()
    assert all("plotly" in complaint for complaint in watch.complaints)
    watch.complaints.clear()


def test_refused_scripts_leave_ordinary_sliders(open_page: Any, watch: Watch) -> None:
    page = open_page()
    expect(page.locator(".st-key-live_help")).to_be_hidden()
    page.add_init_script("URL.createObjectURL = () => 'blob:none'")  # as under a policy without blob:
    page.reload()
    page.get_by_role("button", name="Use ordinary sliders").click()
    settle(page)
    expect(page.get_by_role("slider").first).to_be_visible()
    expect(page.get_by_text("The private mean is within")).to_be_visible()
    assert all("blob" in complaint for complaint in watch.complaints)
    watch.complaints.clear()
    page.goto("about:blank")  # so that nothing is loaded again before the tab closes
    page.wait_for_timeout(300)
    watch.complaints.clear()
