"""A hospital's analyst with a file as it is: few steps to a first release, and the questions of every day with their units."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser import screen

pytestmark = pytest.mark.browser

MOST_INTERACTIONS = 12


def _stay(i: int) -> str:
    cost = "k.A." if i == 7 else "" if i % 13 == 0 else f"{1 + i % 9}.{i % 900:03},50"
    admitted = f"2024-03-{1 + i % 28:02}" if i == 11 else f"{1 + i % 28:02}.03.2024"
    age, ward = "" if i % 17 == 0 else 20 + i % 70, ("Innere", "Chirurgie")[i % 2]
    return f"F{i:04};{age};{'FM'[i % 2]};{ward};{i % 9};{cost};{admitted};n {i}"


STAYS = "Fallnummer;Alter;Geschlecht;Station;Tage;Kosten;Aufnahme;Notiz\n" + "\n".join(_stay(i) for i in range(400)) + "\n"


def test_the_first_release_of_a_real_file_takes_at_most_twelve_interactions(page: Page) -> None:
    screen.see_charts(page)
    done = []
    screen.go(page, "Your data")
    done.append("the page Your data")
    screen.bring(page, "stays.csv", STAYS)
    done.append("the file")
    expect(page.get_by_text("decimal comma, points between thousands")).to_be_visible()
    for title, value in (("Lowest", "0"), ("Highest", "20000"), ("Unit", "€")):
        screen.fill_cell(page, "Kosten", title, value)
        done.append(f"{title} of Kosten")
    screen.choose(page, "No, one row is one person")
    done.append("whether a person can have several rows")
    page.locator(".st-key-use_table button").click()
    done.append("Explore this table")
    screen.see_charts(page)
    expect(page.get_by_role("heading", name="Mean of Kosten: 95 times in 100 answers lie within ±")).to_be_visible()
    screen.release(page)
    done += ["the page Release", "Release"]
    entry = screen.entries(page)
    expect(entry).to_have_count(1)
    expect(entry).to_contain_text("€")
    assert len(done) <= MOST_INTERACTIONS, done
