"""Walks a copy of the app with a curve of two dimensions that one new file holds."""

from __future__ import annotations

from typing import Any

import dpcore
from dpcore.registry.catalog import from_json, to_json
from pages.exports.script import expression
from pages.old.state.link import to_query
from tests.pages.visit import CHARTS, charts, go, notices, opened, pick, released, scenario, settled, sound, text, visit


def walk() -> None:
    """Each step asserts what a person would see."""
    app = pick(visit(), "table", "diabetes")
    assert "Curve: Heat" in app.selectbox(key="pick_target").options
    settled(pick(app, "target", "Heat"))
    target: Any = scenario(app).target
    assert (type(target.curve).__name__, target.dims, target.degree) == ("Heat", 2, 15)
    assert charts(app).keys() >= CHARTS, text(app)[:400]
    opened(app, "options")
    settled(sound(app.number_input(key="opt_bandwidth").set_value(0.3).run()))
    target = scenario(app).target
    assert target.curve.bandwidth == 0.3, notices(app)
    opened(app, "options")
    settled(sound(app.number_input(key="opt_degree").set_value(16).run()))
    assert "at most 15" in notices(app), notices(app)
    opened(app, "numbers")
    assert charts(app).keys() >= CHARTS

    again = settled(visit(**to_query(scenario(app))))
    assert not notices(again), notices(again)
    assert scenario(again) == scenario(app)
    assert from_json(to_json(target), "targets") == target
    assert eval(expression(target), {"__builtins__": {}}, vars(dpcore)) == target
    go(again, "release")
    released(again)
    assert "private answer: may be published" in text(again), text(again)[:900]
