"""A figure that follows a hand is drawn anew only where something moved: it looks as one that is drawn for the first time."""

from __future__ import annotations

from typing import Any

import pytest

from pages.old import charts
from pages.old.charts import live
from tests.pages.charts.live.node import Node
from tests.pages.charts.live.questions import CHOICES, CURVES, ONE, SEVERAL

_RUN = """
  const linked = (given) => {
    given.parts.forEach((part) => live.linked(part, given.parts));
    return live.linked(given, given.parts);
  };
  const drawn = ({ figure, moves }, [gamma, epsilon]) => {
    live.moved(figure, moves, live.looked(tables, gamma, epsilon));
    return JSON.stringify(live.layers(live.pictureOf(figure, 400, 300), { grid: "#e3e4e8", ground: "#ffffff" }));
  };
  live.drawWith(null, 1);
  const fresh = () => linked(structuredClone(data));
  const followed = fresh();
  return at.map((one) => [drawn(followed, one), drawn(fresh(), one)]);
"""
_AT = [[0.05, 0.5], [0.3, 0.5], [0.3, 4.0], [0.3, 4.0], [0.004, 4.0], [0.05, 0.05], [0.05, 0.5]]
_QUESTIONS = [ONE["Laplace"], ONE["worst case leads"], *(next(iter(some.values())) for some in (CHOICES, CURVES, SEVERAL))]


def _figures(question: Any) -> list[dict[str, Any]]:
    shown = question.at(0.05, 0.5)
    found = [live.answers(shown, view, 0.03) for view in live.views(shown)]
    found.append(live.followed(charts.sensitivity_cdf(question.sample), ""))
    return [*found, live.followed(charts.operating_points(shown.scenario.point, most_m=1_000), "")]


@pytest.mark.parametrize("question", _QUESTIONS, ids=["one", "worst case leads", "choice", "curve", "several"])
def test_what_was_drawn_before_leaves_no_trace(node: Node, question: Any) -> None:
    for data in _figures(question):
        found = node.run(_RUN, data=data, tables=question.tables, at=_AT)
        assert all(again == first for again, first in found)
        assert len({first for _, first in found}) > 1  # they do move
