"""What every oracle keeps to; and wrong ones, that the same checks refuse."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

from dpcore import oracles
from dpcore.base.types import Database, independent_records
from dpcore.errors import InvalidValueError
from dpcore.registry import catalog
from tests.contracts.conftest import Plant
from tests.contracts.members import few, kinds, members
from tests.contracts.oracle_contract import CHECKS
from tests.contracts.other_oracles import LOG_NORMAL, WRONG, Named

MEMBERS = members("oracles")


def _name(part: Any) -> str:
    return str(getattr(part, "__name__", repr(part)))


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in MEMBERS} == set(kinds("oracles"))
    assert len(MEMBERS) > len(kinds("oracles")) > 6
    assert any(getattr(member, "bounds", None) is not None for member in MEMBERS)


@pytest.mark.parametrize("kind", kinds("oracles"))
def test_an_oracle_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.oracles.")


@pytest.mark.parametrize("oracle", few(MEMBERS), ids=repr)
@pytest.mark.parametrize("check", CHECKS, ids=_name)
def test_an_oracle_keeps_to_what_oracles_promise(check: Any, oracle: Any) -> None:
    check(oracle)


@pytest.mark.parametrize(("name", "check", "said"), WRONG, ids=[f"{name}, {_name(check)}" for name, check, _ in WRONG])
def test_a_wrong_oracle_is_found_out(name: str, check: Any, said: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check(Named(name, **said))


def test_the_right_one_among_them_passes() -> None:
    for check in CHECKS:
        check(Named("normal", inverse=ndtri, draws_in_order=True))


def test_every_check_refuses_a_wrong_oracle() -> None:
    assert {check for _, check, _ in WRONG} == set(CHECKS)


PLANTED = {
    "rng.lognormal(self.mu, self.sigma, (databases, records))": set(),
    "rng.lognormal(self.mu, 1.1 * self.sigma, (databases, records))": {"its_inverse_has_the_law_of_its_draws"},
    "np.sort(rng.lognormal(self.mu, self.sigma, (databases, records)), axis=1)": {
        "no_place_is_special",
        "shorter_databases_have_the_law_of_the_first_records",
        "records_are_independent_where_it_says_so",
    },
}


@pytest.mark.parametrize("drawn", PLANTED)
def test_a_log_normal_in_a_file_of_its_own_is_found_and_tried(plant: Plant, drawn: str) -> None:
    """With μ = 1.5 and σ = 0.3 all its records lie above 1.25, up to which other members' bounds once reached."""
    kind = plant("oracles", "LogNormal", LOG_NORMAL.replace("DRAWN", drawn))
    assert kind in kinds("oracles")
    built = [member for member in members("oracles") if type(member) is kind]
    assert {member.bounds is None for member in built} == {True, False}
    tried = [*few(built), *(member for member in built if (member.mu, member.sigma) == (1.5, 0.3))]
    assert {check.__name__ for member in tried for check in CHECKS if _fails(check, member)} == PLANTED[drawn]
    assert catalog.from_json(catalog.to_json(built[0]), "oracles") == built[0]


def _fails(check: Any, oracle: Any) -> bool:
    try:
        check(oracle)
    except AssertionError:
        return True
    return False


def test_a_product_is_as_independent_as_its_columns() -> None:
    assert independent_records(oracles.Product((oracles.Uniform(0, 1), oracles.Bernoulli(0.5))))
    assert not independent_records(oracles.Product((oracles.Uniform(0, 1), _Shared())))


class _Shared:
    """One value for all records of a database."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.repeat(rng.random((databases, 1)), records, axis=1)


@pytest.mark.parametrize("bounds", [(), 0, False, "", [], (1, 0), (0, np.nan), np.zeros(2)], ids=repr)
@pytest.mark.parametrize("kind", [kind for kind in kinds("oracles") if "bounds" in kind.__dataclass_fields__])
def test_what_are_no_bounds_is_refused(kind: type[Any], bounds: Any) -> None:
    built = next(member for member in MEMBERS if type(member) is kind)
    with pytest.raises(InvalidValueError) as caught:
        dataclasses.replace(built, bounds=bounds)
    assert caught.value.name == "bounds"
