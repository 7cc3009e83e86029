"""The report of releases claims each guarantee of exactly what it covers, and shows names from outside as text."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import threading
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import Adjacency, GaussianMechanism, GroupBy, oracles, targets
from dpcore.base.columns import Column
from dpcore.guarantees.privacy import PureDP, RandomDP, Unit
from pages.exports.release_report import release_report, releases_as_json
from pages.files.tables import Table
from pages.ledger.book import Account, Book
from pages.ledger.entry import CLOSED
from tests.pages.exports import shown
from tests.pages.exports.released import MEDIAN, TABLE, N, Page, release, said, scenario
from tests.pages.pressed import account
from tests.pages.test_book import _table as asked_table
from tests.pages.test_book import cancel_second_question, may_end

HOSTILE = (
    "<script>alert(1)</script>",
    "<img src=x onerror=y>",
    "</title></style></svg>",
    "\"&quot;' {{ 7*7 }} {% raw %}",
    "x\u202egnp.exe\u2066\x07",
    "a\n\n<p>b",
)
WEAKER = "weaker than differential privacy"


def test_pure_dp_is_claimed_for_proved_noise() -> None:
    book = Book()
    release(book, scenario(epsilon=1.0), worst_case=True)
    text = said(book)
    for part in (
        "Pure DP, ε = 1",
        "is right at most 74% of the time. Random guessing: 50%",
        "No oracle was used",
        "(not verified)",
    ):
        assert part in text, part
    for part in ("Random", "Weaker", WEAKER, "γ =", "δ =", "unusual"):
        assert part not in text.split("What was spent")[0].replace("Random guessing", "").replace("Random noise", ""), part


def test_approximate_dp_is_claimed_with_its_delta() -> None:
    book = Book()
    noise = GaussianMechanism()
    release(book, scenario(epsilon=1.0, delta=1e-6, mechanism=noise), worst_case=True)
    text = said(book)
    assert "Approximate DP, ε = 1, δ = 1e-06" in text
    assert "δ = 1e-06 The probability may change by this much more." in text
    assert WEAKER not in text


def test_random_dp_is_weaker_wherever_it_is_claimed() -> None:
    book = Book()
    release(book, scenario(target=MEDIAN), worst_case=False)
    text = said(book)
    for part in (
        "Random DP, ε = 1, γ = 0.05 Weaker than differential privacy.",
        "Up to this share of random changes, drawn from the oracle, is not protected on average. It is not a share of the people",
        "If a row is protected, the guess is right at most 74% of the time. If it is not protected, nothing limits the guess.",
        "Not protected: unusual rows",
        "Nothing is promised to the rows that are not protected.",
        "Target, oracle, bounds and ε were chosen without using this table (not verified).",
        "number 190 of 199 sampled pairs under the rank bound at γ = 0.05. The oracle was",
    ):
        assert part in text, part
    assert WEAKER in text


def test_guarantee_of_several_answers_covers_all() -> None:
    book = Book()
    for _ in range(4):
        release(book, scenario(epsilon=0.5), worst_case=True)
    text = said(book)
    assert "All answers together Pure DP, ε = 2" in text
    one = said(book, entries=book.entries[:1])
    assert "Pure DP, ε = 0.5" in one
    assert "All answers in this ledger together have spent ε = 2." in one


def test_answers_of_different_units_have_own_guarantees() -> None:
    book = Book()
    release(book, scenario(epsilon=1.0), worst_case=True)
    release(book, scenario(epsilon=1.0), worst_case=True, table=replace(TABLE, unit=Unit("stay", several=False)))
    text = said(book)
    assert "one patient" in text
    assert "one stay" in text
    assert text.count("Pure DP, ε = 1 ε = 1") == 2
    assert "No one guarantee covers all answers together." in text or "add up with these" in text


def test_stated_number_of_rows_is_called_stated() -> None:
    book, adjacency = Book(), Adjacency.ADD_OR_REMOVE_ONE_RECORD
    counted = targets.Sum((0.0, 1.0))
    release(book, scenario(target=counted, adjacency=adjacency, n=50), worst_case=True, table=replace(TABLE, stated=50))
    assert "about 50 rows, as its owner states." in said(book)
    assert f"{N} rows" not in said(book)


def test_closed_table_has_no_guarantee() -> None:
    book = Book()
    release(book, scenario(target=MEDIAN), worst_case=False)
    account(book, "0d").closed = True
    book.entries[0] = replace(book.entries[0], closed=True)
    text = said(book)
    assert f"Do not publish this as private answers. {CLOSED}" in text
    assert "No guarantee covers “" in text
    assert "No one guarantee covers all answers in this ledger." in text
    assert "is right at most" not in text
    assert "With random noise" not in text


def test_answers_without_a_total_are_not_covered_together() -> None:
    book = Book()
    release(book, scenario(), worst_case=True)
    release(book, scenario(), worst_case=True)
    assert "No one guarantee covers all answers together." not in said(book)
    account(book, "0d").closed = True
    text = said(book)
    assert "No one guarantee covers all answers together." in text
    assert "all answers together under" not in text


__all__ = ["may_end"]  # a fixture


def test_charged_question_without_answer_is_not_free(may_end: threading.Event) -> None:
    """Its draws were complete when those of the next question were cancelled."""
    book = Book()
    cancel_second_question(book, may_end)
    text = said(book, asked_table())
    assert "What was drawn for it, if anything, is in the ledger below." in text
    assert "There is no answer. The attempt failed, and its cost is in the ledger below." in text
    assert not [entry.problem for entry in book.entries if entry.problem in text]


def test_rest_of_a_budget_is_rounded_down() -> None:
    book = Book(accounts={"0d": Account(budget=PureDP(1.4996))})
    release(book, scenario(epsilon=0.5), worst_case=True)
    assert "The budget is ε = 1.4996. What is left of it: ε = 0.999." in said(book)
    account(book, "0d").budget = RandomDP(0.4, 0.0, 0.1)
    assert "What is left of it: ε = 0, γ = 0.1. More was spent than the budget allows (ε)" in said(book)


def _named(name: str) -> tuple[Book, Table]:
    """Answers about a table in which every text is this one."""
    columns = (
        Column("x", bounds=(0.0, 1.0), label=name, unit=name[:20]),
        Column("c", role="text", categories=(name, "b"), label=name),
    )
    values = {"x": np.linspace(0, 1, N), "c": np.array([name, "b"] * (N // 2))}
    table = Table("t.csv", columns, values, public=False, digest="0d", title=name)
    book = Book()
    groups = targets.Query(targets.Mean((0.0, 1.0)), ("x",), (), GroupBy("c", (name, "b")))
    oracle = oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Categorical((0.5, 0.5), (name, "b"))), ("x", "c"))
    release(book, scenario(target=groups, columns=groups.fields, oracle=oracle, epsilon=20.0), worst_case=True, table=table)
    release(book, scenario(), worst_case=True, table=table)
    return book, table


def _elements(name: str) -> list[Any]:
    book, table = _named(name)
    text = release_report(book, table, book.entries, who=name)
    assert not set("\u202e\u2066\x07") & set(text)
    page = Page(text)
    return [(tag, sorted(given)) for tag, given in page.elements]


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_text_and_bring_no_element_in(name: str) -> None:
    assert _elements(name) == _elements("plain")


def test_report_runs_and_loads_nothing() -> None:
    book, table = _named("plain")
    text = release_report(book, table, book.entries)
    page = Page(text)
    style = re.search(r"<style>(.*?)</style>", text, re.DOTALL)
    assert style is not None
    digest = base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode()
    (policy,) = [one["content"] for one in page.named("meta") if one.get("http-equiv") == "Content-Security-Policy"]
    assert policy == f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    assert not page.named("script", "iframe", "object", "embed", "img", "link", "form", "base", "a")
    assert "url(" not in text
    assert "@import" not in text
    given = [name for _, attributes in page.elements for name in attributes]
    assert not [name for name in given if name.startswith("on") or name in ("src", "style", "srcdoc")]


def test_groups_have_bars_from_zero() -> None:
    table = shown.table("diabetes")
    asked = shown.scenario(table, "Histogram", ("sex",), epsilon=50.0)
    book = Book()
    entry = release(book, asked, worst_case=True, table=table)
    assert entry.release is not None
    page = Page(release_report(book, table, book.entries))
    bars = [one for one in page.named("rect") if "class" not in one]
    starts, widths = ([float(str(one[name]).rstrip("%")) for one in bars] for name in ("x", "width"))
    assert starts == [0.0, 0.0]
    assert widths[0] / widths[1] == pytest.approx(entry.release.response[0] / entry.release.response[1], rel=1e-2)
    assert len(page.named("line")) == 2
    assert all(float(str(one["x2"]).rstrip("%")) <= 100 for one in page.named("line"))


@pytest.mark.parametrize(("kind", "columns", "cells"), [("KernelDensity", ("x",), 6), ("PriestleyChao", ("x", "y"), 6)])
def test_curve_is_a_line_and_a_table(kind: str, columns: tuple[str, ...], cells: int) -> None:
    table = shown.table("sine")
    book = Book()
    entry = release(book, shown.scenario(table, kind, columns), worst_case=False, table=table)
    assert entry.release is not None
    text = release_report(book, table, book.entries)
    assert len(str(Page(text).named("polyline")[0]["points"]).split()) == 201
    begin = entry.release.response(np.array([entry.release.response.domain[0][0]]))
    assert f"<td>{begin[0]:.3g}</td>" in text
    assert text.split("Values of the private curve")[2].split("</table>")[0].count("<td>") == cells


def test_json_holds_each_answer_and_no_failed_question(may_end: threading.Event) -> None:
    book = Book()
    cancel_second_question(book, may_end)
    only = release(book, scenario(), worst_case=True)
    assert json.loads(releases_as_json(book.entries)) == [json.loads(only.as_json())]
