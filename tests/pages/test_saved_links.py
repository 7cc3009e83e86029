"""Nearly two hundred links of an earlier day open, say the same in an address, and have the sensitivities that they had.

Their bytes are the same on one kind of processor; another may round the last digit of a logarithm, or add in another order.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pages.experiment.choices import example
from pages.experiment.tables import ours
from pages.old.experiment.preview import exploration
from pages.old.state.link import from_query, to_query

SAVED: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "reference" / "links.json").read_text(encoding="utf-8"))
_LAST_DIGITS = 1e-9


def _said(saved: dict[str, Any]) -> str:
    return f"{saved['link']['table']}-{json.loads(saved['link']['target'])['kind']}"


def test_there_are_nearly_two_hundred_and_they_differ() -> None:
    assert len({json.dumps(saved["link"], sort_keys=True) for saved in SAVED}) == len(SAVED) == 197
    assert len({saved["sensitivity"] for saved in SAVED}) > 150


@pytest.mark.parametrize("saved", SAVED, ids=_said)
def test_a_saved_link_opens_to_the_same_sensitivity(saved: dict[str, Any]) -> None:
    tables = ours()
    scenario, refused = from_query(saved["link"], tables, example(tables["loan_defaults"]))
    assert refused == []
    assert to_query(scenario) == saved["link"]
    sample = exploration(scenario, scenario.resolved_oracle(tables[scenario.table]))
    found, before = sample.sensitivity(allow_zero=True).value, float.fromhex(saved["sensitivity"])
    assert found == pytest.approx(before, rel=_LAST_DIGITS, abs=0)
