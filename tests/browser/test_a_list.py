"""A change of a list draws the list and its receipt anew, and what stands beside them once that has changed too."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import quote

import pytest
from playwright.sync_api import Locator, Page, expect
from streamlit.proto.BackMsg_pb2 import BackMsg

from tests.browser import screen
from tests.browser.watch import Watch

pytestmark = pytest.mark.browser

_ADDRESS = "/release?v=1&table=diabetes&columns=" + quote('["bmi"]')


def _in_parts(watch: Watch, since: int) -> list[bool]:
    """Of each run that was asked for since, whether it was one of a part of the page."""
    said = [BackMsg.FromString(frame) for frame in watch.sent[since:] if isinstance(frame, bytes)]
    return [bool(one.rerun_script.fragment_id) for one in said if one.WhichOneof("type") == "rerun_script"]


def _with_an_open_line(page: Page) -> tuple[Locator, Locator]:
    """A list of two questions, of which the second is open: its line, and the box of its ε."""
    page.get_by_role("button", name="Change it here").click()
    page.locator(".st-key-listed_edit_0").wait_for()
    screen.settle(page)  # the box that stood there before is gone then
    box = page.get_by_role("combobox", name="Add a question", exact=True)
    screen.unroll(box, "Mean of Age", search=True)
    box.press("Enter")
    line = page.get_by_role("button", name=re.compile(r"^2\. Mean of Age"))
    line.click()
    share = page.get_by_role("spinbutton", name="ε of question 2")
    expect(share).to_be_visible()
    screen.settle(page)
    return line, share


def test_a_change_draws_the_part_of_the_list_and_a_release_of_it_the_ledger_too(
    open_page: Callable[..., Page], watch: Watch
) -> None:
    page = open_page(_ADDRESS)
    line, share = _with_an_open_line(page)

    since = len(watch.sent)
    share.fill("0.3")
    share.press("Enter")
    expect(line).to_have_accessible_name(re.compile(r"ε = 0\.3"))
    screen.settle(page)
    assert _in_parts(watch, since) == [True]
    expect(page.get_by_text("Nothing was released of")).to_be_visible()

    page.get_by_role("button", name="Undo").click()
    expect(line).to_have_accessible_name(re.compile(r"ε = 0\.5"))
    page.get_by_role("button", name="Release all 2").click()
    expect(page.get_by_text("Together: ")).to_be_visible()
    expect(screen.entries(page)).to_have_count(2)
    expect(page.get_by_text("Nothing was released of")).to_have_count(0)
    expect(screen.lines(page)).to_have_count(2)
