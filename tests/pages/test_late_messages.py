"""A message of a control that comes after the question was changed: no option of one target reaches another, and it is said."""

from __future__ import annotations

from typing import Any

from streamlit.testing.v1 import AppTest

from dpcore import targets
from pages.experiment.scenario import Scenario
from tests.pages.visit import link, opened, pick, scenario, settled, sound, text, visit

_LATE = "it changed meanwhile"


def _people() -> AppTest:
    return settled(pick(settled(pick(visit(), "table", "visits")), "target", "Sum"))


def _of_totals(app: AppTest) -> Scenario:
    """The scenario that clips each person's total in the question shown, in place of a cap on rows."""
    shown: Any = scenario(app)
    return shown.with_(target=targets.ClippedTotals(shown.target.question, shown.target.person, (0.0, 1_000.0)))


def _late(app: AppTest, shown: Any, widget: Any, value: Any) -> AppTest:
    """The control's message, where the session shows another scenario since it was drawn."""
    app.session_state["scenario"] = shown
    app = sound(widget.set_value(value).run())
    assert _LATE in text(app)
    assert scenario(app) == shown
    return app


def test_late_rows_change_no_totals() -> None:
    app = opened(_people(), "options")
    _late(app, _of_totals(app), app.number_input(key="opt_rows"), 7)


def test_late_option_restores_no_target() -> None:
    app = opened(link(table="diabetes", columns=["bmi"], target={"kind": "Quantile", "q": 0.5, "bounds": [10, 70]}), "options")
    other = scenario(link(table="diabetes", columns=["bmi"], target={"kind": "Mean", "bounds": [10, 70]}))
    _late(app, other, app.number_input(key="opt_q"), 0.25)


def test_option_keeps_other_changes() -> None:
    app = opened(_people(), "options")
    capped: Any = scenario(app)
    app.session_state["scenario"] = capped.with_(epsilon=2.0)
    sound(app.number_input(key="opt_rows").set_value(7).run())
    shown: Any = scenario(app)
    assert (type(shown.target), shown.target.rows, shown.epsilon) == (targets.ContributionBounded, 7, 2.0)
    assert _LATE not in text(app)
