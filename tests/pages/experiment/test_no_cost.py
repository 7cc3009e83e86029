"""Whether differential privacy proper costs no accuracy, against the two whole curves of errors."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from dpcore import L1, oracles
from dpcore.guarantees.operating_points import Bound
from dpcore.mechanisms import InSteps, Laplace
from dpcore.targets import Mean, MeanDirection
from pages.experiment.scenario import Scenario
from pages.experiment.tables import ours
from pages.old.experiment import preview
from pages.old.experiment.error_curve import EPSILONS, error_or_none
from pages.old.experiment.headlines.base import Headline
from pages.old.experiment.no_cost import Known, costs_no_accuracy

_UNIT = ((0.0, 1.0), (0.0, 1.0))
_LOST = 0.01


def _headline(target: Any, mechanism: Any, columns: tuple[str, ...] = ("x1", "x2", "label")) -> Headline:
    """Of the public table of two classes at ε = 1, its noise sized by 199 trials."""
    table = ours()["two_classes"]
    oracle: Any = oracles.TwoClasses(x_bounds=_UNIT) if len(columns) == 3 else oracles.Uniform(0, 1)
    scenario = Scenario(
        table=table.name,
        columns=columns,
        target=target,
        oracle=oracle,
        norm=L1,
        n=1_000,
        bound=Bound.RANK,
        confidence=None,
        m=199,
        gamma=0.05,
        epsilon=1.0,
        delta=None,
        mechanism=mechanism,
        seed=1,
    )
    noise = preview.calibrated(scenario, preview.exploration(scenario, oracle))
    worst, exact = preview.calibrated_worst_case(scenario), preview.answer(scenario, table)
    return preview.headline(scenario, table.taken(columns, target), exact, noise, worst=worst, fresh=oracle)


@pytest.fixture(scope="module")
def in_steps() -> Headline:
    return _headline(MeanDirection(_UNIT), InSteps())


def _at(headline: Headline, epsilon: float) -> Headline:
    return replace(headline, scenario=headline.scenario.with_(epsilon=float(epsilon)))


def test_it_holds_from_one_epsilon_on_as_the_whole_curves_have_it(in_steps: Headline) -> None:
    known = Known()
    assert in_steps.worst is not None
    sampled, proved = (
        np.array([error_or_none(in_steps, noise.sensitivity.value, float(epsilon)) for epsilon in EPSILONS])
        for noise in (in_steps.noise, in_steps.worst)
    )
    near = proved <= np.maximum(sampled, in_steps.least_error) + _LOST
    expected = [bool(near[i:].all()) for i in range(len(EPSILONS))]
    assert [costs_no_accuracy(_at(in_steps, epsilon), known) for epsilon in EPSILONS] == expected
    assert expected[0] is False
    assert expected[-1] is True
    first = expected.index(True)
    assert proved[first] > in_steps.least_error + _LOST  # there the sampled one was looked at, and is no better
    between = np.sqrt(EPSILONS[:-1] * EPSILONS[1:])
    assert [costs_no_accuracy(_at(in_steps, epsilon), known) for epsilon in between] == expected[:-1]


def test_a_made_up_table_whose_columns_are_drawn_alone_shows_nothing(in_steps: Headline) -> None:
    made_up = replace(in_steps, exact=replace(in_steps.exact, simulated=True))
    assert costs_no_accuracy(made_up)
    alone = oracles.Product((oracles.Uniform(0, 1), oracles.Uniform(0, 1), oracles.Bernoulli(0.5)))
    assert not costs_no_accuracy(replace(made_up, fresh=alone))
    assert costs_no_accuracy(replace(in_steps, fresh=alone))  # a public table is its own


def test_kinds_whose_error_is_no_share_say_nothing_and_so_do_answers_without_a_worst_case(in_steps: Headline) -> None:
    assert not costs_no_accuracy(_at(_headline(Mean((0, 1)), Laplace(), ("x1",)), 20.0))
    assert not costs_no_accuracy(replace(in_steps, worst=None))
