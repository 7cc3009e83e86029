"""A mechanism in a file of its own is audited with no other file, on pairs that are hard to hide in its norm."""

from __future__ import annotations

import pytest

from dpcore import GaussianMechanism, LaplaceMechanism
from dpcore.audits.audit import checks
from dpcore.audits.hard_pairs import TwoAnswers, TwoScores, hard_pairs
from dpcore.base.norms import L1, LINF, RANGE
from dpcore.registry import members
from tests.contracts.conftest import Plant

SOURCE = '''
"""Laplace noise again."""
from __future__ import annotations
from dataclasses import dataclass
from typing import ClassVar, final
from dpcore.base.norms import L1, LINF, RANGE
from dpcore.guarantees.privacy import PureDP
from dpcore.mechanisms.base import Mechanism
from dpcore.mechanisms.laplace import LaplaceLaw

@final
@dataclass(frozen=True, slots=True)
class StrangersNoise(Mechanism):
    """Noise of a scale of its own."""
    privacy: ClassVar[type[PureDP]] = PureDP
    title: ClassVar[str] = "Noise of a stranger"
    @property
    def norm(self):
        return NORM
    @classmethod
    def suited(cls, target, /):
        return cls() if SUITS else None
    def law(self, target, sensitivity, privacy, /):
        return LaplaceLaw(FACTOR * sensitivity / privacy.epsilon)
'''
WHOLE = "target.whole_numbers"
SCORES = "target.candidates"


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("norm", "suits", "factor", "right"),
    [
        ("L1", "True", "1.0", True),
        ("L1", "True", "0.8", False),
        ("L1", WHOLE, "1.0", True),
        ("LINF", "True", "2.0", True),
        ("LINF", "True", "1.0", False),  # two numbers that move together, each with the noise of one
        ("RANGE", SCORES, "1.0", True),
        ("RANGE", SCORES, "0.5", False),
    ],
)
def test_it_is_found_to_keep_its_promise_or_not(plant: Plant, norm: str, suits: str, factor: str, right: bool) -> None:
    """100,000 responses a side at ε = 1."""
    source = SOURCE.replace("NORM", norm).replace("SUITS", suits)
    kind = plant("mechanisms", "StrangersNoise", source.replace("FACTOR", factor))
    (check,) = checks([kind])
    assert check.name == "Noise of a stranger"
    assert check.honest.holds is right
    assert check.honest.lower > 0.4
    assert not check.doubled.holds


def test_one_that_suits_none_of_the_usual_answers_is_not_audited(plant: Plant) -> None:
    kind = plant("mechanisms", "StrangersNoise", SOURCE.replace("NORM", "L1").replace("SUITS", "False").replace("FACTOR", "1.0"))
    assert hard_pairs(kind) == ()


def test_every_mechanism_of_ours_is_audited() -> None:
    for kind in members("mechanisms").values():
        assert {type(pair.mechanism) for pair in hard_pairs(kind)} == {kind}


def test_two_answers_are_as_far_apart_as_they_say_and_whole_where_they_are() -> None:
    two = TwoAnswers((0.0, 2.0), (1.0, 1.0))
    assert [two.global_sensitivity(norm, 1).value for norm in (L1, LINF, RANGE)] == [2.0, 1.0, 2.0]
    assert two.whole_numbers
    assert not TwoAnswers((0.0,), (0.5,)).whole_numbers
    assert TwoScores((0.0, 2.0), (1.0, 1.0)).candidates == (1, 2)
    for kind in (LaplaceMechanism, GaussianMechanism):
        pair = hard_pairs(kind)[-1]
        assert (pair.answers.raw, pair.answers.other) == ((0.0,), (1.0,))
    assert [pair.answers.whole_numbers for pair in hard_pairs(LaplaceMechanism)] == [False, True]
