"""The strip of others' ε: each deployment is a mark at its ε, in the row of what it protects, and none hides another."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pages.charts.others_epsilon import others_epsilon
from pages.charts.svg import svg
from pages.experiment.registered import PROTECTED, registered


def _marks(epsilon: float = 1.0) -> list[dict[str, Any]]:
    figure, _ = others_epsilon(registered(), epsilon)
    return [trace for trace in figure.ready()["data"] if "marker" in trace]


def test_each_epsilon_is_one_mark_in_the_row_of_what_it_protects() -> None:
    found = registered()
    at = np.concatenate([np.column_stack([trace["x"], trace["y"]]) for trace in _marks()])
    rows = [what for what in PROTECTED if found.protecting(what)]
    drawn = [sorted(at[(at[:, 1] >= -row) & (at[:, 1] < 1 - row), 0]) for row in range(len(rows))]
    assert drawn == [[one.epsilon for one in found.protecting(what)] for what in rows]
    assert sum(map(len, drawn)) == len(found.epsilons)


def test_no_mark_hides_another_and_none_reaches_the_next_rows_words() -> None:
    at = np.concatenate([np.column_stack([np.log10(trace["x"]), trace["y"]]) for trace in _marks()])
    assert len(np.unique(at, axis=0)) == len(at)
    assert (at[:, 1] - np.floor(at[:, 1] + 1e-9)).max() < 0.6


def test_models_are_told_apart_by_their_mark_and_not_by_colour_alone() -> None:
    looks = [(trace["marker"]["symbol"], trace["marker"]["color"]) for trace in _marks()]
    assert len(looks) == 3
    assert all(len(set(each)) == 3 for each in zip(*looks, strict=True))


@pytest.mark.parametrize("epsilon", [0.001, 1.0, 200.0])
def test_the_readers_own_epsilon_is_a_line_inside_the_axis_and_the_words_name_it(epsilon: float) -> None:
    figure, alt = others_epsilon(registered(), epsilon)
    own = next(trace for trace in figure.ready()["data"] if str(trace.get("name", "")).startswith("your ε"))
    assert set(own["x"]) == {epsilon}
    low, high = figure.ready()["layout"]["xaxis"]["range"]
    assert low < np.log10(epsilon) < high
    assert f"Your ε is {epsilon:g}." in alt
    assert "A person's month: 3 deployments, ε 0.1 to 34.9." in alt
    assert "Not stated: 1 deployment, ε 1." in alt
    assert svg(figure, alt=alt).startswith("<svg")
