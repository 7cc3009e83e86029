"""What every mechanism keeps to: its promise on searched pairs of answers, and that its law says what it does."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from dpcore import registry
from dpcore.base.fingerprint import to_json
from dpcore.base.norms import L2, LINF, norm_named
from dpcore.base.types import SteppedTarget
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms import BernsteinMechanism, TwoStepMechanism
from dpcore.mechanisms.gaussian import GaussianLaw, analytic_scale
from dpcore.mechanisms.noise import add_laplace, scale_above
from dpcore.mechanisms.response_law import Law, Sampling, by_opendp
from dpcore.registry import from_json
from tests.contracts.answers import suited
from tests.contracts.conftest import Plant
from tests.contracts.global_state import global_state
from tests.contracts.mechanism_contract import faults
from tests.contracts.members import kinds, members
from tests.contracts.other_mechanisms import ENTROPY, RIGHT, WRONG, Built
from tests.contracts.sampling_contract import sampling_fault

pytestmark = pytest.mark.statistical
ORDERS = (3,)
MEMBERS = members("mechanisms", further=ORDERS)


def _privacy(mechanism: Any, epsilon: float) -> PureDP | ApproxDP:
    return PureDP(epsilon) if mechanism.privacy is PureDP else ApproxDP(epsilon, 0.01)


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds("mechanisms"))
    assert len(MEMBERS) > 2 * len(kinds("mechanisms")) > 6


def _told_apart() -> list[Any]:
    """One of each kind and option: two candidates tell nothing that three do not, nor do all products of a curve's options."""
    curves = [one for one in MEMBERS if isinstance(one, BernsteinMechanism)]
    some = [curves[0], *(one for one in curves if one.order > 1 and one.norm is LINF), *(one for one in curves if one.clip)][:3]
    others = [one for one in MEMBERS if one not in curves and len(getattr(one, "candidates", None) or (1, 2, 3)) > 2]
    return [*some, *(one for one in others if one != TwoStepMechanism(share=0.3))]


@pytest.mark.parametrize("mechanism", _told_apart(), ids=repr)
def test_mechanism_keeps_its_promise(mechanism: Any) -> None:
    assert faults(mechanism) == []


