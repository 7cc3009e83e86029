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
    assert law.on(DATABASE)._second(TARGET.then(np.ones(2))).scale == pytest.approx(2 / law.epsilon, rel=1e-9)


def test_a_release_is_a_direction_and_one_of_its_own_thresholds() -> None:
    release = _proved(1.0).release(DATABASE)
    assert release.guarantee == PureDP(1.0)
    direction, bias = release.response[:2], release.response[2]
    assert -bias in thresholds(direction[None])[0]
    assert TARGET.misclassified(release.response[None], DATABASE)[0] < 0.1
    assert not release.response.flags.writeable
    assert "share=0.5" in release.provenance["mechanism"]
    assert release.composes_as == ""


def test_a_sampled_direction_gives_random_dp_for_both_steps() -> None:
    sample = sample_sensitivity(TARGET, ORACLE, norm=L1, n=1_000, at=OperatingPoint.for_gamma(0.05), seed=1)
    calibrated = TwoStepMechanism().calibrate(sample.sensitivity(), PureDP(1.0))
    assert calibrated.guarantee == RandomDP(1.0, 0.0, 0.05)
    assert calibrated.law.scale == pytest.approx(2 * sample.order_statistic)


def test_without_noise_it_is_the_direction_itself_and_the_middle_of_the_best_thresholds() -> None:
    law = _proved(1.0).law.on(DATABASE)
    raw = TARGET(DATABASE)
    answer = law.without_noise(raw)
    assert answer[:2].tolist() == raw.tolist()
    scores = TARGET.then(raw)(DATABASE)
    best = thresholds(raw[None])[0][scores == scores.max()]
    assert best.min() <= -answer[2] <= best.max()
    assert min(-answer[2] - best.min(), best.max() + answer[2]) > 0.4 * np.ptp(best)


def test_little_epsilon_for_the_second_step_chooses_nearly_at_random() -> None:
    """Against a chi-square of 20 equal groups of the 401 thresholds, 8,000 responses each way."""
    rng = np.random.default_rng(4)
    counts = []
    for share in (0.99, 0.5):
        law = _proved(0.02 if share > 0.5 else 20.0, share).law.on(DATABASE)
        responses = law.simulate(TARGET(DATABASE), size=8_000, rng=rng)
        cuts = thresholds(responses[:, :2])
        place = (-responses[:, 2] - cuts[:, 0]) / np.where(np.ptp(cuts, axis=1) > 0, np.ptp(cuts, axis=1), 1)
        counts.append(np.bincount(np.clip((place * 20).astype(int), 0, 19), minlength=20))
    flat, peaked = counts
    assert flat.min() > 300
    assert peaked.max() > 2_000


@pytest.mark.parametrize("share", [0.0, 1.0, -1.0, 0.001, 0.999, float("nan"), "a"])
def test_a_step_without_epsilon_is_refused(share: Any) -> None:
    with pytest.raises(InvalidValueError) as found:
        TwoStepMechanism(share)
    assert found.value.name == "share"


def test_a_target_without_a_second_step_is_refused_and_a_direction_is_offered_nothing_else() -> None:
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
def test_a_second_step_that_fails_is_a_release_that_failed_and_quotes_nothing(
    monkeypatch: pytest.MonkeyPatch, kind: type[Exception]
) -> None:
    def failing(_: Any, database: Any) -> Any:
        raise kind(f"secret {database[0]}", "none")

    monkeypatch.setattr(type(TARGET.then(np.ones(2))), "__call__", failing)
    with pytest.raises(ReleaseFailedError) as error:
        _proved(1.0).release(DATABASE)
    assert "secret" not in str(error.value)
    assert error.value.__context__ is None


def test_each_step_is_said_with_its_epsilon() -> None:
    said = TwoStepMechanism(0.3).steps(1.0, TARGET)
    assert "ε = 0.3" in said
    assert "ε = 0.7" in said
    assert "Both together cost ε = 1" in said


def test_an_attacker_may_learn_from_the_second_step_at_any_distance() -> None:
    attacker = _proved(2.0).attacker(numbers=2)
    assert float(attacker.right(0.0)) == pytest.approx(1 / (1 + np.exp(-1.0)))
    assert float(attacker.right(0.002)) == pytest.approx(1 / (1 + np.exp(-2.0)))
    assert not attacker.exact
