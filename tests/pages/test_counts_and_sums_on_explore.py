"""A count and a sum in the app: found by the picker, in their units, and differential privacy itself on the receipt."""

from __future__ import annotations

import re

import pytest

from dpcore.targets import Count, Sum
from pages.experiment.noise import worst_case
from pages.experiment.scenario import Noise
from pages.experiment.tables import ours
from pages.exports.link import from_text, to_text
from tests.pages.visit import details, go, headline, notices, opened, pick, press, scenario, sound, text, visit


@pytest.mark.parametrize(
    ("kind", "target", "unit", "largest"),
    [("Count", Count(interval=(0.0, 60.0)), "rows", 1.0), ("Sum", Sum((0.0, 120.0)), "years", 120.0)],
)
def test_it_is_picked_and_sized_to_its_worst_case(kind: str, target: Count | Sum, unit: str, largest: float) -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", kind)
    assert scenario(app).target == target
    assert re.search(rf"within ± [\d.,]+ {unit}", headline(app)), headline(app)
    proved = worst_case(scenario(app))
    assert proved is not None
    assert proved.value == pytest.approx(largest)
    assert f"the {kind.lower()} of Age" in text(details(go(app, "release")))


def test_a_number_of_records_is_asked_for_under_conditions_for_without_them_it_is_public() -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", "Mean")
    sound(opened(app, "where").selectbox(key="ask_column").set_value("age").run())
    sound(app.number_input(key="ask_from_age").set_value(60).run())
    app = pick(press(app, "ask_add"), "target", "Count")
    assert "within ± 3 rows" in headline(app)
    assert from_text(to_text(scenario(app)), ours()) == scenario(app)
    app = press(app, "unask_0")
    assert scenario(app).target == Count()
    assert headline(app) == "## These settings give no private answer."
    assert "The sampled sensitivity is 0" in notices(app)
    sound(app.button_group(key="noise").set_value(Noise.WORST_CASE).run())
    assert "within ±" in headline(app)
