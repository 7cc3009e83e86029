"""Pinned scenarios are compared with the one that is shown, shown again and unpinned."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import pytest
from pptx import Presentation
from pptx.util import Inches
from streamlit.testing.v1 import AppTest

from pages import jobs
from pages.experiment.examples import EXAMPLES, example_named
from pages.experiment.scenario import Noise
from pages.experiment.tables import ours
from pages.experiment.view import Question, view
from pages.experiment.words import Compared, comparable, compared, conclusion
from pages.exports.link import to_text
from pages.exports.slide import slide
from pages.widgets.compare import LABEL
from tests.pages.session import opened, press, ran, scenario, warnings

TABLES = ours()


def _buttons(keys: set[str | None]) -> set[str]:
    return {key for key in keys if key is not None and key.startswith(("show_", "unpin_"))}


def _compared(app: AppTest) -> AppTest:
    """The page with the tab Compare open."""
    app.session_state["tabs"] = LABEL
    return ran(app)


def test_comparison_is_absent_without_pins() -> None:
    assert not opened().table


def test_pinned_scenarios_stand_beside_the_shown_one() -> None:
    app = press(opened(), "pin")
    assert [toast.value for toast in app.toast] == ["Pinned: 1 of 4"]
    app = _compared(press(app, "example_Histogram"))
    rows = app.table[0].value.astype(str)
    assert list(rows["scenario"]) == ["A", "now"]
    assert rows["what differs"][0] == "Mean of Time to default"
    assert "0.0195 years" in rows["error"][0]
    assert rows["k"][0] == "190"
    assert _buttons({button.key for button in app.button}) == {"show_A", "unpin_A"}
    app = _compared(press(app, "show_A"))
    assert scenario(app) == example_named("Mean", TABLES)
    assert list(app.table[0].value["scenario"]) == ["A (shown)"]
    assert not press(app, "unpin_A").table


def _items(*changes: dict[str, Any], name: str = "Mean") -> list[Compared]:
    found = []
    for letter, change in zip("ABCD", changes, strict=False):
        scenario = example_named(name, TABLES).with_(**change)
        question = Question(scenario, TABLES[scenario.table])
        found.append(compared(letter, f"ε = {scenario.epsilon:g}", view(scenario, question, question.sample(scenario.m))))
    return found


def test_conclusion_names_the_smallest_error_and_the_factor() -> None:
    a, b = _items({"epsilon": 0.5}, {"epsilon": 2.0})
    assert a.error == pytest.approx(4 * (b.error or 0))
    assert (
        conclusion([a, b])
        == f"B has the smallest error, {b.error_in_words}, 4 times smaller than that of A. Their guarantees differ."
    )
    assert conclusion([a, a]) == f"A and A have the same error: {a.error_in_words}."


def test_conclusion_ranks_random_below_pure_dp() -> None:
    sampled, proved = _items({}, {"noise": Noise.WORST_CASE}, name="Histogram")
    assert (sampled.strength, proved.strength) == (1, 3)
    wide, narrow = (_items({}, {"noise": Noise.WORST_CASE, "epsilon": epsilon}, name="Histogram")[1] for epsilon in (0.1, 10.0))
    assert conclusion([sampled, wide]).endswith("But A promises only random DP, and B pure DP.")
    assert "But" not in conclusion([sampled, narrow])


def test_infinite_error_and_other_sense_are_not_compared() -> None:
    a, b = _items({"epsilon": 0.5}, {"epsilon": 2.0})
    (other,) = _items({}, name="Letters")
    assert comparable([a, b, other], a) == [a, b]
    assert comparable([a, replace(b, error=float("inf"))], a) == [a]


def test_slide_of_confidential_table_says_simulated() -> None:
    (a,) = _items({})
    table = replace(a.view.question.table, public=False)  # type: ignore[union-attr]
    closed = replace(a, view=replace(a.view, question=Question(a.view.scenario, table)))  # type: ignore[union-attr, type-var]
    shapes = Presentation(io.BytesIO(slide([a, closed]))).slides[0].shapes
    assert any("simulated tables" in shape.text_frame.text for shape in shapes if shape.has_text_frame)


def test_slide_has_conclusion_chart_and_guarantees() -> None:
    items = _items({"epsilon": 0.5}, {"epsilon": 2.0})
    (page,) = Presentation(io.BytesIO(slide(items))).slides
    assert page.shapes.title.text == conclusion(items)
    (chart,) = (shape.chart for shape in page.shapes if shape.has_chart)
    assert list(chart.plots[0].categories) == ["A: ε = 0.5", "B: ε = 2"]
    assert list(chart.plots[0].series[0].values) == pytest.approx([one.error for one in items], rel=5e-3)
    words = " ".join(shape.text_frame.text for shape in page.shapes if shape.has_text_frame)
    assert all(f"{one.letter}: {one.guarantee}." in words for one in items)
    assert "Random DP is weaker than differential privacy" in words
    assert all(one.left + one.width <= Inches(13.333) and one.top + one.height <= Inches(7.5) for one in page.shapes)


def test_fifth_and_repeated_pins_are_refused() -> None:
    app = opened()
    for name in list(EXAMPLES)[:4]:
        app = press(press(app, f"example_{name}"), "pin")
    before = app.session_state["pinned"]
    app = press(app, "pin")
    assert "pinned already, as D" in warnings(app)
    app = press(press(app, "example_Letters"), "pin")
    assert "Four scenarios are pinned" in warnings(app)
    assert app.session_state["pinned"] == before
    assert len(before) == 4


def test_pin_whose_table_is_gone_says_so() -> None:
    app = _compared(press(press(opened(), "pin"), "example_Histogram"))
    pinned = app.session_state["pinned"][0]
    app.session_state["pinned"] = (pinned.with_(table="mine.csv"),)
    app = press(app, "show_A")
    assert "Its table is not here any more" in warnings(app)
    assert scenario(app).table == "diabetes"


def test_slow_pin_is_not_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    app = opened(s=to_text(example_named("Curve", TABLES)))
    app.session_state["pinned"] = (example_named("Classifier", TABLES),)
    monkeypatch.setattr(jobs, "_ASIDE_SECONDS", 0.0)
    pinned, now = _compared(ran(app)).table[0].value["error"]
    assert pinned == "Not drawn yet: show it."
    assert "0.0915" in now
