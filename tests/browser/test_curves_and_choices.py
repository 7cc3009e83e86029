"""A density in a browser: it is accessible, and what is released of it reads back."""

from __future__ import annotations

import json
from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from dpcore.base.polynomials import BernsteinPolynomial
from tests.browser import screen
from tests.browser.axe import refuse_violations

pytestmark = pytest.mark.browser


def test_a_curve_is_accessible_and_its_release_is_too_and_reads_back(open_page: Callable[..., Page]) -> None:
    page = open_page(scheme="dark")
    screen.see_charts(page)
    screen.pick(page, "table", "Two bumps")
    refuse_violations(page)
    screen.release(page)
    expect(screen.entries(page).locator(".scatterlayer .trace")).to_have_count(1)
    screen.settle(page)
    refuse_violations(page)
    with page.expect_download() as caught:
        screen.entries(page).get_by_role("button", name="Download as JSON").click()
    said = json.loads(caught.value.path().read_text(encoding="utf-8"))
    low, high = BernsteinPolynomial.from_json(said["response"])(np.array([0.05, 0.75]))
    assert high - low > 1  # the second bump stands out of noise of scale 0.01
    assert said["mechanism"] == "Bernstein"
