"""± of a mean or share of known values, as it is printed, holds at its level; an empty group is too few to tell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore import GaussianMechanism, LaplaceMechanism
from dpcore.base.text import TOO_FEW, rows
from dpcore.base.types import as_target
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.response_law import NoiseLaw
from dpcore.result_types.kind import Grouped
from dpcore.result_types.numbers import Ratio, ratio_interval
from pages.ledger.entry import near_of, reach_of

pytestmark = pytest.mark.statistical
GROUPS = {"none": 0, "one": 1, "eight": 8, "thirty": 30, "many": 400}
MEAN = Grouped(Ratio(("Mean",), "", (0.0, 10_000.0)), tuple(GROUPS))
PLACES = (0.5, 0.98, 0.5, 0.1, 0.31)  # of the means between the bounds
EXACT = np.array([part for n, place in zip(GROUPS.values(), PLACES, strict=True) for part in (n * (2 * place - 1), n)])
SIZE, LEAST = 400, 0.95 - 4 * math.sqrt(0.05 * 0.95 / 400)


def _law(kind: str, epsilon: float) -> Any:
    """Of means by group under a proved worst case: 4 in L1, √8 in L2."""
    if kind == "laplace":
        return LaplaceMechanism().law(as_target(len), 4.0, PureDP(epsilon))
    return GaussianMechanism().law(as_target(len), math.sqrt(8), ApproxDP(epsilon, 1e-6))


def _held(text: str, near: str, truth: float | None) -> bool:
    """Whether the printed number and ± hold the mean without noise; of an empty group there is none."""
    if text == TOO_FEW:
        return True
    number = float(text.split(", so ")[-1].replace(",", ""))
    return truth is not None and abs(number - truth) <= float(near.removeprefix("±\u00a0").replace(",", "")) * (1 + 1e-12)


@pytest.mark.parametrize(("kind", "epsilon"), [("laplace", 10.0), ("normal", 1.0)])
def test_what_is_printed_holds(kind: str, epsilon: float) -> None:
    """400 releases of five groups: a share of .95 has a standard error of .011. The next test refuses a ± 10% too narrow."""
    law = _law(kind, epsilon)
    truths = [None if n == 0 else 10_000 * place for n, place in zip(GROUPS.values(), PLACES, strict=True)]
    alone = np.zeros(len(truths))
    for response in law.simulate(EXACT, size=SIZE, rng=np.random.default_rng(29)):
        near = near_of(reach_of(law, MEAN, response), MEAN, response)
        assert near is not None
        alone += [_held(text, half, truth) for (_, text, half), truth in zip(rows(MEAN, response, near), truths, strict=True)]
    assert (alone / SIZE).min() >= LEAST


def test_of_many_records_it_is_hardly_wider_than_the_exact_set_and_ten_percent_less_is_too_little() -> None:
    """400 records at ε = 10: the level itself to within 4 standard errors, 6,000 releases. The exact set is found by a search
    over 4,001 means, with a quantile of 200,000 simulated Z − r·Z′ at each."""
    law, mean, exact = _law("laplace", 10.0), MEAN.of, EXACT[-2:]
    released = law.simulate(exact, size=6_000, rng=np.random.default_rng(3))
    value: Any = mean
    nears = np.array([value.within(law, response, 0.95) for response in released])
    away = np.abs(value.value(released) - 3_100.0)
    assert np.mean(away <= nears) == pytest.approx(0.95, abs=0.0113)
    assert np.mean(away <= 0.9 * nears) < 0.95 - 0.0113
    assert np.isfinite(nears).all()
    noise = law.simulate(np.zeros(2), size=200_000, rng=np.random.default_rng(4))
    ratios = np.linspace(-0.5, -0.2, 4_001)
    reach = np.interp(ratios, at := np.linspace(-0.5, -0.2, 7), [np.quantile(np.abs(noise @ (1, -r)), 0.95) for r in at])
    for response, near in zip(released[:20], nears[:20], strict=True):
        inside = ratios[np.abs(response[0] - ratios * response[1]) <= reach]
        assert 2 * near <= 1.1 * 5_000 * np.ptp(inside)


@pytest.mark.parametrize("kind", ["laplace", "normal"])
@pytest.mark.parametrize("times", [0.0, 0.3, 1 - 1e-9, 1.0])
def test_the_tail_of_a_difference_is_that_of_simulated_noise(kind: str, times: float) -> None:
    """100,000 differences: shares from .01 to .5 to within 4 standard errors; noise that is 10 % wider is refused."""
    law = _law(kind, 1.0)
    noise = law.simulate(np.zeros(2), size=100_000, rng=np.random.default_rng(11)) @ (1, -times)
    for share in (0.5, 0.05, 0.01):
        distance = float(np.quantile(np.abs(noise), 1 - share))
        assert law.beyond(distance, times) == pytest.approx(share, abs=4 * math.sqrt(share / 100_000))
        assert law.beyond(distance / 1.1, times) - share > 4 * math.sqrt(share / 100_000)
        bound = NoiseLaw.beyond(law, distance, times)
        assert share * 0.999 <= bound <= 1


def test_an_exact_answer_has_no_half_width_and_none_of_nobody() -> None:
    law = type("Law", (), {"scale": 0.0})
    assert ratio_interval(3.0, 4.0, law, 0.95) == (0.75, 0.75)
    assert ratio_interval(9.0, 4.0, law, 0.95) == (1.0, 1.0)
    assert ratio_interval(0.0, 0.0, law, 0.95) is None
