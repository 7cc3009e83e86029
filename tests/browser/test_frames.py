"""Charts follow the hand at the screen's own rate."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Page

from tests.browser import screen
from tests.browser.frames import dragged

pytestmark = pytest.mark.browser

MOST_BETWEEN, MOST_WORK = 17.0, 4.0  # milliseconds, of 19 frames in 20
_TIMES = 3


def test_one_frame_in_twenty_is_late_at_most_and_its_own_work_is_short(page: Page) -> None:
    screen.see_charts(page)
    measured = []
    for _ in range(_TIMES):
        measured.append(dragged(page, "gamma"))
        if min(one.long_between for one in measured) <= MOST_BETWEEN and min(one.long_work for one in measured) <= MOST_WORK:
            return
    raise AssertionError(f"{measured}, at a load average of {os.getloadavg()[0]:.1f}")