@pytest.mark.parametrize(("mechanism", "checks"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_a_wrong_mechanism_is_found_out(mechanism: Any, checks: set[str]) -> None:
    assert {fault.check for fault in faults(mechanism, enough=frozenset(checks))} >= checks


@pytest.mark.parametrize("mechanism", [case[1] for case in RIGHT], ids=[case[0] for case in RIGHT])
def test_a_right_mechanism_of_another_kind_passes(mechanism: Any) -> None:
    assert faults(mechanism) == []


def test_mechanism_that_takes_nothing_is_refused() -> None:
    nothing = dataclasses.replace(RIGHT[0][1], made=lambda d, p: dataclasses.replace(RIGHT[0][1].made(d, p), length=77))
    with pytest.raises(AssertionError, match="takes no answer"):
        faults(nothing)


@pytest.mark.parametrize("kind", kinds("mechanisms"))
def test_a_mechanism_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.mechanisms.")
    assert kind.privacy in (PureDP, ApproxDP)


@pytest.mark.parametrize("mechanism", MEMBERS, ids=repr)
def test_mechanism_survives_json_and_pickling(mechanism: Any) -> None:
    assert mechanism.norm is norm_named(mechanism.norm.name)
    for again in (pickle.loads(pickle.dumps(mechanism)), from_json(to_json(mechanism), "mechanisms")):
        assert again == mechanism
        assert hash(again) == hash(mechanism)
        assert again.norm is mechanism.norm


@pytest.mark.parametrize("mechanism", MEMBERS, ids=repr)
def test_scale_grows_with_sensitivity(mechanism: Any) -> None:
    for answers in suited(mechanism):
        scales = [
            answers.law(mechanism, reach, _privacy(mechanism, epsilon)).scale
            for reach, epsilon in ((1.0, 0.9), (1.0, 0.5), (2.0, 0.5), (5e-324, 0.5), (1e300, 0.5))
        ]
        assert 0 < scales[0] < scales[1] < scales[2] < scales[4] < np.inf
        assert 0 < scales[3] < scales[0]
        still = answers.law(mechanism, 0.0, _privacy(mechanism, 0.5))
        assert 0 <= still.scale <= scales[3]  # above 0 where rounding needs room
        raw = np.arange(answers.length, dtype=np.float64)
        drawn, simulated = still.row(still.draw(raw)), still.simulate(raw, size=1, rng=np.random.default_rng(1))[0]
        second_step = isinstance(answers.target, SteppedTarget)  # which chooses at random
        assert still.scale > 0 or second_step or (drawn == simulated).all()


@pytest.mark.parametrize("mechanism", MEMBERS, ids=repr)
def test_simulation_depends_on_the_generator_alone(mechanism: Any) -> None:
    for answers in suited(mechanism):
        law = answers.law(mechanism, 1.0, _privacy(mechanism, 0.5))
        raw = np.linspace(0, 1, answers.length)
        raw.flags.writeable = False
        before = global_state()
        first, again, other = (law.simulate(raw, size=50, rng=np.random.default_rng(seed)) for seed in (1, 1, 2))
        assert len(first) == 50
        assert (first == again).all()
        assert (first != other).any()
        assert global_state() == before


@pytest.mark.parametrize("mechanism", MEMBERS, ids=repr)
def test_opendp_draws_all_of_a_response(mechanism: Any) -> None:
    assert sampling_fault(mechanism) == ""


LAPLACE = by_opendp("make_laplace")


@dataclasses.dataclass(frozen=True, slots=True)
class Claiming(Law):
    """Laplace noise whose law claims OpenDP, and draws as ``drawn(raw, scale)`` does."""

    scale: float
    drawn: Any
    sampling: Any = LAPLACE

    def draw(self, raw: Any, /) -> Any:
        return self.drawn(raw, self.scale)

    def row(self, response: Any, /) -> Any:
        return response

    def simulate(self, raw: Any, /, *, size: int, rng: Any) -> Any:
        raise NotImplementedError

    def log_ratio(self, raw: Any, other: Any, responses: Any, /) -> Any:
        raise NotImplementedError


def _claiming(drawn: Any, scale: Any = lambda d, p: scale_above(d / p.epsilon, d), **stated: Any) -> Built:
    return Built(lambda d, p: Claiming(scale(d, p), drawn, **stated))


LIES = [
    ("draws from numpy", _claiming(lambda raw, scale: raw + scale * ENTROPY.laplace(size=raw.size)), "draws from []"),
    ("says nothing", _claiming(add_laplace, sampling=Sampling()), "in a way that its mechanism does not state"),
    ("says that it is numpy's", _claiming(add_laplace, sampling=Sampling(words="drawn by numpy")), "drawn by numpy"),
    ("says another measurement", _claiming(add_laplace, sampling=by_opendp("make_gaussian")), "draws from ['make_laplace']"),
    ("a scale that is not rounded up", _claiming(add_laplace, lambda d, p: d / p.epsilon), "not rounded up"),
    ("a scale 1 % too small", _claiming(add_laplace, lambda d, p: 0.99 * d / p.epsilon), "too small by a relative 1.0e-02"),
    ("asks OpenDP, and adds numpy's own", _claiming(lambda raw, scale: add_laplace(raw, scale) + ENTROPY.random()), "elsewhere"),
    ("asks OpenDP, and answers without it", _claiming(lambda raw, scale: 0 * add_laplace(raw, scale)), "not made of what OpenDP"),
    ("adds the answer once more", _claiming(lambda raw, scale: raw + add_laplace(raw, scale)), "beside the noise"),
    ("noise that hangs on the answer", _claiming(lambda raw, scale: add_laplace(raw, scale + raw.sum())), "beside the noise"),
    (
        "a Gaussian 1e-6 too narrow",
        Built(lambda d, p: GaussianLaw((1 - 1e-6) * analytic_scale(p.epsilon, p.delta) * d), L2, ApproxDP),
        "scale that is too small",
    ),
]


@pytest.mark.parametrize(("mechanism", "said"), [case[1:] for case in LIES], ids=[case[0] for case in LIES])
def test_law_that_lies_is_found_out(mechanism: Any, said: str) -> None:
    fault = sampling_fault(mechanism)
    assert said in fault
    assert "sensitivity" in fault  # and where


STRANGER = '''
"""Whole noise."""
from __future__ import annotations
import math
from dataclasses import dataclass
from typing import ClassVar, final
import numpy as np
from dpcore.errors import InvalidValueError, ReleaseFailedError
from dpcore.mechanisms.base import Mechanism
from dpcore.mechanisms.response_law import Law
from dpcore.base.norms import L1, L1Norm
from dpcore.guarantees.privacy import PureDP

@dataclass(frozen=True, slots=True)
class GeometricLaw(Law):
    scale: float
    def draw(self, raw, /):
        if raw.size != 1:
            raise ReleaseFailedError("gave more than one number")
        return self.simulate(raw, size=1, rng=np.random.default_rng())[0]
    def simulate(self, raw, /, *, size, rng):
        return np.round(raw) + np.subtract(*rng.geometric(-math.expm1(-1 / self.scale), (2, size, raw.size)))
    def row(self, response, /):
        return response
    def log_ratio(self, raw, other, responses, /):
        return (L1(responses - np.round(other)) - L1(responses - np.round(raw))) / self.scale

@final
@dataclass(frozen=True, slots=True)
class StrangersGeometric(Mechanism[L1Norm, PureDP]):
    """Rounds, then adds whole noise."""
    privacy: ClassVar[type[PureDP]] = PureDP
    @property
    def norm(self):
        return L1
    def law(self, target, sensitivity, privacy, /):
        return GeometricLaw(REACH / privacy.epsilon)
'''


@pytest.mark.parametrize(("reach", "right"), [("sensitivity", False), ("math.floor(sensitivity + 1)", True)])
def test_mechanism_in_its_own_file_is_tried(plant: Plant, reach: str, right: bool) -> None:
    kind = plant("mechanisms", "StrangersGeometric", STRANGER.replace("REACH", reach))
    assert kind in kinds("mechanisms")
    (geometric,) = (member for member in members("mechanisms", further=ORDERS) if type(member) is kind)
    assert ({fault.check for fault in faults(geometric)} == set()) is right
    assert "does not say that OpenDP samples its noise" in sampling_fault(geometric)
    assert from_json(to_json(geometric), "mechanisms") == geometric


def test_the_catalogue_forgets_what_was_planted() -> None:
    assert "StrangersGeometric" not in registry.members("mechanisms")
