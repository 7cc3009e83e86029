"""A link to a table that is not here says its own question, and nothing of another table; it takes hold once that is here."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pages.old.state.link import to_query
from tests.pages.visit import (
    charts,
    confidential,
    declare,
    everything,
    go,
    link,
    notices,
    press,
    scenario,
    settled,
    slide,
    text,
    upload,
    use,
    visit,
)

_CSV = b"income\n" + b"".join(b"%d\n" % (i * i % 97) for i in range(120))
_OF_ANSWERS = re.compile(r"±|lie within|Δ̂ =|loan|Loan|years|0\.0131|0\.015")


@pytest.fixture
def theirs() -> dict[str, str]:
    """The link of somebody who has the table."""
    app = slide(slide(confidential(_CSV, 0, 100), "epsilon", 2.0), "gamma", 0.1)
    return to_query(scenario(app))


@pytest.mark.parametrize("page", ["", "release", "people"])
def test_each_page_says_what_the_link_asks_and_nothing_of_another_table(theirs: dict[str, str], page: str) -> None:
    app = visit(page, **theirs)
    said = text(app)
    assert "# The link is about “mine.csv”, which is not here" in said
    assert "With sampled noise, it would promise **random DP, ε = 2, γ = 0.1**." in said
    assert "With noise calibrated to the proved worst case, **pure DP, ε = 2**: this is differential privacy." in said
    assert "random DP is weaker" in said
    assert _OF_ANSWERS.search(said) is None
    assert not charts(app)
    assert [box.key for box in app.select_slider] == []
    assert not app.table


def test_it_waits_with_its_pins_over_other_pages_and_takes_hold_once_the_table_is_here(theirs: dict[str, str]) -> None:
    pinned: dict[str, Any] = theirs | {"pins": '{"A":{"epsilon":0.5}}'}
    app = visit(**pinned)
    assert "Pinned" not in everything(app)
    go(go(app, "learn"), "your_data")
    assert app.query_params["table"] in ("mine.csv", ["mine.csv"])
    assert "which is not here" in text(go(app, ""))
    app = settled(use(declare(upload(app, "mine.csv", _CSV), "income", 0, 100)))
    assert (scenario(app).table, scenario(app).epsilon, scenario(app).gamma) == ("mine.csv", 2.0, 0.1)
    assert next(iter(app.session_state["pins"].values())).scenario.epsilon == 0.5
    assert "which is not here" not in text(app)
    assert "± " in text(app)


def test_the_example_or_another_table_leaves_it(theirs: dict[str, str]) -> None:
    app = press(visit(**theirs), "leave_link")
    assert scenario(app).table == "loan_defaults"
    assert "which is not here" not in text(app) + notices(app)
    other = settled(use(declare(upload(visit(**theirs), "other.csv", _CSV), "income", 0, 50)))
    assert scenario(other).table == "other.csv"
    assert "which is not here" not in text(other)


def test_a_link_whose_question_cannot_be_read_without_its_table_says_so() -> None:
    said = text(link(table="gone.csv", target="{"))
    assert "what this one asks cannot be read without its table" in said
    assert "loan" not in said.lower()
