"""What every kind of answer keeps to: an accuracy, and a response that reads."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore.base.columns import Column
from dpcore.base.types import as_target
from dpcore.guarantees.privacy import ApproxDP, PureDP
from dpcore.mechanisms.laplace import LaplaceLaw
from dpcore.result_types.fits import Classifier, FittedCurve
from dpcore.result_types.kind import KindOfAnswer
from dpcore.result_types.numbers import Numbers, answer_of
from pages.experiment import accuracy
from tests.contracts.answers import suited
from tests.contracts.members import members

COLUMNS = (Column("a", "Apples", "kg", bounds=(0.0, 1.0)), Column("b", unit="kg", bounds=(0.0, 1.0)))


def test_every_kind_of_answer_has_an_accuracy() -> None:
    assert {kind.__name__ for kind in accuracy._KINDS} == {kind.__name__ for kind in KindOfAnswer.__subclasses__()}


def test_unlabelled_numbers_are_numbered() -> None:
    said = answer_of(as_target(lambda database: database), COLUMNS)
    response = np.array([1.0, 2.5, -3.0])
    assert said == Numbers(("Apples",), "kg")
    assert said.parts(response) == (("number 1", "1 kg"), ("number 2", "2.5 kg"), ("number 3", "-3 kg"))
    assert json.dumps(said.plain(response)) == '{"number 1": 1.0, "number 2": 2.5, "number 3": -3.0}'
    assert said.parts(response[:1]) == (("Apples", "1 kg"),)
    assert Classifier(("a", "bias")).parts(response[:2])[:2] == (("a", "1"), ("bias", "2.5"))
    own = Classifier(("a", "bias"), spans=((10.0, 20.0),), classes=("no", "yes"))  # 1·(x − 10)/10 + 2.5 = x/10 + 1.5
    assert own.parts(response[:2])[:2] == (("a", "0.1"), ("bias", "1.5"))
    assert own.parts(response[:2])[2][0] == "yes"
    assert own.plain(response[:2]) == {"a": 0.1, "bias": 1.5, "released numbers": [1.0, 2.5]}
    widths = own.within(LaplaceLaw(2.0), response[:2], 0.9) or (0.0, 0.0)
    assert widths[0] == pytest.approx(LaplaceLaw(0.2).half_width(0.9), rel=0.05)
    assert widths[1] > LaplaceLaw(2.0).half_width(0.9)  # its noise, and that of the weight over ten of its units
    assert own.within(SimpleNamespace(half_width=None), response[:2], 0.9) is None


@pytest.mark.parametrize("mechanism", members("mechanisms"), ids=repr)
def test_a_law_offers_what_its_kind_of_response_needs(mechanism: Any) -> None:
    privacy = PureDP(0.5) if mechanism.privacy is PureDP else ApproxDP(0.5, 0.01)
    for answers in suited(mechanism):
        law, kind = answers.law(mechanism, 1.0, privacy), mechanism.response(answer_of(answers.target, COLUMNS))
        choice, curve = (law.probabilities, law.winners, law.most_missed), (law.polynomial, law.curves)
        assert not kind.picked or None not in choice
        assert not isinstance(kind, FittedCurve) or None not in curve
