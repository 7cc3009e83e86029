"""Between widths, ε and ±: what one of them is said to need gives back the other, under noise as a release has it."""

from __future__ import annotations

import math
from typing import Any

import pytest
from dpcore.targets.together import in_shares
from pages.experiment.listed.accuracy import Accuracy, accuracy_of
from pages.experiment.listed.distances import Sampled, measured, proved

from dpcore import OperatingPoint, PureDP
from dpcore.guarantees.privacy import ApproxDP
from pages.experiment import preview
from tests.pages.experiment.listed.asked import AGE, BY_WARD, COST, COST_OF_B, LAW, MANY, TABLE, N, listed

PARTS = (COST, MANY, BY_WARD, AGE, COST_OF_B)
NUMBERS, RATIOS = (0, 1, 2), (3, 4)
WIDTHS = (10.0, 1.0, 2.0, 4.0, 3.0)
DELTAS = {"Laplace": None, "Gaussian": 1e-6}


def accuracy(delta: float | None, *, sampled: bool, jointly: bool = False, parts: Any = PARTS) -> Accuracy:
    asked = listed(parts, delta=delta)
    columns = TABLE.taken(asked.columns, asked.target)
    size: Any = proved(parts, asked.norm, N, asked.adjacency)
    if sampled:
        size = Sampled(measured(asked, LAW, m=199), asked.norm, OperatingPoint.for_both(199, 0.05))
    return accuracy_of(asked, columns, preview.answer(asked, TABLE), size, jointly=jointly)


@pytest.fixture(params=[(name, sampled) for name in DELTAS for sampled in (False, True)], ids=str)
def near(request: pytest.FixtureRequest) -> Accuracy:
    name, sampled = request.param
    return accuracy(DELTAS[name], sampled=sampled)


@pytest.mark.parametrize("name", DELTAS)
def test_what_is_said_of_an_answer_is_what_the_calibrated_noise_on_it_does(name: str) -> None:
    """By the calibration that a release goes through, in the norm of its mechanism, at the proved worst case."""
    near = accuracy(DELTAS[name], sampled=False)
    scenario = near.headline.scenario
    proved: Any = in_shares(PARTS, WIDTHS).global_sensitivity(scenario.norm, N)
    privacy = PureDP(0.7) if near.headline.scenario.delta is None else ApproxDP(0.7, near.headline.scenario.delta)
    mechanism: Any = scenario.mechanism
    law = mechanism.calibrate(proved, privacy).law
    said = near.reaches(WIDTHS, 0.7)
    for place in NUMBERS:
        assert said[place] == pytest.approx(WIDTHS[place] * law.half_width(0.95), rel=1e-12)


def test_a_width_gives_the_accuracy_that_was_wanted_where_epsilon_stays(near: Accuracy) -> None:
    before = near.reaches(WIDTHS, 1.0)
    for place in range(len(PARTS)):
        for times in (0.7, 1.6):
            wanted = before[place] * times
            width = near.width_at(place, wanted, WIDTHS, 1.0)
            if width is None:
                assert wanted < near.closest(place, WIDTHS, 1.0)
                continue
            after = near.reaches((*WIDTHS[:place], width, *WIDTHS[place + 1 :]), 1.0)
            assert after[place] == pytest.approx(wanted, rel=0.01 if place in RATIOS else 1e-6)
            assert after[place] <= wanted
            others = [other for other in NUMBERS if other != place]
            assert all((after[other] - before[other]) * (width - WIDTHS[place]) <= 0 for other in others)


def test_no_width_makes_an_answer_closer_than_noise_that_is_its_own(near: Accuracy) -> None:
    alone = accuracy(near.headline.scenario.delta, sampled=isinstance(near.size, Sampled), parts=(COST,))
    assert near.closest(0, WIDTHS, 1.0) == pytest.approx(alone.reaches((1.0,), 1.0)[0], rel=1e-4)
    for place in range(len(PARTS)):
        least = near.closest(place, WIDTHS, 1.0)
        assert near.width_at(place, 0.98 * least, WIDTHS, 1.0) is None
        assert near.width_at(place, 1.05 * least, WIDTHS, 1.0) is not None


@pytest.mark.parametrize("wanted", [5e-324, 1e-300, 1e300, 1e305, 1.7e308])
def test_any_wanted_accuracy_has_an_answer(near: Accuracy, wanted: float) -> None:
    """Near the ends of the floats too: none is closer than the closest, and whatever is given keeps to what was wanted."""
    scale = near.scale(WIDTHS, 1.0)
    for place in range(len(PARTS)):
        at, given = near.width_at(place, wanted, WIDTHS, 1.0), near.width_for(place, wanted, scale)
        assert (at is None) == (wanted < 1)
        assert given >= 0
        for width in filter(math.isfinite, (at or 0.0, given)):
            assert near.reach(place, width * scale) <= max(wanted, 1e-300)  # below which all count alike


def test_a_width_gives_the_accuracy_that_was_wanted_where_the_noise_of_others_stays(near: Accuracy) -> None:
    scale = near.scale(WIDTHS, 1.0)
    for place, before in enumerate(near.reaches(WIDTHS, 1.0)):
        width = near.width_for(place, 0.6 * before, scale)
        assert near.reach(place, width * scale) == pytest.approx(0.6 * before, rel=0.01 if place in RATIOS else 1e-6)
        assert near.reach(place, width * scale) <= 0.6 * before
    assert math.isinf(near.width_for(3, 121.0, scale))  # the bounds are as close


def test_the_least_epsilon_gives_the_noise_that_was_wanted(near: Accuracy) -> None:
    """Of three digits: an ε of three digits itself, and for another one the next above."""
    for epsilon, least in ((0.05, 0.05), (1.0, 1.0), (7.3, 7.3), (1.001, 1.01), (7.2951, 7.3), (12.34, 12.4), (20.0, 20.0)):
        scale = near.scale(WIDTHS, epsilon)
        found = near.epsilon_for(WIDTHS, scale)
        assert found == least
        assert near.scale(WIDTHS, found) <= scale
    assert near.epsilon_for(WIDTHS, near.scale(WIDTHS, 0.01) * 2) == 0.01


def test_no_epsilon_of_the_slider_is_none_and_a_larger_one_is_found(near: Accuracy) -> None:
    scale = near.scale(WIDTHS, 20.0) / 2
    assert near.epsilon_for(WIDTHS, scale) is None
    beyond = near.epsilon_for(WIDTHS, scale, highest=1e6)
    assert beyond is not None
    assert beyond > 20
    assert near.scale(WIDTHS, beyond) <= scale * (1 + 1e-9)


def test_all_at_once_is_each_at_the_power_of_one_over_their_number() -> None:
    """Seven numbers are shown: one sum, one count, three of wards and two means."""
    assert accuracy(None, sampled=False, jointly=True).share ** 7 == pytest.approx(0.95, rel=1e-12)
    assert accuracy(None, sampled=False).share == 0.95
