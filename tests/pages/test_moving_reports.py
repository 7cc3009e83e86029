"""What moves in a report of Explore: never on a confidential table's own answer, and nothing of it is in its data."""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import numpy as np
import pytest

from pages.experiment.tables import DATA
from pages.old.charts import NOT_YOUR_DATA
from tests.pages.test_reports import Files, forms, odd, report, sha256
from tests.pages.visit import confidential, pick, visit


def _sent(text: str, secret: list[float]) -> list[float]:
    """Which of these numbers are in what a report gives its charts that move: in bytes, or as JSON has them."""
    found: list[float] = []

    def read(value: Any) -> None:
        if isinstance(value, dict) and set(value) & {"f4", "f8"}:
            ((form, content),) = value.items()
            found.extend(np.frombuffer(base64.b64decode(content), dtype=f"<{form}").tolist())
        elif isinstance(value, dict | list):
            for part in value.values() if isinstance(value, dict) else value:
                read(part)
        elif isinstance(value, int | float):
            found.append(float(value))

    for data in re.findall(r'<script type="application/json">(.*?)</script>', text):
        read(json.loads(data))
    assert len(found) > 1_000
    there = np.array([value for value in found if np.isfinite(value)])
    return [value for value in secret if np.any(np.isclose(there, value, rtol=2e-7, atol=0))]


@pytest.mark.slow
def test_what_moves_is_on_the_answer_of_a_public_or_made_up_table(files: Files) -> None:
    public = report(files, visit())
    exact = float(np.mean(np.loadtxt(DATA / "loan_defaults.csv", skiprows=1)))
    assert _sent(public, [exact]) == [exact]  # so the search finds an answer that is there
    policy = re.findall(r'Content-Security-Policy" content="([^"]*)"', public)[0]
    assert re.fullmatch(r"default-src 'none'; script-src 'sha256-\S{44}'; style-src 'sha256-\S{44}' 'sha256-\S{44}'", policy)
    script = re.findall(r'<script type="module">(.*?)</script>', public, re.DOTALL)
    assert [f"'sha256-{sha256(one)}'" in policy for one in script] == [True]
    values = odd(300)
    app = pick(confidential(("income\n" + "\n".join(values)).encode(), 0, 10_000), "target", "Sum")
    secret = [float(value) for value in values] + [float(np.sum([float(value) for value in values]))]
    made_up = report(files, app)
    assert NOT_YOUR_DATA in re.sub(r"<svg.*?</svg>|<figcaption>.*?</figcaption>", "", made_up, flags=re.DOTALL)
    assert not _sent(made_up, secret)
    assert not [form for value in values for form in forms(value) if form in made_up]


@pytest.mark.slow
def test_names_with_markup_end_no_data_and_make_no_element(files: Files) -> None:
    hostile = "</script><img src=x onerror=y>"
    content = ("income\n" + "\n".join(odd(60))).encode()
    plain = report(files, pick(confidential(content, 0, 10_000), "target", "Sum"))
    app = confidential(content, 0, 10_000, unit=hostile[:20], label=hostile)
    text = report(files, pick(app, "target", "Sum"))
    parts = re.findall(r'<script type="application/json">(.*?)</script>', text)
    assert any("\\u003c/script" in part for part in parts)
    assert [json.loads(part) for part in parts]
    for element in ("script", "img", "div"):
        assert len(re.findall(rf"<{element}\b", text)) == len(re.findall(rf"<{element}\b", plain))
