"""Two steps under one ε: what each gets of it, what is refused, and what a response is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from dpcore import L1, LaplaceMechanism, OperatingPoint, PureDP, RandomDP, TwoStepMechanism, oracles, sample_sensitivity, targets
from dpcore.base.features import thresholds
from dpcore.errors import DatabaseMismatchError, InvalidValueError, ReleaseFailedError, TableError

UNIT = ((0.0, 1.0), (0.0, 1.0))
TARGET = targets.MeanDirection(UNIT)
ORACLE = oracles.TwoClasses(2, x_bounds=UNIT)
DATABASE = ORACLE.draw(1, 1_000, rng=np.random.default_rng(1))[0]


def _proved(epsilon: float, share: float = 0.5) -> Any:
    return TwoStepMechanism(share).calibrate(TARGET.global_sensitivity(L1, 1_000), PureDP(epsilon))  # type: ignore[arg-type]


@pytest.mark.parametrize(("epsilon", "share"), [(1.0, 0.5), (0.1, 0.3), (3.0, 0.99), (20.0, 0.01), (0.7, 0.05)])
def test_the_steps_share_epsilon_and_never_pass_it(epsilon: float, share: float) -> None:
    law = _proved(epsilon, share).law
    first = law.first
    assert first.scale == pytest.approx(0.002 / (share * epsilon), rel=1e-9)
    assert law.epsilon == pytest.approx((1 - share) * epsilon)
    assert share * epsilon + law.epsilon <= epsilon
    steps = TwoStepMechanism(share).details(epsilon)
    assert steps == {"epsilon_first_step": share * epsilon, "epsilon_second_step": law.epsilon}
    assert law.on(DATABASE)._second(TARGET.then(np.ones(2))).scale == pytest.approx(2 / law.epsilon, rel=1e-9)


def test_release_is_a_direction_and_a_threshold() -> None:
    release = _proved(1.0).release(DATABASE)
    assert release.guarantee == PureDP(1.0)
    direction, bias = release.response[:2], release.response[2]
    assert -bias in thresholds(direction[None])[0]
    assert TARGET.misclassified(release.response[None], DATABASE)[0] < 0.1
    assert not release.response.flags.writeable
    assert "share=0.5" in release.provenance["mechanism"]
    assert release.composes_as == ""


def test_sampled_direction_gives_random_dp() -> None:
    sample = sample_sensitivity(TARGET, ORACLE, norm=L1, n=1_000, at=OperatingPoint.for_gamma(0.05), seed=1)
    calibrated = TwoStepMechanism().calibrate(sample.sensitivity(), PureDP(1.0))
    assert calibrated.guarantee == RandomDP(1.0, 0.0, 0.05)
    assert calibrated.law.scale == pytest.approx(2 * sample.order_statistic)


def test_without_noise_takes_the_middle_best_threshold() -> None:
    law = _proved(1.0).law.on(DATABASE)
    raw = TARGET(DATABASE)
    answer = law.without_noise(raw)
    assert answer[:2].tolist() == raw.tolist()
    scores = TARGET.then(raw)(DATABASE)
    best = thresholds(raw[None])[0][scores == scores.max()]
    assert best.min() <= -answer[2] <= best.max()
    assert min(-answer[2] - best.min(), best.max() + answer[2]) > 0.4 * np.ptp(best)


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, 0.001, 0.999, float("nan"), "a"])
def test_a_step_without_epsilon_is_refused(share: Any) -> None:
    with pytest.raises(InvalidValueError) as found:
        TwoStepMechanism(share)
    assert found.value.name == "share"


def test_two_steps_suit_directions_alone() -> None:
    with pytest.raises(InvalidValueError, match="the first of two steps"):
        TwoStepMechanism().law(targets.Mean(), 1.0, PureDP(1.0))
    assert TwoStepMechanism.suited(targets.Mean()) is None
    assert LaplaceMechanism.suited(TARGET) is None
    assert TwoStepMechanism.suited(TARGET) == TwoStepMechanism()


def test_the_database_is_asked_again_and_never_guessed() -> None:
    law = _proved(1.0).law
    with pytest.raises(InvalidValueError, match="asks it again"):
        law.draw(TARGET(DATABASE))
    with pytest.raises(DatabaseMismatchError):
        _proved(1.0).release(DATABASE[:-1])


@pytest.mark.parametrize("kind", [TableError, KeyError])
def test_failed_second_step_quotes_nothing(monkeypatch: pytest.MonkeyPatch, kind: type[Exception]) -> None:
    def failing(_: Any, database: Any) -> Any:
        raise kind(f"secret {database[0]}", "none")

    monkeypatch.setattr(type(TARGET.then(np.ones(2))), "__call__", failing)
    with pytest.raises(ReleaseFailedError) as error:
        _proved(1.0).release(DATABASE)
    assert "secret" not in str(error.value)
    assert error.value.__context__ is None


def test_attacker_learns_from_the_second_step() -> None:
    attacker = _proved(2.0).attacker(numbers=2)
    assert float(attacker.right(0.0)) == pytest.approx(1 / (1 + np.exp(-1.0)))
    assert float(attacker.right(0.002)) == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert not attacker.exact
