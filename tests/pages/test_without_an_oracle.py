"""And without an oracle? On Explore: what each way costs and promises, on public or made-up tables alone."""

from __future__ import annotations

import time
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from pages.explore.without_an_oracle import TITLE
from pages.shared import badges
from tests.pages.visit import charts, confidential, link, opened, pick, scenario, settled, sound, text

pytestmark = pytest.mark.slow

PROPER, SAMPLED = "no_oracle_proper", "no_oracle_sampled"
BMI = {"table": "diabetes", "columns": ["bmi"]}
MEDIAN = {"target": {"kind": "Quantile", "q": 0.5, "bounds": [0, 20]}}
ROWS = "income\n" + "".join(f"{20 + (37 * i) % 60}\n" for i in range(200))
OTHERS = "income\n" + "".join(f"{20 + (7 * i) % 5}\n" for i in range(200))


def _opened(**values: object) -> AppTest:
    return settled(link(doubts="no_oracle", **values))


@pytest.fixture(autouse=True)
def on_any_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine would offer a button first."""
    monkeypatch.setattr("pages.experiment.rivals.seconds", lambda *_: 0.1)


def _table(app: AppTest) -> Any:
    return next(table.value for table in app.table if "promised, to whom" in table.value)


def test_it_is_there_once_it_is_opened_and_a_link_opens_it() -> None:
    app = settled(link(**BMI))
    assert TITLE in [box.label for box in app.expander]
    assert PROPER not in charts(app)
    assert {PROPER, SAMPLED} <= set(charts(settled(opened(app, "no_oracle"))))
    assert {PROPER, SAMPLED} <= set(charts(_opened(**BMI)))


def test_a_table_says_what_each_way_promises_and_a_sentence_where_dp_is_nearly_free() -> None:
    app = _opened(**MEDIAN)
    table = _table(app)
    assert [way.split(":")[0] for way in table["way"]] == ["sampled", "blocks", "smooth", "worst case", "no noise"]
    assert table["promised, to whom"].tolist()[1:] == ["DP, every row"] * 3 + ["nothing"]
    assert table["promised, to whom"][0] == "random DP, all but 1 in 20 of random changes, on average"
    assert table["times the question is asked"].tolist() == ["1, after 199 trials", "500", "1", "1", "1"]
    assert all(near.count("years") == 1 for near in table["± at ε = 1, 95 in 100"][:4])
    assert "around the blocks' median" in table["± at ε = 1, 95 in 100"][1]
    said = text(app)
    assert "Here differential privacy itself costs nothing." in said
    assert "dealt to k = 500 blocks. That number hangs on n, ε and made-up tables of the oracle alone." in said
    assert "which no ± tells. The smooth sensitivity is here to compare with" in said
    assert badges.PUBLIC_TABLE in said.rpartition("which no ± tells.")[2]
    assert "Here differential privacy itself is nearly free." in text(_opened(**BMI))


def test_a_median_of_single_rows_lies_on_the_tables_own() -> None:
    app = _opened(epsilon=0.1, **MEDIAN)
    assert "dealt to k = 500 blocks" in text(app)
    assert "That median without noise lies on the whole table's own answer" in text(app)


def _confidential(rows: str) -> AppTest:
    app = settled(pick(confidential(rows.encode(), 0, 100), "target", "Sum"))
    return settled(opened(app, "no_oracle"))


def _shown(app: AppTest) -> tuple[str, ...]:
    return str(charts(app)[PROPER]), str(charts(app)[SAMPLED]), _table(app).to_csv()


def test_of_a_confidential_table_it_is_the_oracles_tables_whatever_the_file_holds() -> None:
    """Two files with the same number of rows and the same bounds."""
    app = _confidential(ROWS)
    assert "made-up tables from the oracle, not about yours.**" in text(app)
    assert badges.SIMULATED in text(app).rpartition("which no ± tells.")[2]
    before = _shown(app)
    assert _shown(_confidential(OTHERS)) == before


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({}, "Blocks need public bounds of the answer"),
        ({"table": "scientists", "columns": ["name"]}, "This answer is a choice, and this chart compares numbers."),
        (
            {"table": "diabetes", "columns": ["bmi"], "target": {"kind": "KnownMean", "bounds": [10, 70]}},
            "Blocks of rows cannot answer this question",
        ),
    ],
)
def test_where_something_is_missing_a_sentence_says_what_and_what_to_do(values: dict[str, Any], said: str) -> None:
    app = _opened(**values)
    assert said in text(app)
    assert PROPER not in charts(app)


def test_a_slow_question_is_compared_once_that_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.experiment.rivals.seconds", lambda *_: 7.2)
    app = _opened(**BMI)
    assert PROPER not in charts(app)
    button = app.button(key="no_oracle_try")
    assert button.label == "Compare the ways, which takes about 8 seconds"
    app = sound(button.click().run())
    for _ in range(600):
        if PROPER in charts(app):
            break
        time.sleep(0.1)
        app = sound(app.run())
    assert PROPER in charts(app)


def test_what_nobody_would_wait_for_is_not_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pages.experiment.rivals.seconds", lambda *_: 900.0)
    app = _opened(**BMI)
    assert "would take about 15 minutes here" in text(app)
    assert "no_oracle_try" not in [button.key for button in app.button]
    assert scenario(app).columns == ("bmi",)
