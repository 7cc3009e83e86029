"""Members from JSON, strictly, and to code that makes an equal object."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import Gaussian, Laplace, oracles, targets
from dpcore.catalog import from_json, members, to_code, to_json
from dpcore.errors import InvalidValueError, UnknownKindError

MEMBERS: list[tuple[str, Any]] = [
    ("targets", targets.Mean()),
    ("targets", targets.Mean((0, 1))),
    ("targets", targets.Mean(((0, 1), (2, 3)))),
    ("targets", targets.Variance((0, 1), 1)),
    ("targets", targets.Quantile(0.25, (0, 9))),
    ("targets", targets.Histogram(edges=(0, 1, 2))),
    ("targets", targets.Histogram(categories=("it's", 'a "b"', "\\"))),
    ("targets", targets.Proportion(category="ja")),
    ("targets", targets.Proportion(interval=(0, 1))),
    ("oracles", oracles.Uniform(0, 1)),
    ("oracles", oracles.Normal(0, 1, (-1, 1))),
    ("oracles", oracles.Exponential(0.1)),
    ("oracles", oracles.Bernoulli(0.5)),
    ("oracles", oracles.Categorical((0.25, 0.75))),
    ("oracles", oracles.Product((oracles.Uniform(0, 1), oracles.Bernoulli(0.5)))),
    ("oracles", oracles.Product((oracles.Uniform(0, 1),))),
    ("mechanisms", Laplace()),
    ("mechanisms", Gaussian("classical")),
]


@pytest.mark.parametrize(("folder", "member"), MEMBERS, ids=lambda part: repr(part)[:60])
def test_a_member_survives_json_and_its_code_makes_an_equal_one(folder: str, member: Any) -> None:
    assert from_json(to_json(member), folder) == member
    names = {"targets": targets, "oracles": oracles, "Laplace": Laplace, "Gaussian": Gaussian}
    assert eval(to_code(member), {"__builtins__": {}}, names) == member


def test_every_member_of_the_catalogue_is_tried_here() -> None:
    tried = {type(member).__name__ for _, member in MEMBERS}
    assert {"Resample", *tried} == {name for folder in ("targets", "oracles", "mechanisms") for name in members(folder)}


@pytest.mark.parametrize("value", [None, 1, "Mean", [], [{"kind": "Mean"}]])
def test_what_is_no_object_is_refused(value: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        from_json(value, "targets")
    assert caught.value.got == value


@pytest.mark.parametrize("kind", [None, 1, "", "mean", "object", "__class__", "Uniform", ["Mean"], {"kind": "Mean"}])
def test_an_unknown_kind_is_refused_with_the_known_ones(kind: object) -> None:
    with pytest.raises(UnknownKindError) as caught:
        from_json({"kind": kind}, "targets")
    assert caught.value.got == kind
    assert "Mean" in caught.value.known


def test_an_unknown_field_is_refused_by_its_name() -> None:
    with pytest.raises(UnknownKindError) as caught:
        from_json({"kind": "Mean", "__init__": 1}, "targets")
    assert caught.value.got == "__init__"


def test_a_missing_field_is_refused_with_those_needed() -> None:
    with pytest.raises(InvalidValueError, match="high, low"):
        from_json({"kind": "Uniform", "low": 1}, "oracles")


@pytest.mark.parametrize("p", [True, "0.5", None, [0.5], {"kind": "Bernoulli", "p": 0.5}, float("nan"), 10**400])
def test_a_value_of_another_type_is_refused(p: object) -> None:
    with pytest.raises(InvalidValueError) as caught:
        from_json({"kind": "Bernoulli", "p": p}, "oracles")
    assert caught.value.name == "p"
