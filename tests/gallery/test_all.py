"""Every stored exhibit: its results are those of the script, and Explore shows the same experiment."""

from __future__ import annotations

import json
from typing import Any

import pytest

from data.exhibits import diffpriv, tutorial, worst_cases
from data.exhibits.exhibit import FOLDER, ROLES, Exhibit, gallery
from data.make_gallery import EXHIBITS, is_stored
from dpcore import Adjacency, BernsteinMechanism, Bound, ExponentialMechanism, oracles, targets
from pages.experiment.scenario import TableRecords
from pages.experiment.tables import ours
from pages.exports.link import from_text, to_text

NAMES = sorted(EXHIBITS)
NOT_MET = {"figure_6": [worst_cases.MISSED]}  # asked for and not reached; the exhibit says why
QUICK = ("diffpriv_mean", "figure_1", "figure_2", "figure_3", "figure_4", "figure_8", "table_1", "tutorial")
MEAN = {"table": "loan_defaults", "target": targets.Mean(), "oracle": oracles.Exponential(1.0), "n": 500, "epsilon": 1.0}
CLASSES = {"table": "two_classes", "target": worst_cases.svm(2), "n": 1_000}
LIVE: dict[str, dict[str, Any]] = {  # the settings that each exhibit states for Explore
    "figure_1": MEAN | {"m": 100, "gamma": 0.25, "bound": Bound.DKW},
    "table_1": MEAN | {"m": 1_305, "gamma": 0.05, "bound": Bound.DKW},
    "figure_2": MEAN | {"m": 1_305, "gamma": 0.05, "bound": Bound.DKW},
    "figure_3": MEAN | {"m": 1_000, "gamma": 0.1, "bound": Bound.DKW},
    "figure_4": MEAN | {"m": 999, "gamma": 0.05, "bound": Bound.RANK},
    "figure_5": CLASSES | {"m": 99, "gamma": 0.2, "bound": Bound.DKW, "epsilon": 1.0},
    "figure_6": CLASSES | {"m": 99, "gamma": 0.05, "bound": Bound.RANK, "epsilon": 2.0},
    "figure_7": {"target": worst_cases.density(), "oracle": worst_cases.ORACLE, "n": 5_000, "m": 999, "epsilon": 0.1}
    | {"mechanism": BernsteinMechanism(order=3)},
    "figure_8": MEAN | {"m": 1_305, "gamma": 0.05, "bound": Bound.DKW},
    "figure_9": {"target": targets.Mean(((0.0, 1.0),) * 2), "n": 1_000, "m": 285, "gamma": 0.1, "bound": Bound.DKW},
    "diffpriv_mean": {"target": targets.Mean((0.0, 1.0)), "oracle": oracles.Uniform(0.0, 1.0), "n": 5_000, "m": 999},
    "diffpriv_letters": {"target": diffpriv.LETTERS, "oracle": oracles.Names(), "n": 10, "m": 199, "gamma": 0.1}
    | {"mechanism": ExponentialMechanism(diffpriv.LETTERS.candidates, selection="permute-and-flip"), "epsilon": 1.0},
    "diffpriv_regression": {"target": diffpriv.CURVE, "n": 250, "m": 500, "gamma": 0.2, "epsilon": 5.0},
    "tutorial": {"target": tutorial.capped(3), "oracle": TableRecords(), "n": 4, "epsilon": 10.0}
    | {"adjacency": Adjacency.ADD_OR_REMOVE_ONE_USER},
}


def test_gallery_has_every_exhibit_of_the_script() -> None:
    assert sorted(gallery()) == NAMES
    assert len({one.place for one in gallery().values()}) == len(NAMES)
    assert {file.stem for file in FOLDER.iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_stored_results_meet_their_checks(name: str) -> None:
    exhibit = gallery()[name]
    assert [check.says for check in exhibit.checks if not check.holds] == NOT_MET.get(name, [])
    assert exhibit.charts or exhibit.tables
    _refuse_broken_charts(exhibit)


def _refuse_broken_charts(exhibit: Exhibit) -> None:
    for chart in exhibit.charts:
        for one in chart.series:
            assert one.role in ROLES
            assert all(part is None or part.shape == one.x.shape for part in (one.y, one.low, one.high))
            assert one.low is None or chart.spread
        for facet in chart.facets:
            names = [one.name for one in chart.in_facet(facet)]
            assert len(set(names)) == len(names)


@pytest.mark.parametrize("name", QUICK)
def test_results_made_again_are_the_stored_ones(name: str) -> None:
    results = EXHIBITS[name]()
    assert is_stored(name, results)
    assert not is_stored(name, results | {"checks": results["checks"][1:]})


@pytest.mark.parametrize("name", NAMES)
def test_explore_opens_the_stated_experiment(name: str) -> None:
    scenario = from_text(json.dumps(gallery()[name].live), ours())
    assert {field: getattr(scenario, field) for field in LIVE[name]} == LIVE[name]
    assert from_text(to_text(scenario), ours()) == scenario
