"""Scenarios on shared axes: a line each, one for equal ones, and a mark where each stands."""

from __future__ import annotations

from typing import Any

import numpy as np

from dpcore import OperatingPoint
from pages.old.charts import cdfs, errors_beside
from pages.old.charts.drawn import MOST_POINTS
from pages.old.charts.side_by_side import Curve, Moves

POINT = OperatingPoint.for_both(199, 0.05)


def _moves(name: str, scale: float = 1.0, m: int = 199) -> Moves:
    drawn = np.sort(np.random.default_rng(5).exponential(scale, m))
    return Moves(name=name, says=f"scale {scale:g}", ordered=drawn, point=OperatingPoint.for_both(m, 0.05))


def _errors(name: str, epsilon: float, scale: float = 1.0) -> Curve:
    epsilons = np.geomspace(0.01, 20, 24)
    return Curve(name=name, says="", x=epsilons, y=scale / epsilons, mark=(epsilon, scale / epsilon))


def _parts(figure: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Lines by their names, and marks by the names that stand at them."""
    lines = {trace.name: trace for trace in figure.data if trace.mode == "lines"}
    assert all(len(line.x) <= MOST_POINTS for line in lines.values())
    return lines, {trace.text[0]: trace for trace in figure.data if trace.mode != "lines"}


def test_each_cdf_has_its_line_and_its_sensitivity_where_it_inverts_it() -> None:
    lines, marks = _parts(cdfs([_moves("A"), _moves("now", 2.0, 999)], unit="years"))
    assert list(lines) == ["A: scale 1", "now: scale 2"]
    for name, moves in (("A", _moves("A")), ("now", _moves("now", 2.0, 999))):
        mark = marks[f"<b>{name}</b>"]
        value, share = mark.x[0], mark.y[0]
        assert share == moves.point.k / moves.point.m
        assert np.count_nonzero(moves.ordered <= value) == moves.point.k
    assert lines["A: scale 1"].line.dash != lines["now: scale 2"].line.dash


def test_equal_draws_are_one_line_and_one_mark() -> None:
    lines, marks = _parts(cdfs([_moves("A"), _moves("B"), _moves("now")]))
    assert len(lines) == 1
    assert list(marks) == ["<b>A, B, now</b>"]


def test_failures_and_answers_that_never_move_are_drawn_without_a_mark_or_at_nought() -> None:
    failed = Moves(name="A", says="", ordered=np.array([0.0] * 9 + [np.inf] * 190), point=POINT)
    still = Moves(name="B", says="", ordered=np.zeros(199), point=POINT)
    lines, marks = _parts(cdfs([failed, still, _moves("now")]))
    assert len(lines) == 3
    assert list(marks) == ["<b>B</b>", "<b>now</b>"]
    assert cdfs([still]).layout.xaxis.range == (0, 1)


def test_errors_that_fall_alike_are_one_line_with_a_mark_at_each_epsilon() -> None:
    lines, marks = _parts(errors_beside([_errors("A", 0.5), _errors("now", 2.0)], what="mean error", unit="years"))
    assert list(lines) == ["A, now"]
    assert [(mark.x[0], mark.y[0]) for mark in marks.values()] == [(0.5, 2.0), (2.0, 0.5)]
    lines, _ = _parts(errors_beside([_errors("A", 0.5), _errors("now", 2.0, 1.1)], what="mean error"))
    assert list(lines) == ["A", "now"]
