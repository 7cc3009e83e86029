"""The mean of the known values of a confidential column with blanks, from the upload to its release."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from dpcore.base.text import to_place
from dpcore.result_types.numbers import NUMBER, SUM
from dpcore.targets import Mean, Query
from tests.pages.visit import declare, details, go, headline, pick, press, scenario, text, upload, use, visit

_COSTS = np.random.default_rng(6).exponential(300, 500).round().clip(0, 2_000)
_CSV = ("cost,days\n" + "".join(f"{'' if i % 10 == 0 else int(cost)},{i % 9}\n" for i, cost in enumerate(_COSTS))).encode()
_KNOWN = float(np.mean([cost for i, cost in enumerate(_COSTS) if i % 10]))


def _asked(target: str = "Mean", **cells: str) -> Any:
    app = upload(visit(), "stays.csv", _CSV)
    return pick(use(declare(app, "cost", 0, 2000, **cells)), "target", target)


def test_a_column_with_blanks_is_asked_for_its_known_values(downloads: list[str]) -> None:
    app = _asked()
    assert scenario(app).target == Query(Mean((0.0, 2_000.0)), ("cost",))
    assert "simulated table" in headline(app)
    app = details(go(app, "release"))
    assert "how many values are known, which is not public: 40 % to all (nobody guessed)" in text(app)
    assert "Only the known values of cost counted." in text(app)
    assert "No row was left out." in text(app)
    app = press(app, "release")
    said = json.loads(downloads[-1])
    mean, total, number = said["response"].values()
    assert list(said["response"])[1:] == [SUM, NUMBER]
    assert mean == pytest.approx(_KNOWN, abs=120)  # the worst case is 2,000/450 for ε = 1: 14 standard deviations
    assert mean == pytest.approx(1_000 + 1_000 * total / max(number, 1), rel=1e-9)
    assert number == pytest.approx(450, abs=60)
    assert 5 < said["within"] < 40
    assert said["missing_values"].startswith("Only the known values of cost counted.")
    assert f"**{to_place(mean, said['within'])} ±" in text(app)


def test_the_same_column_filled_has_another_answer_and_says_so() -> None:
    app = details(go(_asked("Mean", constant="1000"), "release"))
    assert "A missing cost counted as 1000." in text(app)
