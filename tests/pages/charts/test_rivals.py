"""The two charts of rivals: those who promise the same share an axis, at one scale, each named and told apart without colour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.audits.blocks_foretold import Foretold
from pages.charts.drawn import Drawn
from pages.charts.named import Room, named
from pages.charts.rivals import WITHOUT, rivals
from pages.charts.svg import svg
from pages.experiment.rivals import BLOCKS, SAMPLED, SMOOTH, WORST, Rivals, Way, ladder

EPSILONS = np.array(ladder(1.0))


def _way(name: str, size: float) -> Way:
    errors = size / EPSILONS
    return Way(name=name, says=name, promise="", errors=errors, error=size, near=2 * size, calls="1")


def _drawn(*, apart: float = 0.02) -> tuple[tuple[Drawn, str], tuple[Drawn, str]]:
    one = np.ones(1)
    blocks = tuple(Foretold(80, one, one, apart * one * (at > 2), one) for at in range(12))
    found = Rivals(epsilons=EPSILONS, here=6, blocks=blocks, smooth=(), simulated=True)
    return rivals(found, [_way(SAMPLED, 0.01), _way(SMOOTH, 0.04), _way(BLOCKS, 0.06), _way(WORST, 9.0)], "years")


def _lines(figure: Drawn) -> dict[str, dict[str, Any]]:
    return {trace["name"]: trace for trace in figure.ready()["data"]}


def test_ways_that_promise_the_same_share_an_axis_and_sampled_noise_has_its_own_of_the_same_scale() -> None:
    (proper, _), (sampled, _) = _drawn()
    assert list(_lines(proper)) == [SMOOTH, BLOCKS, WORST, WITHOUT, "ε = 1"]
    assert list(_lines(sampled)) == [SAMPLED, "ε = 1"]
    for axis in ("xaxis", "yaxis"):
        assert proper.ready()["layout"][axis]["range"] == sampled.ready()["layout"][axis]["range"]
    assert proper.ready()["layout"]["yaxis"]["title"]["text"] == "root mean square error (years)"


def test_the_lines_are_the_errors_and_the_chosen_epsilon_is_marked() -> None:
    (proper, alt), (sampled, other) = _drawn()
    assert _lines(proper)[WORST]["y"] == pytest.approx(9.0 / EPSILONS)
    assert _lines(sampled)[SAMPLED]["y"] == pytest.approx(0.01 / EPSILONS)
    assert set(_lines(proper)["ε = 1"]["x"]) == {1.0}
    assert alt == "Root mean square error against ε. At ε = 1: smooth 0.04 years, blocks 0.06 years, worst case 9 years."
    assert other == "Root mean square error against ε. At ε = 1: sampled 0.01 years."


def test_where_the_blocks_median_is_the_answer_there_is_no_line_of_it() -> None:
    (some, _), _ = _drawn()
    assert np.isnan(_lines(some)[WITHOUT]["y"][:3]).all()
    (none, _), _ = _drawn(apart=0.0)
    assert WITHOUT not in _lines(none)


def test_ways_are_told_apart_by_dash_and_mark() -> None:
    (proper, _), (sampled, _) = _drawn()
    looks = [
        (line["line"].get("dash"), line["marker"]["symbol"], line["line"]["color"])
        for figure in (proper, sampled)
        for line in figure.ready()["data"]
        if "marker" in line
    ]
    assert len(looks) == 4
    assert all(len(set(each)) == 4 for each in zip(*looks, strict=True))


def test_every_line_has_its_name_beside_it_on_a_phone_too_and_a_picture_is_drawn() -> None:
    for figure, alt in _drawn():
        assert named(figure, Room(325, 320, 12))[1] == len(figure.ready()["data"])
        assert svg(figure, alt=alt).startswith("<svg")
