"""The tabs below the charts of Explore: attacks, unprotected changes and wrong oracles."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from dpcore.errors import InvalidValueError
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.mechanisms.response_law import Law
from pages.experiment import attack, unprotected
from pages.experiment.attack import Pair
from pages.experiment.examples import EXAMPLES, example_named, first_scenario
from pages.experiment.scenario import Noise, Scenario
from pages.experiment.tables import ours
from pages.experiment.view import Question, View, view
from pages.widgets import tabs

_APP = Path(__file__).parents[2] / "app.py"


def _view(scenario: Scenario, *, public: bool = True) -> View:
    question = Question(scenario, replace(ours()[scenario.table], public=public))
    return view(scenario, question, question.sample(scenario.m))


@cache
def _example(name: str) -> View:
    return _view(example_named(name, ours()))


def _pair(distance: float) -> Pair:
    table = np.zeros(1)
    return Pair((table, table), (np.array([distance]), np.zeros(1)), distance)


@pytest.mark.parametrize("times", [0.4, 1.0])
def test_attack_agrees_with_the_exact_attacker(times: float) -> None:
    shown = _example("Mean")
    assert shown.noise is not None
    distance = times * shown.noise.sensitivity.value
    found = attack.attack(shown.noise.law, _pair(distance), seed=3)
    exact = attack.promised(shown, distance)
    assert exact == pytest.approx(1 - np.exp(-times / 2) / 2)  # ε = 1
    assert exact is not None
    assert found.low < exact < found.high


@pytest.mark.parametrize("times", [0.5, 0.9])
def test_attack_detects_noise_that_is_too_small(times: float) -> None:
    shown = _example("Mean")
    assert shown.noise is not None
    distance = shown.noise.sensitivity.value
    found = attack.attack(LaplaceLaw(shown.noise.law.scale * times), _pair(distance), seed=3)
    exact = attack.promised(shown, distance)
    assert exact is not None
    assert found.low > exact


def test_attack_learns_if_law_has_no_formula() -> None:
    class Closed(Law):
        scale = 1.0

        def draw(self, raw: Any) -> Any:
            raise NotImplementedError

        def simulate(self, raw: Any, *, size: int, rng: np.random.Generator) -> Any:
            return raw + rng.laplace(size=(size, 2)) * [1, 100]

        def log_ratio(self, *_: Any) -> Any:
            raise InvalidValueError("order", "1", 2)

    table = np.zeros(1)
    found = attack.attack(Closed(), Pair((table, table), (np.array([2.0, 0.0]), np.zeros(2)), 2.0), seed=3)
    assert found.learned
    assert found.accuracy == pytest.approx(1 - np.exp(-1) / 2, abs=0.01)


def test_another_run_has_other_releases() -> None:
    law = LaplaceLaw(1.0)
    first, again, other = (attack.attack(law, _pair(1.0), seed=3, run=run, releases=50) for run in (0, 0, 1))
    assert np.array_equal(first.shown[0], again.shown[0])
    assert not np.array_equal(first.shown[0], other.shown[0])


def test_nothing_is_promised_beyond_the_sampled_sensitivity() -> None:
    shown = _example("Mean")
    assert shown.noise is not None
    sensitivity = shown.noise.sensitivity.value
    assert attack.promised(shown, 1.001 * sensitivity) is None
    assert attack.promised(shown, np.inf) is None
    proved = _view(replace(_example("Histogram").scenario, noise=Noise.WORST_CASE))
    assert proved.noise is not None
    assert attack.promised(proved, proved.noise.sensitivity.value) is not None


@pytest.mark.parametrize("name", EXAMPLES)
def test_moved_tables_are_neighbours(name: str) -> None:
    shown = _example(name)
    for move in attack.moves(shown.released):
        first, second = move.pair(len(move.stops) - 1).tables
        person = "person" if name == "People" else None
        differ = np.flatnonzero(first != second if first.ndim == 1 else (first != second).any(axis=1))
        owners = second[person]["code"][differ] if person else differ
        assert len(np.unique(owners)) == 1
        assert move.pair(0).distance <= 1e-12


def test_answers_move_further_outwards() -> None:
    (move,) = attack.moves(_example("Mean").released)
    distances = [move.pair(place).distance for place in range(len(move.stops))]
    assert distances == sorted(distances)
    sensitivity = _example("Mean").noise.sensitivity.value  # type: ignore[union-attr]
    last = move.furthest(sensitivity)
    assert distances[last] <= sensitivity < distances[last + 1]


def test_confidential_table_is_never_attacked() -> None:
    scenario = _example("Mean").scenario
    shown = _view(scenario, public=False)
    own = ours()[scenario.table].prepare(scenario.columns, scenario.target)
    (move,) = attack.moves(shown.released)
    assert not np.isin(move.pair(3).tables[1], own).any()
    assert not set(unprotected.other_oracles(shown.question)) & {"TableRecords", "TableCopula"}


@pytest.mark.parametrize("name", ["Mean", "Curve", "Letters", "People"])
def test_shown_pairs_are_sampled_ones_beyond_the_sensitivity(name: str) -> None:
    shown = _example(name)
    assert shown.sampled is not None
    assert shown.order_statistic is not None
    beyond = np.sort(shown.sampled.distances)[shown.point.k :]
    found = [distance for distance, _ in unprotected.three_pairs(shown)]
    assert set(found) <= set(beyond)
    assert all(distance > shown.order_statistic for distance in found)
    assert found[-1] == beyond[-1]


def test_other_oracle_with_heavier_tails_leaves_more_unprotected() -> None:
    shown = _example("Mean")
    assert shown.noise is not None
    sensitivity = shown.noise.sensitivity.value
    own = unprotected.unprotected_share(shown.question, sensitivity, own=True)
    assert own.low < 0.05
    wide = _view(shown.scenario.with_(oracle=replace(shown.scenario.oracle, rate=0.5)))  # type: ignore[type-var]
    assert unprotected.unprotected_share(wide.question, sensitivity).low > own.high


_AGE = first_scenario(ours()["diabetes"], "Mean", ("age",))


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (_example("Mean"), [tabs.LEARN, tabs.UNPROTECTED, tabs.ORACLE, tabs.ATTACK]),
        (_view(_AGE.with_(noise=Noise.WORST_CASE)), [tabs.LEARN, tabs.ATTACK]),
        (_view(_AGE.with_(noise=Noise.BLOCKS)), [tabs.LEARN, tabs.ATTACK]),
        (_example("Histogram"), [tabs.LEARN, tabs.ATTACK]),
        (replace(_example("Mean"), noise=None), []),
    ],
    ids=["sampled", "worst case", "blocks", "nothing beyond", "no noise"],
)
def test_tabs_that_apply(shown: View, expected: list[str]) -> None:
    assert list(tabs.tabs_of(shown)) == expected


def _open(name: str, tab: str, **state: Any) -> AppTest:
    app = AppTest.from_file(str(_APP), default_timeout=60)
    app.session_state["scenario"] = example_named(name, ours())
    app.session_state["tabs"] = tab
    for key, value in state.items():
        app.session_state[key] = value
    return app.run()


def _text(app: AppTest) -> str:
    return " ".join(element.value for element in app.markdown)


@pytest.mark.parametrize(
    ("name", "tab"), [(name, tab) for name in ("Mean", "Classifier", "Letters", "People") for tab in tabs.tabs_of(_example(name))]
)
def test_every_tab_of_every_example_is_built(name: str, tab: str) -> None:
    app = _open(name, tab)
    assert not app.exception
    assert not app.warning
    words = {tabs.LEARN: "the best guess is right", tabs.UNPROTECTED: "are not protected", tabs.ORACLE: "Proposition 8"}
    assert words.get(tab, "The attacker is right") in _text(app)
    for other in {*words} - {tab}:
        assert words[other] not in _text(app) or other == tabs.UNPROTECTED  # only the open tab is built


def test_open_tab_that_becomes_absent_leaves_the_others() -> None:
    app = _open("Mean", tabs.UNPROTECTED)
    app.session_state["scenario"] = example_named("Histogram", ours())
    app.run()
    assert not app.exception
    assert app.button_group(key="tabs").options == [tabs.LEARN, tabs.ATTACK]


def test_attack_beyond_the_sensitivity_promises_nothing() -> None:
    app = _open("Mean", tabs.ATTACK)
    assert "Promised: at most" in _text(app)
    slider = next(one for one in app.select_slider if str(one.key).startswith("attack_place"))
    app = slider.set_value(40).run()
    assert "nothing is promised" in _text(app)
    assert "Promised: at most" not in _text(app)
