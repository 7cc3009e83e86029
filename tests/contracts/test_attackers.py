"""What every mechanism says of the best attacker: no simulated one is right more often, and where it is exact none less often."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from dpcore import GaussianMechanism, LaplaceMechanism
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP
from dpcore.guarantees.sensitivity import GlobalSensitivity
from tests.contracts.answers import suited
from tests.contracts.mechanism_contract import ERRORS
from tests.contracts.members import members
from tests.contracts.neighbours import Pair, pairs, whole
from tests.contracts.other_mechanisms import RIGHT

pytestmark = pytest.mark.statistical
REACH = 2.0
GUESSES = 20_000  # on each side of a pair: 10 % too little noise moves an accuracy of .82 by 7.7 standard errors
TIE = 1e-9  # of a ratio, as computed
EACH = 50  # every so manieth of the pairs
MEMBERS = members("mechanisms")
EXACT = [LaplaceMechanism(), GaussianMechanism()]  # of one number


def _found(mechanism: Any, noise: float = 1.0) -> list[tuple[float, float, bool]]:
    """Of some pairs: how often a simulated attacker is right, how often the best one is said to be, and whether that is exact.

    ``noise``: how many times the noise that the attacker is told of is drawn, 1 unless the mechanism is to be wrong.
    """
    found = []
    for answers in suited(mechanism)[:2]:
        calibrated, law = (_calibrated(mechanism, answers.target, times * REACH) for times in (1.0, noise))
        near = pairs(mechanism.norm, REACH, answers.length, np.random.default_rng(5))
        attacker = calibrated.attacker(answers.length)
        for seed, (a, b) in enumerate((whole(mechanism.norm, REACH, near) if answers.whole else near)[::EACH]):
            with suppress(InvalidValueError):  # a law that cannot state its ratio
                said = float(attacker.right(float(mechanism.norm(a - b))))
                found.append((_guessed(law.law, (a, b), seed), said, attacker.exact))
    return found


def _calibrated(mechanism: Any, target: Any, sensitivity: float) -> Any:
    proved = GlobalSensitivity(target, sensitivity, mechanism.norm, Adjacency.REPLACE_ONE_RECORD, "Said.", None)
    most = 0.9 if getattr(mechanism, "calibration", "") == "classical" else 2.0  # its proof needs ε < 1
    return mechanism.calibrate(proved, PureDP(most) if mechanism.privacy is PureDP else ApproxDP(most, 0.05))


def _guessed(law: Any, pair: Pair, seed: int) -> float:
    """The share of right guesses by the likelihood ratio, half of the ties counted."""
    a, b = pair
    rng = np.random.default_rng([7, seed])
    mine = law.log_ratio(a, b, law.simulate(a, size=GUESSES, rng=rng))
    other = -law.log_ratio(a, b, law.simulate(b, size=GUESSES, rng=rng))
    sides = np.stack([mine, other])
    return float(np.where(np.abs(sides) < TIE, 0.0, np.sign(sides)).mean() / 2 + 0.5)


_DOUBT = ERRORS * 0.5 / np.sqrt(2 * GUESSES)


@pytest.mark.parametrize(
    "mechanism", [*MEMBERS, *(case[1] for case in RIGHT)], ids=[*map(repr, MEMBERS), *(name for name, _ in RIGHT)]
)
def test_no_attacker_exceeds_the_stated_accuracy(mechanism: Any) -> None:
    for found, said, exact in _found(mechanism):
        assert found <= said + _DOUBT
        assert not exact or found >= said - _DOUBT


@pytest.mark.parametrize("mechanism", EXACT, ids=repr)
@pytest.mark.parametrize("noise", [0.9, 1.1])
def test_a_tenth_less_noise_or_more_is_seen(mechanism: Any, noise: float) -> None:
    """The other direction of the test above: each size of it would have failed."""
    assert any(exact for _, _, exact in _found(mechanism))
    worst = max(_found(mechanism, noise), key=lambda one: abs(one[0] - one[1]) if one[2] else 0.0)
    assert abs(worst[0] - worst[1]) > _DOUBT
