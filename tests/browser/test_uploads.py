"""A visitor's own table, from the file to the charts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser

CSV = "income,children\n" + "".join(f"{1000 + 13 * i},{i % 4}\n" for i in range(300))


def test_a_confidential_table_is_explored_by_keys_and_a_reload_forgets_it_and_says_so(page: Page) -> None:
    screen.see_charts(page)
    several = "No, one row is one person"
    screen.upload(page, "incomes.csv", CSV, kind="Confidential", bounds={"income": (0, 10_000)}, several=several)
    assert screen.picked(page, "table") == "incomes.csv"
    expect(page.get_by_text("simulated table").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("alert").get_by_text("“incomes.csv”, which is not here").first).to_be_visible()
    screen.see_charts(page)
    assert screen.picked(page, "table") == "Loan defaults"
