"""A summary of the whole table on the page Release: one press, one line, cards, and a made-up table of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.declared import Column
from dpcore.guarantees.privacy import PureDP
from dpcore.targets import TableSummary
from pages.experiment.summary.made_up import made_up
from pages.experiment.summary.told import SummaryTold, told
from pages.files.tables import Table
from pages.release.summary import cards
from pages.state import ledger
from tests.pages.prose import refuse_code
from tests.pages.visit import declare, edit, everything, go, pick, press, sound, text, upload, use, visit

N = 400
_RNG = np.random.default_rng(2)
CSV = (
    "cost,sex,bare\n"
    + "\n".join(f"{cost:.1f},{'F' if i % 3 else 'M'},{i}" for i, cost in enumerate(_RNG.gamma(2, 12, N).clip(0, 99)))
).encode()


def _asked() -> Any:
    """A summary of a confidential table, on Release."""
    app = declare(upload(visit(), "mine.csv", CSV), "cost", 0, 100)
    app = use(edit(app, "sex", used=True, categories="F; M"))
    return press(go(app, "release"), "summary_open")


def _book(app: Any) -> Any:
    return ledger._book(app.session_state["tab"])


def _told(entry: Any) -> SummaryTold:
    found = cards.of_entry(entry)
    assert found is not None
    return found[1]


def _epsilon(app: Any, epsilon: float) -> Any:
    app.number_input(key="summary_epsilon").set_value(epsilon)
    return sound(app.run())


def test_one_press_is_one_line_with_all_of_epsilon_and_gives_a_card_a_column_and_a_made_up_table() -> None:
    app = press(_asked(), "release_summary")
    book = _book(app)
    (entry,) = book.entries
    assert entry.line.guarantee == PureDP(1.0)
    assert entry.title.startswith("Summary of 2 columns")
    said = text(app)
    assert "Known values:" in said
    assert "Median:" in said
    assert "quartiles stand in order" in said
    for words in (cards.COMPUTED, cards.MADE_UP, *(one for column in _told(entry).columns for one in column.untold)):
        refuse_code(words)
    assert "Made-up table as CSV" in everything(app)
    assert press(app, "another_summary").button(key="release_summary").disabled is False


def test_where_nothing_can_be_told_the_press_is_refused_with_the_least_epsilon_that_tells_something() -> None:
    app = _epsilon(_asked(), 0.01)
    assert app.button(key="release_summary").disabled
    assert "The least ε that tells something is 0.04" in text(app)
    assert not _epsilon(app, 0.04).button(key="release_summary").disabled


def test_a_budget_refuses_a_summary_beyond_it() -> None:
    app = press(_epsilon(_asked(), 0.5), "release_summary")
    next(one for one in app.number_input if one.label == "Budget: total ε").set_value(0.6)
    app = press(sound(app.run()), "another_summary")
    assert app.button(key="release_summary").disabled
    assert "0.1 is left" in text(app)


def test_a_table_of_which_nothing_is_declared_says_what_to_do() -> None:
    app = press(go(visit(), "release"), "summary_open")  # times to default have no public bounds
    assert "No column of this table can be summed up" in text(app)
    assert "Publish one private answer" in text(press(app, "summary_close"))


@pytest.mark.slow
def test_a_made_up_table_that_is_brought_back_is_called_that() -> None:

    app = press(_asked(), "release_summary")
    content = made_up(_told(_book(app).entries[0]), N, "abcdef0123456789")
    assert "This is a made-up table" in text(upload(visit(), "new.csv", content.encode()))


def test_a_column_of_days_is_told_in_days() -> None:
    days = Column("admitted", bounds=(0.0, 365.0), since="2024-01-01")
    summary = TableSummary((days,), (8,))
    database = np.array([(float(day),) for day in range(0, 365, 2)], dtype=[("admitted", float)])
    (column,) = told(summary, summary(database), 0.01, len(database)).columns
    lines = cards._lines(column)
    assert lines[1].startswith("Mean: **2024-07-0")
    assert lines[3].startswith("Median: **2024-0")
    assert " to 2024-" in lines[3]


@pytest.mark.slow
def test_200_columns_are_one_press_and_their_cards_come_twelve_at_a_time() -> None:
    columns = tuple(Column(f"c{place}", bounds=(0.0, 1.0)) for place in range(200))
    values = {one.name: _RNG.random(4_000) for one in columns}
    app = visit()
    app.session_state["uploads"] = {"wide": Table("wide", columns, values, public=False, title="wide", digest="d")}
    app = press(go(pick(sound(app.run()), "table", "wide"), "release"), "summary_open")
    assert "Pairs are offered where at most 20 columns are chosen." in text(app)
    app = press(_epsilon(app, 3.0), "release_summary")
    (entry,) = _book(app).entries
    assert len(_told(entry).columns) == 200
    assert len([one for one in app.markdown if one.value.startswith("**c")]) == 12
    app.selectbox(key=f"summary_page_{entry.ticket}").select(192)
    assert "**c199**" in text(sound(app.run()))
