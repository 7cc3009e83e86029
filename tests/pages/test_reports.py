"""The report on the page Release: complete for a reader who has nothing else, and silent about a confidential table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from dpcore.base.text import rows, widened
from pages import state
from tests.pages.exports.released import Page, prose
from tests.pages.test_list import _begun
from tests.pages.visit import book, confidential, go, link, opened, press, released, sampled

Files = list[tuple[str, str]]


def report(files: Files, app: Any) -> str:
    """The report that the box of the page offers."""
    files.clear()
    opened(app, "report")
    return dict(files)["report_file"]


def test_report_of_one_release_answers_what_a_reader_asks(files: Files) -> None:
    content = b"income\n" + b"\n".join(b"%d" % (i % 30) for i in range(300))
    app = released(sampled(go(confidential(content, 0, 60), "release")))
    entry = book(app).entries[-1]
    said = prose(report(files, app))
    ((_, number, near),) = rows(entry.about.answer, entry.release.response, entry.near)
    for part in (
        "1. Mean of income",
        f"{number} {near}".replace("\u00a0", " "),
        "A confidential table of 300 rows.".lower(),
        "Not protected: unusual rows",
        "Only the known values of income counted.",
        "No row was left out.",
        "It was not said whether one person can have several rows",
        "All answers in this ledger together have spent ε = 1, γ = 0.05.",
        "No budget was set for this table",
        "A copy of this report costs nothing. Asking again costs again, and sampled noise is no longer offered for this table.",
        "“Mean of income”: Laplace noise has scale",
    ):
        assert part in said, part


def test_list_has_each_question_with_its_answer(files: Files) -> None:
    app = press(_begun(), "release")
    entries = book(app).entries
    text = report(files, app)
    said = prose(text)
    assert len(entries) == 3
    for place, entry in enumerate(entries, 1):
        assert f"{place}. {entry.about.question}" in said
    assert len([one for one in Page(text).named("svg") if one["class"] == "bar"]) == 2  # of the histogram
    for entry, unit in zip(entries[:2], ("kg/m²", "years"), strict=True):
        assert f"the answer is at most {widened(entry.near[0])} {unit} from the exact answer." in said
    for near in entries[2].near:  # of each share of the histogram
        assert f"± {widened(near)}" in said
    assert "All answers in this ledger together have spent ε = 1, γ = 0.05." in said
    assert len(text) < 100_000


def _odd(count: int) -> list[str]:
    return [f"{value:.4f}" for value in np.random.default_rng(17).uniform(1_000, 9_000, count)]


def _forms(value: str) -> Iterator[str]:
    yield value
    yield f"{float(value):,.4f}"
    yield repr(float(value))


def test_nothing_of_a_confidential_table_is_in_a_report(files: Files) -> None:
    patterns = _odd(500)
    app = confidential(("income\n" + "\n".join(patterns)).encode(), 0, 10_000)
    app = released(go(app, "release"))
    text = report(files, app) + dict(files)["report_json"]
    table = {**state.catalog(), **app.session_state["uploads"]}[app.session_state["scenario"].table]
    mean = float(np.mean([float(value) for value in patterns]))
    secret = [form for value in [*patterns, f"{mean:.4f}"] for form in _forms(value)] + [
        f"{mean:,.6g}",
        *table.told_by,
        table.digest,
    ]
    assert not [form for form in secret if form in text]


def test_report_of_a_failed_release_does_not_tell_why(files: Files) -> None:
    zero = {"target": {"kind": "Proportion", "category": 7.0}, "gamma": 0.1}  # no record of the oracle is exactly 7
    app = press(sampled(link("release", **zero)), "release")
    said = prose(report(files, app))
    assert "There is no answer. The attempt failed" in said
    assert book(app).entries[-1].problem not in said
    assert "report_json" not in dict(files)
