"""A choice under the hand: the chances of candidates at each scale of the noise are those of Python's law."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import LINF, RANGE, Exponential, oracles, targets
from dpcore.base.declared import Column
from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms.exponential import SelectionLaw
from pages.charts import live
from pages.charts.answers.choice import shown_of
from pages.charts.live.encoded import exactly
from pages.charts.live.kinds import choice
from pages.experiment.scenario import Scenario
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.node import Node

_CLOSE = 1e-12
_NAMES = ("<img src=x onerror=alert(1)>", "b\u2028c", "**bold**", "${1}", "e" * 60, *(f"c{i}" for i in range(55)))


def _asked(selection: Any, norm: Any = RANGE, candidates: tuple[str, ...] = _NAMES) -> Asked:
    shares = np.arange(1.0, len(candidates) + 1) ** 2
    oracle = oracles.Categorical(tuple(float(share) for share in shares / shares.sum()), candidates)
    target = targets.Histogram(categories=candidates)
    scenario = Scenario(
        table="t",
        columns=("a",),
        target=target,
        oracle=oracle,
        norm=norm,
        n=400,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=0.5,
        delta=None,
        mechanism=Exponential(candidates, norm=norm, selection=selection),
        seed=8,
    )
    return Asked(scenario, oracle, (Column("a", role="text", categories=candidates),))


CASES = {"gumbel": _asked("gumbel"), "gumbel, L∞": _asked("gumbel", LINF), "permute-and-flip": _asked("permute-and-flip")}


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_each_candidate_s_chance_is_the_law_s_at_random_points(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(340)
    data = live.answers(question.at(*at[0]), "answers", 1.0)
    found = node.run("return followed(live.Answers, data, tables, at);", data=data, tables=question.tables, at=at)
    scores = question.exact.value
    keep = shown_of(scores)
    assert len(keep) == 40
    for point, (above, below) in zip(at, found, strict=True):
        shown = question.at(*point)
        for mark, noise in zip(above["marks"][:2], (shown.noise, shown.worst), strict=True):
            assert noise is not None
            law: Any = noise.law
            assert np.array(mark["ys"]) / 100 == pytest.approx(law.probabilities(scores)[keep], rel=_CLOSE, abs=1e-300)
        assert sorted(below["marks"][0]["ys"] + below["marks"][1]["ys"]) == sorted(scores[keep])
        assert f"At ε = {point[1]:g} its chance is {shown.reach(shown.noise).rpartition('chance ')[2]}." in above["said"]


@pytest.mark.parametrize("name", CASES)
def test_the_winner_s_chance_reads_as_the_headline_says_it(node: Node, name: str) -> None:
    question = CASES[name]
    at = question.points(340, seed=5)
    said = live.said(question.at(*at[0]))
    found = node.run(
        "return at.map(([gamma, epsilon]) => live.saidOf(said.kind, live.looked(tables, gamma, epsilon), said));",
        said=said,
        tables=question.tables,
        at=at,
    )
    for point, slots in zip(at, found, strict=True):
        shown = question.at(*point)
        assert slots == {"reach": shown.reach(question.leading(shown)), "weaker": shown.reach(shown.noise)}


@pytest.mark.parametrize("selection", ["gumbel", "permute-and-flip"])
def test_chances_sum_to_one_and_are_the_law_s_for_scores_of_any_size(node: Node, selection: Any) -> None:
    rng = np.random.default_rng(7)
    for size in (2, 3, 17, 100):
        scores = np.round(rng.normal(size=size) * 10 ** rng.uniform(-1, 2), 1)
        levels, times = np.unique(scores, return_counts=True)
        law = SelectionLaw(1.0, tuple(range(size)), selection)
        nodes, weights = (exactly(each) for each in np.polynomial.legendre.leggauss(24))
        data: dict[str, Any] = {"gaps": exactly(levels - levels[-1]), "times": times.tolist()}
        data |= {"nodes": nodes, "weights": weights} if selection == "permute-and-flip" else {}
        scales = 10 ** rng.uniform(-2, 3, 60)
        found = node.run("return Array.from(scales, (scale) => live.chances(data, scale));", data=data, scales=exactly(scales))
        for scale, chances in zip(scales, found, strict=True):
            law = SelectionLaw(float(scale), tuple(range(size)), selection)
            _, first = np.unique(scores, return_index=True)
            assert chances == pytest.approx(law.probabilities(scores)[first], rel=_CLOSE, abs=1e-300)
            assert np.array(chances) @ times == pytest.approx(1, rel=1e-12)


def test_a_law_that_would_take_a_browser_long_has_no_charts() -> None:
    names = tuple(f"c{i}" for i in range(150))
    scores = CASES["gumbel"].exact.value
    assert len(np.unique(scores)) > 16
    assert choice.names(CASES["gumbel"].at(0.05, 0.5)) == ("answers", "error")
    assert choice.names(CASES["permute-and-flip"].at(0.05, 0.5)) == ("answers",)
    many = _asked("permute-and-flip", candidates=names)
    object.__setattr__(many.exact, "value", np.arange(150.0))
    assert choice.names(many.at(0.05, 0.5)) == ()
