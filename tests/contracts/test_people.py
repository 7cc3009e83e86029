"""What every oracle of people keeps to; and wrong ones, that the same checks refuse."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import registry
from dpcore.base.fingerprint import to_json
from tests.contracts.members import few, members
from tests.contracts.other_people import WRONG, OfPeople
from tests.contracts.people_contract import CHECKS

PEOPLE = [member for member in members("oracles") if member.draws_people]


def _name(part: Any) -> str:
    return str(getattr(part, "__name__", repr(part)))


def test_several_of_each_kind_are_there() -> None:
    assert {type(member).__name__ for member in PEOPLE} >= {"Users", "ResamplePeople"}
    assert len(PEOPLE) > 6


@pytest.mark.parametrize("oracle", few(PEOPLE[::-1], 1), ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("check", CHECKS, ids=_name)
def test_oracle_of_users_keeps_the_contract(check: Any, oracle: Any) -> None:
    check(oracle)


@pytest.mark.parametrize("oracle", PEOPLE, ids=repr)
@pytest.mark.parametrize("check", CHECKS[:4], ids=_name)
def test_every_oracle_of_users_passes_quick_checks(check: Any, oracle: Any) -> None:
    check(oracle)


@pytest.mark.parametrize(("fault", "check"), WRONG, ids=[f"{fault}, {_name(check)}" for fault, check in WRONG])
def test_a_wrong_oracle_of_people_is_found_out(fault: str, check: Any) -> None:
    with pytest.raises(AssertionError):
        check(OfPeople(fault))


def test_right_oracle_of_users_passes_every_check() -> None:
    for check in CHECKS:
        check(OfPeople())
    CHECKS[-1](OfPeople("a shared shift", independent_records=False))


def test_every_check_refuses_a_wrong_oracle_of_people() -> None:
    assert {check for _, check in WRONG} == set(CHECKS)


@pytest.mark.parametrize("oracle", [one for one in PEOPLE if not hasattr(one, "records")], ids=repr)
def test_oracle_of_users_survives_json(oracle: Any) -> None:
    assert registry.from_json(to_json(oracle), "oracles") == oracle
