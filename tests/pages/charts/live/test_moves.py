"""A figure under the hand is, at each γ and ε, the figure that Python makes there: every number and every word that moves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from pages.old.charts.live import parts

from dpcore import targets
from dpcore.errors import DpcoreError
from pages.old import charts
from pages.old.charts import answers as of_kinds
from pages.old.charts import live
from pages.old.charts.moving import by_hand, value_of
from pages.old.experiment.error_curve import error_curve
from pages.old.experiment.headlines.base import Headline
from tests.pages.charts.live.asked import Asked, asked
from tests.pages.charts.live.node import Node
from tests.pages.charts.live.questions import EVERY, by, curve, line

pytestmark = pytest.mark.slow

OFF = 0.031
_CLOSE = 1e-11
_PART = 1 / 65_535  # of the largest, to which what is only drawn is sent
_FOLLOWED = """
  data.parts.forEach((part) => live.linked(part, data.parts));
  live.linked(data, data.parts);
  return at.map(([gamma, epsilon]) => {
    const look = live.looked(tables, gamma, epsilon);
    return { moves: data.moves.map(([place, rule]) => [place, live.workedOut(rule, look)]), alt: live.workedOut(data.alt, look) };
  });
"""
_SAID = """
  return at.map(([gamma, epsilon]) => {
    const look = live.looked(tables, gamma, epsilon);
    return Object.fromEntries(Object.entries(said).map(([slot, rule]) => [slot, live.workedOut(rule, look)]));
  });
