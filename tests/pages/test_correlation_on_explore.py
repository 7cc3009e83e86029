"""A correlation in the app: of two columns, where random DP needs far less noise than its worst case."""

from __future__ import annotations

import re

from dpcore.targets import Correlation
from tests.pages.prose import refuse_code
from tests.pages.visit import answered, go, pick, press, scenario, text, visit


def test_it_is_picked_with_two_columns_and_released() -> None:
    app = pick(pick(visit(), "table", "diabetes"), "target", "Correlation")
    assert isinstance(scenario(app).target, Correlation)
    heading, body = answered(app)
    found = re.match(r"# Correlation of Age, .*: 95 times in 100 answers lie within ± ([\d.]+) of the one without noise", heading)
    assert found, heading
    assert float(found[1]) < 0.2
    assert "The worst case over all tables is 2." in body
    refuse_code(body.replace("**", ""))
    app = press(go(app, "release"), "release")
    assert re.search(r"Age and [^:]+: \*\*-?[\d.e-]+( ± [\d.]+)?\*\*", text(app))
