"""While a confidential table is not looked at, the chart of the answer says in large type that it is a made-up table's."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore.base.declared import CONSTANT
from pages.old.charts import NOT_YOUR_DATA
from tests.pages.visit import charts, confidential, pick, sound, visit, within

_CSV = b"income\n" + b"".join(b"%d\n" % (20 + i % 60) for i in range(200))


def _title(app: Any) -> str:
    return str(charts(app)["responses"]["layout"].get("title", {}).get("text", ""))


@pytest.mark.parametrize("kind", ["Mean", "QuantileScores", "KnownMean", "Histogram"])
def test_a_confidential_tables_preview_says_so_in_both_views(kind: str) -> None:
    app = pick(confidential(_CSV, 0, 100, missing=CONSTANT), "target", kind)
    assert _title(app) == NOT_YOUR_DATA
    app = sound(within(app, "readers").button_group(key="readers").set_value("Error").run())
    assert _title(app) == NOT_YOUR_DATA
    assert "title" not in charts(app)["cdf"]["layout"]


def test_a_public_tables_chart_is_of_its_own_data() -> None:
    assert _title(visit()) == ""
