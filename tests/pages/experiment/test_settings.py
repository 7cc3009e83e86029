"""What differs between scenarios, in words that tell them apart."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pages.experiment.descriptions import differences, settings
from pages.experiment.examples import EXAMPLES, example_named
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours

TABLES = ours()
MEAN = example_named("Mean", TABLES)


def _differences(*scenarios: Scenario) -> list[str]:
    return differences([settings(one, TABLES[one.table]) for one in scenarios])


def test_only_what_differs_is_said() -> None:
    assert _differences(MEAN, MEAN.with_(epsilon=0.5)) == ["ε = 1", "ε = 0.5"]
    assert _differences(MEAN) == [""]


def test_other_targets_are_told_apart_by_their_names() -> None:
    said = _differences(*(example_named(name, TABLES) for name in EXAMPLES))
    assert len(set(said)) == len(EXAMPLES)
    assert said[0] == "Mean of Time to default"


def test_other_target_settings_are_told_in_full() -> None:
    histogram = example_named("Histogram", TABLES)
    target: Any = histogram.target
    other = histogram.with_(target=replace(target, edges=target.edges[::2]))
    said = _differences(histogram, other, MEAN)
    assert len(set(said)) == 3
    assert "30" in said[1]
