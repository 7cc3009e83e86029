"""The report is one file that needs no network, and shows text from outside as text."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from datetime import date

import pytest

from dpcore.guarantees.descriptions import figure
from pages.experiment.examples import EXAMPLES, example_named
from pages.experiment.scenario import Noise
from pages.experiment.tables import ours
from pages.experiment.view import Question, View, view
from pages.experiment.words import filled
from pages.exports.report import report

TABLES = ours()
HOSTILE = '</script><script>alert(1)</script><img src=x onerror="alert(2)">'
LINK = "https://example.org/?s=%7B%7D"
DAY = date(2026, 11, 28)


def _view(name: str, *, noise: Noise = Noise.SAMPLED, title: str = "") -> View:
    scenario = example_named(name, TABLES).with_(noise=noise)
    table = TABLES[scenario.table]
    question = Question(scenario, replace(table, title=title or table.title))
    return view(scenario, question, question.sample(scenario.m))


def _without_library(text: str) -> str:
    """The report without plotly.js, which names hosts that it never calls."""
    return re.sub(r"<script>.{1000000,}?</script>", "", text, count=1, flags=re.DOTALL)


@pytest.mark.parametrize("name", EXAMPLES)
def test_report_says_the_guarantee_and_its_limits(name: str) -> None:
    shown = _view(name)
    said = html.unescape(report(shown, link=LINK, day=DAY))
    first, rest = filled(shown)["promise"], filled(shown)["limits"]
    assert shown.order_statistic is not None
    assert first in said
    assert rest in said
    assert f"<dd>{figure(shown.order_statistic)}</dd>" in said
    assert said.count('class="chart"') == 4
    assert "28 November 2026" in said


def test_report_names_no_other_host_than_the_link() -> None:
    text = _without_library(report(_view("Mean"), link=LINK, day=DAY))
    assert "default-src 'none'; script-src 'sha256-" in html.unescape(text)
    assert re.findall(r"https?://[^\"< ]*", text) == [LINK]
    assert len(text) < 200_000


def test_report_escapes_a_hostile_title() -> None:
    text = _without_library(report(_view("Histogram", title=HOSTILE), link=LINK, day=DAY))
    assert "<script>alert" not in text
    assert "<img" not in text
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in text


def test_report_of_worst_case_noise_promises_pure_dp() -> None:
    said = report(_view("Histogram", noise=Noise.WORST_CASE), link="", day=DAY)
    assert "Pure DP, ε = 1." in said
    assert "weaker than differential privacy" not in said
    assert "Open this in the app" not in said