"""
VIEWS = [(name, view) for name, question in EVERY.items() for view in live.views(question.at(0.05, 0.5))]


def _there(question: Asked, shown: Headline, view: str) -> charts.Described:
    """The chart that Python makes at this γ and ε."""
    leading = question.leading(shown)
    if view == of_kinds.ERROR:
        return of_kinds.errors_of(shown, error_curve(shown), shown.error(leading.law))
    made = of_kinds.dots(shown, leading, OFF) if view == of_kinds.DOTS else of_kinds.described(shown)
    assert made is not None
    return made


@pytest.mark.parametrize(("name", "view"), VIEWS)
def test_what_moves_is_as_python_makes_it_anew(node: Node, name: str, view: str) -> None:
    question = EVERY[name]
    at = question.points(8)
    data = live.answers(question.at(0.05, 0.5), view, OFF)
    assert data["moves"], "nothing follows the hand"
    for (gamma, epsilon), found in zip(at, node.run(_FOLLOWED, data=data, tables=question.tables, at=at), strict=True):
        try:
            drawn, alt = _there(question, question.at(gamma, epsilon), view)
        except DpcoreError:  # as the classical Gaussian from ε = 1 on
            continue
        assert found["alt"] == value_of(alt)
        for place, value in found["moves"]:
            if view == of_kinds.ERROR and (place[-2:-1] == ["range"] or place == ["data", 2, "y"]):
                continue  # the axis holds the curves of every γ, and nothing lies below it
            _refuse_difference(value, _within(drawn.ready(), place), f"{name}, {view}, {place}")


def _within(part: Any, place: list[str | int]) -> Any:
    for name in place:
        part = part[name]
    return part


def _refuse_difference(found: Any, wanted: Any, what: str, part: float = 1e-9) -> None:
    if isinstance(wanted, str):
        assert found == wanted, what
        return
    if isinstance(wanted, list) and any(isinstance(one, str | list) for one in wanted):
        for one, other in zip(found, wanted, strict=True):
            _refuse_difference(one, other, what, part)
        return
    wanted = np.asarray(wanted, dtype=float)
    found = np.asarray([math.nan if one is None else one for one in found] if isinstance(found, list) else found, dtype=float)
    largest = float(np.nanmax(np.abs(wanted), initial=0.0))
    assert found == pytest.approx(wanted, rel=_CLOSE, abs=part * largest, nan_ok=True), what


@pytest.mark.parametrize("name", EVERY)
def test_every_number_of_the_sentences_is_python_s(node: Node, name: str) -> None:
    question = EVERY[name]
    at = question.points(30, seed=5)
    said = {slot: one.rule for slot, one in live.said(question.at(0.05, 0.5)).items()}
    for point, slots in zip(at, node.run(_SAID, said=said, tables=question.tables, at=at), strict=True):
        try:
            shown = question.at(*point)
        except DpcoreError:
            continue
        leading = question.leading(shown)
        wanted = {slot: one.value for slot, one in of_kinds.said(shown, leading, parts.named("scale", leading.law.scale)).items()}
        assert {slot: slots[slot] for slot in wanted} == wanted
        assert wanted["reach"] in shown.reach(leading)
        assert wanted.get("together", "") in shown.together(leading) or not shown.together(leading)
        assert slots["weaker"] in shown.reach(shown.noise)


@pytest.mark.parametrize(("m", "worst"), [(1, None), (299, 0.9)])
def test_the_inversion_what_lies_beyond_and_the_choice_are_python_s(node: Node, m: int, worst: float | None) -> None:
    question = asked(m=m, gamma=0.5)
    at = question.points(15)
    first = question.at(*at[0])
    sample = question.sample

    def drawn(shown: Headline) -> Any:
        leading = question.leading(shown)
        return charts.sensitivity_cdf(
            sample.at(shown.scenario.point),
            true=lambda at: 1 - np.exp(-at / sample.distances.mean()),
            true_name="true CDF",
            global_sensitivity=worst,
            guesser=leading.guesser(1),
            covered=shown.noise.sensitivity.value if leading is shown.noise else None,
            scale=leading.law.scale,
        )

    data = [live.followed(one, "") for one in (drawn(first), charts.operating_points(first.scenario.point, most_m=1_000))]
    (true,) = (i for i, trace in enumerate(drawn(first).ready()["data"]) if trace["name"] == "true CDF")
    assert {("data", true, "x"), ("data", true, "y")} <= {tuple(place) for place, _ in data[0]["moves"]}
    found = [node.run(_FOLLOWED, data=one, tables=question.tables, at=at) for one in data]
    for i, (gamma, epsilon) in enumerate(at):
        shown = question.at(gamma, epsilon)
        there = drawn(shown), charts.operating_points(shown.scenario.point, most_m=1_000)
        for of_chart, one in zip(found, there, strict=True):
            rules = {tuple(place): rule for place, rule in one.moves()}
            for place, value in of_chart[i]["moves"]:
                part = 1e-9 if by_hand(rules[tuple(place)]) else _PART
                _refuse_difference(value, _within(one.ready(), place), f"{gamma}, {epsilon}, {place}", part)


def test_a_choice_out_of_reach_says_what_it_takes(node: Node) -> None:
    question = asked()
    shown = question.at(0.05, 0.5)
    by_gamma = question.tables["gamma"]
    data = [
        live.followed(charts.sensitivity_cdf(question.sample), ""),
        live.followed(charts.operating_points(shown.scenario.point), ""),
    ]
    cdf, points = (node.run(_FOLLOWED, data=one, tables=question.tables, at=[[by_gamma[0], 0.5]])[0] for one in data)
    said = [value for place, value in cdf["moves"] + points["moves"] if place[-1] == "name"]
    assert said == ["γ is out of reach", "takes 999 trials"]
    heights = {place[-1]: value for place, value in points["moves"] if place[0] == "data"}
    assert (heights["x"], heights["y"]) == ([by_gamma[0]], [999])


def test_what_is_no_noise_times_its_scale_stays_as_it_is() -> None:
    from dpcore import oracles
    from dpcore.curves import KernelDensity
    from dpcore.mechanisms import Bernstein

    clipped = curve(KernelDensity(0.1, (0.0, 1.0)), oracles.Uniform(0, 1), Bernstein(order=6, clip=(0.0, 5.0)))
    means = line(targets.SufficientStatistics(((0.0, 1.0),), (0.0, 1.0)))
    for question in (clipped, means, by(targets.KnownMean((0.0, 8.0)))):
        shown = question.at(0.05, 1.0)
        assert live.views(shown) == ()
        assert live.of_a_kind(shown.answer)
        assert of_kinds.described(shown)[0].ready()["data"]
