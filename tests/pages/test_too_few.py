"""A mean of values that may be none: card, JSON and report say that nothing can be told of it, and what would help."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from dpcore.base.text import EMPTY, TOO_FEW
from dpcore.result_types.numbers import Ratio
from tests.pages.exports.released import prose
from tests.pages.test_reports import report
from tests.pages.visit import link, released, text

Files = list[tuple[str, str]]
_ASKED: dict[str, Any] = {
    "table": "diabetes",
    "columns": ["bmi"],
    "target": {"kind": "Query", "target": {"kind": "Mean", "bounds": [15, 45]}, "columns": ["bmi"]},
}


@pytest.fixture(autouse=True)
def _of_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where the noisy number is that of nobody: only 95 in 100 such releases would say so, so no noise decides it."""
    monkeypatch.setattr(Ratio, "within", lambda *_: math.inf)


def _made(files: Files) -> dict[str, Any]:
    made: dict[str, Any] = json.loads([data for key, data in files if key.startswith("download_")][-1])
    return made


def test_of_one_question(files: Files) -> None:
    app = released(link("release", **_ASKED))
    assert f"**{TOO_FEW}**" in text(app)
    assert EMPTY in text(app)
    assert "lies this close to the one without noise" not in text(app)
    made = _made(files)
    assert made["within"] == TOO_FEW
    assert isinstance(next(iter(made["response"].values())), float)
    said = prose(report(files, app))
    assert said.count(EMPTY) == 1
    assert "the noise moves this answer by no more than" not in said


def test_of_groups(files: Files) -> None:
    asked = {
        "kind": "Query",
        "target": _ASKED["target"]["target"],
        "columns": ["bmi"],
        "by": {"kind": "GroupBy", "column": "sex", "categories": [0, 1]},
    }
    app = released(link("release", table="diabetes", columns=["bmi", "sex"], target=asked))
    rows = next(table.value.to_dict("records") for table in app.table if "of" in table.value.columns)
    assert {row["private answer"] for row in rows} == {TOO_FEW}
    assert EMPTY in text(app)
    assert prose(report(files, app)).count(EMPTY) == 1
