"""A count and a sum in the app: found by the picker, in their units, and differential privacy itself on the receipt."""

from __future__ import annotations

import re

import pytest

from dpcore.targets import Count, Sum
from tests.pages.prose import refuse_code
from tests.pages.visit import charts, go, pick, scenario, text, visit


@pytest.mark.parametrize(
    ("kind", "target", "unit", "worst"),
    [("Count", Count(interval=(0.0, 60.0)), "records", "at most 1 "), ("Sum", Sum((0.0, 120.0)), "years", "120 years")],
)  # fmt: skip
def test_it_is_picked_and_sized_to_its_worst_case(kind: str, target: Count | Sum, unit: str, worst: str) -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", kind)
    assert scenario(app).target == target
    heading, body = text(app).split("\n")[:2]
    asked = "(of Age|where Age from 0 to 60 years)"
    assert re.match(rf"# {kind} {asked}: nine times in ten answers lie within ± [\d.,]+ {unit} of", heading), heading
    assert worst in body
    refuse_code(body.replace("**", ""))
    assert charts(app)["responses"]["layout"]["xaxis"]["title"]["text"] == f"what may be published ({unit})"
    assert f"the {kind.lower()} of Age" in text(go(app, "release"))
