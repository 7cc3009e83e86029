"""What every target keeps to; and wrong ones, that the same checks refuse."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from dpcore import registry
from dpcore.base.fingerprint import to_json
from dpcore.targets import SqlQuery
from tests.contracts.conftest import Plant
from tests.contracts.members import few, kinds, members, stretched
from tests.contracts.other_targets import (
    TRIMMED_MEAN,
    WRONG,
    Mean,
)
from tests.contracts.suited import NUMBERS, oracle_for
from tests.contracts.target_contract import CHECKS, failed, is_never_further_from_a_neighbour_than_proved

MEMBERS = members("targets")


def _name(part: Any) -> str:
    return str(getattr(part, "__name__", repr(part)))


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds("targets"))
    assert len(MEMBERS) > len(kinds("targets")) > 4
    assert {type(form).__name__ for form in FORMS} == {"_MeanOfKnown", "_ShareOfKnown", "_VarianceOfKnown"}


@pytest.mark.parametrize("kind", kinds("targets"))
def test_a_target_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]  # or a subclass could keep its parent's shortcut
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.targets.")


QUERIES = [one for one in MEMBERS if isinstance(one, SqlQuery)]  # each call of theirs costs a process
FORMS = [form for one in MEMBERS if (form := one.of_known_values()) not in (None, one)]  # which questions evaluate
FEW = [*few([one for one in MEMBERS if one not in QUERIES], 3), *few(QUERIES, 2), *few(FORMS, 3)]


@pytest.mark.parametrize("target", FEW, ids=repr)
def test_a_target_keeps_to_what_targets_promise(target: Any) -> None:
    for check in CHECKS:
        check(target, oracle_for(target))


FAR = [far for member in FEW for far in stretched(member)]


def test_some_are_stretched_to_the_ends_of_the_floats() -> None:
    assert len({type(far) for far in FAR}) > 3


@pytest.mark.parametrize("kind", sorted({type(far) for far in FAR}, key=_name), ids=_name)
def test_near_the_ends_of_the_floats_a_proof_holds_or_there_is_none(kind: Any) -> None:
    for target in FAR:
        if type(target) is kind:
            is_never_further_from_a_neighbour_than_proved(target, oracle_for(target))


@pytest.mark.parametrize(("target", "check"), WRONG, ids=[type(target).__name__ for target, _ in WRONG])
def test_a_wrong_target_is_found_out(target: Any, check: str) -> None:
    assert check in failed(target, NUMBERS)


def test_the_right_one_among_them_passes() -> None:
    assert failed(Mean(), NUMBERS) == set()


def test_every_check_refuses_a_wrong_target() -> None:
    assert {check for _, check in WRONG} == {check.__name__ for check in CHECKS}


@pytest.mark.parametrize(("width", "right"), [("(high - low)", True), ("0.9 * (high - low)", False)])
def test_a_trimmed_mean_in_a_file_of_its_own_is_found_and_tried(plant: Plant, width: str, right: bool) -> None:
    kind = plant("targets", "StrangersTrimmedMean", TRIMMED_MEAN.replace("WIDTH", width))
    assert kind in kinds("targets")
    built = [member for member in members("targets") if type(member) is kind]
    assert len(built) > 2
    refused = {check for member in built for check in failed(member, oracle_for(member))}
    assert refused == (set() if right else {"is_never_further_from_a_neighbour_than_proved"})
    assert registry.from_json(to_json(built[-1]), "targets") == built[-1]
