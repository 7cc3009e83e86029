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
def test_an_oracle_of_people_keeps_to_what_they_promise(check: Any, oracle: Any) -> None:
    check(oracle)


@pytest.mark.parametrize("oracle", PEOPLE, ids=repr)
@pytest.mark.parametrize("check", CHECKS[:4], ids=_name)
def test_every_way_to_make_one_keeps_to_what_is_soon_seen(check: Any, oracle: Any) -> None:
    check(oracle)


@pytest.mark.parametrize(("fault", "check"), WRONG, ids=[f"{fault}, {_name(check)}" for fault, check in WRONG])
def test_a_wrong_oracle_of_people_is_found_out(fault: str, check: Any) -> None:
    with pytest.raises(AssertionError):
        check(OfPeople(fault))


def test_the_right_one_among_them_passes_and_one_that_does_not_say_independent_may_share() -> None:
    for check in CHECKS:
        check(OfPeople())
    CHECKS[-1](OfPeople("a shared shift", independent_records=False))


def test_every_check_refuses_a_wrong_oracle_of_people() -> None:
    assert {check for _, check in WRONG} == set(CHECKS)


@pytest.mark.parametrize("oracle", [one for one in PEOPLE if not hasattr(one, "records")], ids=repr)
def test_one_of_laws_goes_into_json_and_comes_out_the_same(oracle: Any) -> None:
    assert registry.from_json(to_json(oracle), "oracles") == oracle
