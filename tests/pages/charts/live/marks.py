"""What a live chart's marks are told to draw, before it becomes pixels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore.base.types import FloatArray
from tests.pages.charts.live.asked import Asked
from tests.pages.charts.live.node import Node

_BODY = """
const kept = live.Chart.prototype.mark;
live.Chart.prototype.mark = function (looks) {
  const made = kept.call(this, looks);
  for (const way of ["at", "bars", "whiskers", "between", "hide"]) {
    const own = made[way];
    made[way] = (...given) => { made.told = [way, ...given]; own.apply(made, given); };
  }
  return made;
};
const part = new live[name](document.createElement("div"));
part.receive(data);
live.Chart.prototype.mark = kept;
const chart = part.drawing ?? part;
return at.map(([gamma, epsilon]) => {
  chart.follow(live.looked(tables, gamma, epsilon));
  return charts().at(-1).marks.map(({ label, told, chart: { y } }) => ({ label, told: told ?? null, y: y.range }));
});
"""
_PAINTED = """
const all = [];
const charts = () => all;
const painted = live.Chart.prototype.paint;
live.Chart.prototype.paint = function () { all.push(this); painted.call(this); };
try { return (() => {%s})(); } finally { live.Chart.prototype.paint = painted; }
"""
Told = dict[str, Any]


def told(node: Node, question: Asked, data: dict[str, Any], at: list[list[float]], part: str = "Answers") -> list[list[Told]]:
    """For each γ and ε what every mark was told last: ``label``, ``told`` by which way with what, and the range ``y``."""
    found: list[list[Told]] = node.run(_PAINTED % _BODY, data=data, tables=question.tables, at=at, name=part)
    return found


def close(found: Any, wanted: FloatArray) -> None:
    """To twelve digits of the largest."""
    largest = float(np.nanmax(np.abs(wanted)))
    assert np.array(found, dtype=float) == pytest.approx(wanted, rel=1e-12, abs=1e-12 * largest, nan_ok=True)
