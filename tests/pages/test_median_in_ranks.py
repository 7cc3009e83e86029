"""The ± of a median in ranks: before and after a press, on card, report, JSON and ledger, and of no confidential table."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np

from dpcore.guarantees.privacy import Adjacency
from dpcore.mechanisms.exponential import SelectionLaw
from dpcore.result_types.numbers import Choice, Place
from pages.ledger.entry import ranks_in_words, ranks_of
from tests.pages.exports.released import prose
from tests.pages.test_reports import report
from tests.pages.visit import confidential, details, everything, go, link, pick, press, scenario, text

_TARGET = {"kind": "QuantileScores", "q": 0.5, "bounds": [15.0, 45.0]}
_WAY = {"kind": "ExponentialMechanism", "candidates": None, "norm": "RANGE", "selection": "permute-and-flip"}
_LINK: dict[str, Any] = {"table": "diabetes", "columns": ["bmi"], "target": _TARGET, "mechanism": _WAY}
_SAID = "misses the requested rank by at most 23 more than the best public value would"


def _files(values: list[float]) -> bytes:
    return ("income\n" + "\n".join(f"{value:.1f}" for value in values)).encode()


def test_it_stands_on_the_receipt_the_card_the_ledger_the_json_and_the_report(
    downloads: list[str], files: list[tuple[str, str]]
) -> None:
    app = details(go(link(**_LINK), "release"))
    assert _SAID in text(app)
    assert "± 0.142 kg/m²" in text(app)
    press(app, "release")
    card = text(app).split("## Answers")[1]
    assert _SAID in card
    rows = [row for one in app.table for row in one.value.to_dict("records") if "charge" in row]
    assert [row["answer"].split()[-3:] for row in rows] == [["±", "23", "ranks"]]
    said = json.loads(downloads[-1])
    assert (said["within_ranks"], said["within_share"], said["within"]) == (23, 0.95, None)
    assert _SAID in prose(report(files, app))


def test_before_the_press_nothing_of_it_hangs_on_a_confidential_table() -> None:
    """Two tables of the same size, one dense and one in two clumps: sentence and row are the same, from simulated tables."""
    dense = [100.0 + i / 10 for i in range(400)]
    said = []
    for values in (dense, list(np.repeat([3.0, 9_000.0], 200))):
        app = go(pick(confidential(_files(values), 0, 10_000), "target", "QuantileScores"), "release")
        details(app)
        assert scenario(app).n == 400
        (line,) = (line for line in text(app).splitlines() if _SAID in line)
        assert "depends on the confidential table" in line
        assert "this public table" not in everything(app)
        row = app.button(key="listed_edit_0").label
        assert re.search(r"\*± [\d,.]+ to [\d,.]+\* .*This is its ± in simulated tables", row)
        said.append((line, row))
    assert said[0] == said[1]


def test_of_people_a_row_counts_in_part_and_what_counts_no_ranks_has_none() -> None:
    each = SelectionLaw(2.0, tuple(range(10_001)), "permute-and-flip")
    assert ranks_of(each, Place(("Median",), "€")) == 23
    assert "in part by that part" not in ranks_in_words(23, Adjacency.REPLACE_ONE_RECORD)
    assert "in part by that part" in ranks_in_words(23, Adjacency.REPLACE_ONE_USER)
    assert ranks_of(each, Place(("Rows",), ranked=False)) is None
    assert ranks_of(each, Choice(("a", "b"))) is None
