"""Several numbers and groups of them under the hand: bars, marks, whiskers and sentences are those of Python at each γ and ε."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L2, Gaussian, oracles, targets
from dpcore.answers.numbers import Numbers
from dpcore.base.declared import Column
from dpcore.base.groups import Groups
from dpcore.mechanisms.response_law import SHARE_WITHIN
from pages.charts import live
from pages.charts.answers.grouped import SAMPLED
from pages.charts.answers.grouped import WORST as WORST_OF_GROUPS
from pages.charts.responses import SIZED_TO, one_private
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.marks import close, told
from tests.pages.charts.live.node import Node
from tests.pages.charts.live.test_look import asked

BINS = targets.Histogram(edges=(0.0, 2.0, 4.0, 8.0), counts=True)
_LAWS = oracles.Product((oracles.Uniform(0.0, 8.0), oracles.Bernoulli(0.4)), ("a", "b"))


def _by(target: Any) -> Asked:
    whole = targets.On(target, ("a",), by=Groups("b", (0.0, 1.0)))
    made = asked(target=whole, oracle=_LAWS, columns=("a", "b"))
    return Asked(made.scenario, _LAWS, (Column("a", unit="minutes", bounds=(0.0, 8.0)), Column("b")))


SEVERAL = {
    "bars": asked(target=BINS),
    "bars, Gaussian": asked(Gaussian(), L2, delta=1e-6, target=BINS),
    "marks": asked(target=targets.LetterCounts(), oracle=oracles.Names(), n=10),
}
GROUPED = {"bins": _by(BINS), "sums": _by(targets.Sum((0.0, 8.0)))}
EVERY = SEVERAL | {f"groups, {name}": question for name, question in GROUPED.items()}


@pytest.mark.parametrize("name", SEVERAL)
def test_private_numbers_and_their_whiskers_are_those_of_the_chart_that_stays(node: Node, name: str) -> None:
    question = SEVERAL[name]
    at = question.points(340)
    data = live.answers(question.at(*at[0]), "answers", 1.0)
    for point, found in zip(at, told(node, question, data, at), strict=True):
        shown = question.at(*point)
        raw, marks = shown.exact.value, {one["label"]: one["told"] for one in found}
        whiskers = [one["told"] for one in found if one["told"] and one["told"][0] == "whiskers"]
        close(marks[shown.exact.name][2], raw)
        noises = [noise for noise in (shown.noise, shown.worst) if noise is not None]
        assert len(whiskers) == len(noises) == (1 if name == "marks" else 2)
        for i, noise in enumerate(noises):
            drawn, near = one_private(noise, raw, 8, i), noise.law.half_width(SHARE_WITHIN)
            way, places, heights, *_ = marks[SIZED_TO[i]]
            assert way == ("at" if name == "marks" else "bars")
            close(heights, drawn)
            assert whiskers[i][1] == places
            close(whiskers[i][2], drawn - near)
            close(whiskers[i][3], drawn + near)
        low, high = found[0]["y"]
        drawn = one_private(shown.noise, raw, 8, 0)
        near = shown.noise.law.half_width(SHARE_WITHIN)
        assert low <= min(drawn - near)
        assert max(drawn + near) <= high
        assert name == "marks" or low <= 0 <= high


@pytest.mark.parametrize("name", GROUPED)
def test_whiskers_of_groups_are_their_reaches(node: Node, name: str) -> None:
    question = GROUPED[name]
    at = question.points(170)
    data = live.answers(question.at(*at[0]), "answers", 1.0)
    for point, found in zip(at, told(node, question, data, at), strict=True):
        shown: Any = question.at(*point)
        marks = {one["label"]: one["told"] for one in found}
        assert marks[shown.exact.name][0] == "bars"
        close(marks[shown.exact.name][2], shown.centres)
        for label, noise in ((SAMPLED, shown.noise), (WORST_OF_GROUPS, shown.worst)):
            reaches = shown.reaches(noise, SHARE_WITHIN)
            way, places, low, high, _ = marks[label]
            assert way == "whiskers"
            assert len(places) == len(shown.labels)
            close(low, shown.centres - reaches)
            close(high, shown.centres + reaches)


@pytest.mark.parametrize("name", EVERY)
def test_every_number_of_the_sentences_is_python_s(node: Node, name: str) -> None:
    question = EVERY[name]
    at = question.points(200, seed=5)
    said = live.said(question.at(*at[0]))
    body = "return at.map(([gamma, epsilon]) => live.saidOf(said.kind, live.looked(tables, gamma, epsilon), said));"
    for point, slots in zip(at, node.run(body, said=said, tables=question.tables, at=at), strict=True):
        shown = question.at(*point)
        leading = question.leading(shown)
        wanted = live.follows(shown, leading)
        assert {name: slots[name] for name in wanted} == wanted
        assert wanted["together"] in shown.together(leading)
        assert slots["weaker"] == shown.short_reach(shown.noise)


def test_groups_whose_zero_is_nothing_special_are_dots() -> None:
    shown: Any = GROUPED["sums"].at(0.05, 1.0)
    shown = replace(shown, answer=replace(shown.answer, of=Numbers(("a",), "minutes")))
    data = live.answers(shown, "answers", 1.0)
    assert (data["series"][0]["mark"]["symbol"], data["series"][0]["wide"], data["zero"]) == ("circle", 0.0, False)


def test_one_record_is_a_record_and_no_records() -> None:
    said = live.said(SEVERAL["bars"].at(0.05, 1.0))
    assert (said["after"], said["one"]) == (" records", " record")


def test_more_numbers_than_can_be_told_apart_and_groups_of_other_answers_stay_as_they_are() -> None:
    shown = SEVERAL["bars"].at(0.05, 1.0)
    assert live.views(replace(shown, exact=replace(shown.exact, value=np.zeros(256)))) == ("answers", "error")
    assert not live.has_charts(replace(shown, exact=replace(shown.exact, value=np.zeros(257))))
    assert not live.has_charts(_by(targets.KnownMean((0.0, 8.0))).at(0.05, 1.0))


def test_values_far_apart_have_a_range_that_noise_moves_in_steps(node: Node) -> None:
    question = SEVERAL["bars"]
    data = live.answers(question.at(0.05, 1.0), "answers", 1.0)
    at = [[0.05, float(epsilon)] for epsilon in np.geomspace(0.1, 10, 60)]
    ranges = {tuple(found[0]["y"]) for found in told(node, question, data, at)}
    assert 5 <= len(ranges) <= 20


def test_where_the_worst_case_may_lead_for_an_error_at_one_epsilon_nothing_follows_the_hand(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shown = SEVERAL["bars"].at(0.05, 1.0)
    assert live.has_charts(shown)
    monkeypatch.setattr(type(shown), "nothing_lost", 0.002)
    assert not live.has_charts(shown)
