"""The live component computes the same numbers as Python: compared in Node at random stops of the sliders."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import LINF
from dpcore.base.arrays import FloatArray
from dpcore.errors import GammaOutOfReachError
from dpcore.guarantees.operating_points import Bound, OperatingPoint
from dpcore.mechanisms.exponential import ExponentialMechanism
from dpcore.mechanisms.gaussian import GaussianMechanism
from pages.experiment.examples import example_named, first_scenario
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.experiment.view import Question, View, view
from pages.experiment.words import filled, templates
from pages.figures.charts import charts_of
from pages.figures.theme import plain
from pages.live.tables import gamma_stops, order_table, tables_of

_LIVE = Path(__file__).parents[2] / "pages" / "live"
_POINTS, _MOVES = 60, 12
_MANY = {"mean": 500}
_PROGRAM = """
import { readFileSync, writeFileSync } from 'node:fs';
import { decoded, movedTrace, numbersAt, texts } from './live.mjs';
const asked = JSON.parse(readFileSync(process.argv[2]));
const tables = decoded(asked.tables);
const answers = asked.points.map((stop, place) => {
  const now = numbersAt(tables, stop);
  if (!asked.moves[place]) return now;
  return { ...now, texts: texts(asked.templates, now, asked.percent, asked.exact),
    traces: asked.moves[place].map((move) => movedTrace(move, now, tables)) };
});
writeFileSync(process.argv[3], JSON.stringify(answers, (_, value) => Number.isNaN(value) ? 'NaN' : value));
"""


def _node() -> str:
    found = os.environ.get("NODE") or shutil.which("node")
    assert found, "Node is needed: run the tests with make test"
    return found


def _shown(scenario: Scenario, m: int | None = None) -> View:
    question = Question(scenario, ours()[scenario.table])
    return view(scenario, question, question.sample(m or max(scenario.m, 400)))


def _gaussian(calibration: Any) -> Scenario:
    scenario = example_named("Mean", ours())
    mechanism = GaussianMechanism(calibration)
    return scenario.with_(mechanism=mechanism, delta=1e-6, epsilon=0.5)


def _letters_as_in_the_papers() -> Scenario:
    scenario = example_named("Letters", ours())
    assert isinstance(scenario.mechanism, ExponentialMechanism)
    mechanism = ExponentialMechanism(scenario.mechanism.candidates, norm=LINF)
    return scenario.with_(mechanism=mechanism)


SCENARIOS = {
    "mean": lambda: example_named("Mean", ours()),
    "mean, 20,000 pairs": lambda: example_named("Mean", ours()).with_(m=20_000),
    "mean, tolerance": lambda: example_named("Mean", ours()).with_(bound=Bound.TOLERANCE, confidence=0.95),
    "mean, γ and m between the stops": lambda: example_named("Mean", ours()).with_(m=317, gamma=0.0431, epsilon=1.2345),
    "mean of ages, worst case": lambda: first_scenario(ours()["diabetes"], "Mean", ("age",)).with_(noise=Noise.WORST_CASE),
    "Gaussian": lambda: _gaussian("analytic"),
    "classical Gaussian": lambda: _gaussian("classical"),
    "count": lambda: first_scenario(ours()["diabetes"], "Count", ("age",)),
    "histogram": lambda: example_named("Histogram", ours()),
    "curve": lambda: example_named("Curve", ours()),
    "letters": lambda: example_named("Letters", ours()),
    "letters, L∞": _letters_as_in_the_papers,
    "two steps": lambda: example_named("Classifier", ours()),
    "people": lambda: example_named("People", ours()),
    "ridge": lambda: first_scenario(ours()["diabetes"], "Ridge"),
}


def _answers(tmp_path: Path, tables: dict[str, Any], points: list[dict[str, int]], moves: list[Any], **more: Any) -> list[Any]:
    """Return the results of the component at these stops."""
    (tmp_path / "live.mjs").write_text((_LIVE / "live.js").read_text())
    (tmp_path / "run.mjs").write_text(_PROGRAM)
    asked = {"tables": tables, "points": points, "moves": moves, **more}
    (tmp_path / "asked.json").write_text(json.dumps(asked))
    subprocess.run([_node(), "run.mjs", "asked.json", "answers.json"], cwd=tmp_path, check=True, timeout=120)
    found: list[Any] = json.loads((tmp_path / "answers.json").read_text())
    return found


@pytest.mark.parametrize("name", SCENARIOS)
def test_live_numbers_and_traces_equal_python(name: str, tmp_path: Path) -> None:
    """Numbers and texts are equal; traces differ by at most 1e-9."""
    shown = _shown(SCENARIOS[name]())
    tables, begin, rng = tables_of(shown), charts_of(shown), np.random.default_rng(2017)
    stops = tables["stops"]
    many = _MANY.get(name, _POINTS)
    points = [{key: int(rng.integers(len(values))) for key, values in stops.items()} for _ in range(many)]
    there = [_at(shown, {key: stops[key][place] for key, place in point.items()}) for point in points]
    with_moves = [place for place, one in enumerate(there) if one is not None and one.noise is not None][:_MOVES]
    assert len(with_moves) == _MOVES
    charts = {place: charts_of(one) for place in with_moves if (one := there[place]) is not None}
    moves = [[move for key in begin for move in plain(begin[key].moves)] if place in charts else None for place in range(many)]
    attacker = shown.attacker
    more = {
        "templates": templates(shown),
        "percent": shown.released.accuracy.percent,
        "exact": attacker is not None and attacker.exact,
    }
    answers = _answers(tmp_path, tables, points, moves, **more)
    reached = 0
    for place, (answer, one) in enumerate(zip(answers, there, strict=True)):
        if one is None:
            assert answer["k"] == 0
            continue
        assert answer["k"] == one.point.k
        assert answer["delta"] == one.order_statistic
        if one.noise is not None:
            assert answer["scale"] == one.noise.law.scale
            reached += 1
        if place in charts:
            _compare_texts(answer["texts"], filled(one))
            _compare_traces(begin, charts[place], answer["traces"])
    assert reached > many / 10


def _at(shown: View, values: dict[str, Any]) -> View | None:
    """Return the view with the sliders at these values; None if m cannot certify γ."""
    try:
        scenario = shown.scenario.with_(**values)
    except GammaOutOfReachError:
        return None
    assert shown.sample is not None
    question = Question(scenario, shown.question.table)
    question.__dict__.update({key: value for key, value in shown.question.__dict__.items() if key not in ("scenario", "table")})
    return view(scenario, question, shown.sample)


def _compare_texts(live: dict[str, str], expected: dict[str, str]) -> None:
    for name in ("line", "promise", "limits", "summary", "guess"):
        if "…" not in live[name]:
            assert live[name] == expected[name]
    assert live["headline"].split(" (")[0].split("…")[0] in expected["headline"] or "(" in expected["headline"]


def _compare_traces(begin: dict[str, Any], now: dict[str, Any], traces: list[Any]) -> None:
    """Assert that the moving traces of the browser equal those of the chart that Python draws there."""
    at = iter(traces)
    for name, chart in begin.items():
        for move in plain(chart.moves):
            live = next(at)
            if live is None:
                continue
            drawn = plain(now[name].traces[move["trace"]])
            for axis, values in live.items():
                mine, theirs = _floats(values), _floats(drawn[axis])
                if move["rule"] in ("dots",) and _other_reach(move, now[name]):
                    continue  # Python changes the axis when the slider is released
                np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-9 * max(1e-300, float(np.nanmax(np.abs(theirs)))))


def _floats(values: list[Any]) -> FloatArray:
    return np.array([np.nan if one in (None, "NaN") else one for one in values], dtype=np.float64)


def _other_reach(move: dict[str, Any], chart: Any) -> bool:
    return bool(plain(chart.moves[0])["reach"] != move["reach"])


def test_order_table_is_operating_points_k() -> None:
    ms, bounds = (1, 19, 199, 2_000), {Bound.RANK: None, Bound.DKW: None, Bound.TOLERANCE: 0.9, Bound.TIME_UNIFORM: 0.95}
    for bound, confidence in bounds.items():
        table = order_table(ms, 0.0431, bound, confidence)
        gammas = gamma_stops(0.0431)
        assert table.shape == (len(ms), len(gammas))
        for place in range(0, len(gammas), 9):
            for row, m in enumerate(ms):
                assert table[row, place] == _order(m, gammas[place], bound, confidence)


def _order(m: int, gamma: float, bound: Bound, confidence: float | None) -> int:
    try:
        return OperatingPoint.for_both(m, gamma, bound=bound, confidence=confidence).k
    except GammaOutOfReachError:
        return 0
