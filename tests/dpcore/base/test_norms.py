"""Ranges of groups, added: one norm for each number of groups, by its name in JSON, and what it says of whom."""

from __future__ import annotations

import json
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from dpcore import L1, L2, LINF, RANGE, Laplace, oracles, targets
from dpcore.audits.closed_forms import true_cdf
from dpcore.base.fingerprint import fingerprint, to_json
from dpcore.base.norms import MOST_GROUPS, NORMS, Norm, norm_named, ranges
from dpcore.base.types import Database, FloatArray
from dpcore.errors import InvalidValueError, UnknownKindError
from dpcore.targets.proved import proved
from tests.contracts.members import few, members

WRONG = (
    "RANGE_0",
    "RANGE_1",
    "RANGE_-2",
    "RANGE_02",
    "RANGE_2 ",
    "range_2",
    "RANGE_257",
    "RANGE_1000",
    "RANGE_",
    "RANGE_2.0",
    "RANGE_٣",
    "RANGE2",
    "L3",
    "",
    2,
    None,
    True,
    ["RANGE_2"],
    "__import__",
)


def test_it_adds_the_ranges_of_the_groups() -> None:
    values = np.array([[1.0, 4.0, 0.0, -2.0, 7.0, 7.0], [0.0, 0.0, 0.0, 0.0, 0.0, 1.0]])
    assert ranges(3)(values).tolist() == [3 + 2 + 0, 1]
    assert ranges(2)(values).tolist() == [4 + 9, 1]
    assert ranges(6)(values).tolist() == [0, 0]
    assert ranges(3)(values[0]) == 5.0
    assert ranges(3)(np.ones((2, 5, 6))).shape == (2, 5)


def test_of_one_group_it_is_the_range_itself() -> None:
    assert ranges(1) is RANGE
    assert ranges(1).name == "RANGE"


def test_it_sees_no_shift_of_a_group_and_is_a_seminorm_above_the_largest_range() -> None:
    rng = np.random.default_rng(3)
    a, b = rng.normal(size=(2, 50, 8))
    norm = ranges(4)
    assert np.allclose(norm(a + np.repeat([5.0, -1.0, 0.0, 1e3], 2)), norm(a))
    assert (norm(a + b) <= norm(a) + norm(b) + 1e-12).all()
    assert np.allclose(norm(-3 * a), 3 * norm(a))
    assert (norm(a) <= 2 * L1(a)).all()
    assert not np.allclose(norm(a), RANGE(a))


def _again(norm: Norm) -> bool:
    return norm is norm_named(norm.name) and repr(norm) == norm.name


@pytest.mark.parametrize("groups", [1, 2, 3, 30, MOST_GROUPS])
def test_there_is_one_of_each_number_of_groups_and_its_name_is_read_back_as_it(groups: int) -> None:
    norm = ranges(groups)
    assert norm is ranges(groups) is pickle.loads(pickle.dumps(norm)) is norm_named(json.loads(json.dumps(to_json(norm))))
    assert norm.groups == groups
    assert norm.name == ("RANGE" if groups == 1 else f"RANGE_{groups}")
    assert fingerprint(norm) == fingerprint(norm_named(norm.name)) != fingerprint(ranges(groups % 256 + 1))


def test_it_is_one_object_in_every_process() -> None:
    with ProcessPoolExecutor(1) as pool:
        assert all(pool.map(_again, [ranges(2), ranges(256), RANGE]))


def test_the_usual_norms_are_known_by_name_and_look_at_an_answer_as_a_whole() -> None:
    assert [norm_named(name) for name in NORMS] == [L1, L2, LINF, RANGE]
    assert [norm.groups for norm in NORMS.values()] == [1, 1, 1, 1]


@pytest.mark.parametrize("name", WRONG, ids=repr)
def test_another_name_is_refused_with_those_that_are_known(name: object) -> None:
    with pytest.raises(UnknownKindError) as caught:
        norm_named(name)
    assert (caught.value.what, caught.value.got) == ("norm", name)
    assert caught.value.known == ("L1", "L2", "LINF", "RANGE", "ranges of 2 to 256 groups")


@pytest.mark.parametrize("groups", [0, -1, 257, 2.0, True, "2", None], ids=repr)
def test_a_number_of_groups_out_of_range_is_refused(groups: Any) -> None:
    with pytest.raises(InvalidValueError, match="groups"):
        ranges(groups)


@pytest.mark.parametrize("size", [0, 1, 4])
def test_groups_of_unequal_length_are_refused(size: int) -> None:
    with pytest.raises(InvalidValueError, match="answer"):
        ranges(3)(np.zeros((2, size)))


@dataclass(frozen=True)
class ByGroup:
    groups: tuple[str, ...] = ("a", "b", "c")

    def __call__(self, database: Database, /) -> FloatArray:
        return np.zeros(6)

    def true_cdf(self, oracle: Any, norm: Norm, n: int, /) -> Any:
        return np.ones_like


def test_a_sensitivity_over_groups_is_proved_for_a_target_of_as_many_groups_alone() -> None:
    made = proved(ByGroup(), 2.0, (1.0,), ranges(3), 5, "It is said so here.")
    assert made is not None
    assert made.norm is ranges(3)
    assert proved(ByGroup(), 2.0, (1.0,), ranges(2), 5, "It is said so here.") is None
    assert proved(ByGroup(), 2.0, (1.0,), RANGE, 5, "It is said so here.") is not None
    oracle = oracles.Uniform(0, 1)
    assert [true_cdf(ByGroup(), oracle, norm, 5) is None for norm in (ranges(3), ranges(2), L1)] == [False, True, False]


@pytest.mark.parametrize("target", few(members("targets")), ids=repr)
def test_a_target_without_groups_proves_nothing_over_groups(target: Any) -> None:
    if not getattr(target, "groups", ()) and hasattr(target, "global_sensitivity"):
        assert target.global_sensitivity(ranges(7), 9) is None
        assert true_cdf(target, oracles.Uniform(0, 1), ranges(7), 9) is None


def test_a_norm_of_another_number_of_groups_is_no_mechanisms() -> None:
    with pytest.raises(InvalidValueError, match="answer"):
        ranges(3)(targets.Mean()(np.ones(4)))
    assert Laplace().norm is L1
