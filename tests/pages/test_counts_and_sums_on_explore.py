"""A count and a sum in the app: found by the picker, in their units, and differential privacy itself on the receipt."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dpcore.targets import Count, KnownCount, Sum
from pages import state
from pages.files.tables import read_catalog
from pages.old.state.link import from_query, to_query
from tests.pages.prose import refuse_code
from tests.pages.visit import answered, charts, go, opened, pick, press, scenario, sound, text, visit

TITLE = KnownCount.title
DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize(
    ("kind", "target", "unit", "worst"),
    [("Count", Count(interval=(0.0, 60.0)), "rows", "at most 1 "), ("Sum", Sum((0.0, 120.0)), "years", "120 years")],
)
def test_it_is_picked_and_sized_to_its_worst_case(kind: str, target: Count | Sum, unit: str, worst: str) -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", kind)
    assert scenario(app).target == target
    heading, body = answered(app)
    asked = "(of Age|where Age from 0 to 60 years)"
    assert re.match(rf"# {kind} {asked}: 95 times in 100 answers lie within ± [\d.,]+ {unit} of", heading), heading
    assert worst in body
    refuse_code(body.replace("**", ""))
    assert charts(app)["responses"]["layout"]["xaxis"]["title"]["text"] == f"what may be published ({unit})"
    assert f"the {kind.lower()} of Age" in text(go(app, "release"))


@pytest.mark.slow
def test_a_number_of_records_is_asked_for_under_conditions_for_without_them_it_is_public() -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", "KnownMean")
    assert TITLE not in app.selectbox(key="pick_target").proto.options
    sound(opened(app, "asking").selectbox(key="ask_column").set_value("age").run())
    sound(app.number_input(key="ask_from_age").set_value(60).run())
    app = pick(press(app, "ask_add"), "target", "KnownCount")
    assert "# Number of rows, where Age from 60 to 120 years: 95 times in 100 answers lie within ± 3 rows of" in text(app)
    assert from_query(to_query(scenario(app)), read_catalog(DATA), state.example()) == (scenario(app), [])
    app = press(app, "unask_0")
    assert scenario(app).target == KnownCount()
    heading, why = answered(app)
    assert heading == "# No private answer at this choice"
    assert why.startswith("The sampled sensitivity is 0")
    assert "The worst case is proved, so on Release the noise can be sized to that." in text(app)
