"""What every oracle keeps to; and wrong ones, that the same checks refuse."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest

from dpcore import oracles
from dpcore.base.arrays import Database
from dpcore.base.types import Oracle, inverse_of
from dpcore.errors import InvalidValueError
from tests.contracts.members import few, kinds, members
from tests.contracts.oracle_contract import CHECKS
from tests.contracts.other_oracles import WRONG, Named, coin_difference, normal_difference, normal_inverse

BUILT = members("oracles")
MEMBERS = [member for member in BUILT if not member.draws_people]  # people have a contract of their own


def _name(part: Any) -> str:
    return str(getattr(part, "__name__", repr(part)))


def test_every_kind_could_be_built() -> None:
    assert {type(member) for member in BUILT} == set(kinds("oracles"))
    assert len(MEMBERS) > len(kinds("oracles")) > 6
    assert any(getattr(member, "bounds", None) is not None for member in MEMBERS)


@pytest.mark.parametrize("kind", kinds("oracles"))
def test_an_oracle_is_a_frozen_final_dataclass(kind: Any) -> None:
    assert dataclasses.is_dataclass(kind)
    assert vars(kind)["__dataclass_params__"].frozen
    assert vars(kind)["__final__"]
    assert kind.__doc__
    assert kind.__module__.startswith("dpcore.oracles.")


@pytest.mark.parametrize("oracle", few(MEMBERS, 2), ids=repr)
def test_oracle_keeps_the_contract(oracle: Any) -> None:
    for check in CHECKS:
        check(oracle)


@pytest.mark.parametrize(("name", "check", "said"), WRONG, ids=[f"{name}, {_name(check)}" for name, check, _ in WRONG])
def test_a_wrong_oracle_is_found_out(name: str, check: Any, said: dict[str, Any]) -> None:
    with pytest.raises(AssertionError):
        check(Named(name, **said))


def test_the_right_one_among_them_passes() -> None:
    for check in CHECKS:
        check(
            Named(
                "normal", inverse=normal_inverse, draws_in_order=True, difference_cdf=normal_difference, support=(-np.inf, np.inf)
            )
        )
        check(Named("coin", chances={0.0: 0.5, 1.0: 0.5}, difference_cdf=coin_difference, support=(0.0, 1.0)))


def test_every_check_refuses_a_wrong_oracle() -> None:
    assert {check for _, check, _ in WRONG} == set(CHECKS)


def test_a_product_is_as_independent_as_its_columns() -> None:
    assert (oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Bernoulli(0.5)))).independent_records
    assert not (oracles.IndependentColumns((oracles.Uniform(0, 1), _Shared()))).independent_records


class _Shared(Oracle):
    """One value for all records of a database."""

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        return np.repeat(rng.random((databases, 1)), records, axis=1)


@pytest.mark.parametrize("oracle", [one for one in MEMBERS if one.draws_in_order], ids=repr)
def test_draws_in_order_keep_first_databases(oracle: Oracle) -> None:
    for records in (1, 2, 7):
        many = oracle.draw(40, records, rng=np.random.default_rng(4))
        for databases in (1, 2, 39):
            assert (oracle.draw(databases, records, rng=np.random.default_rng(4)) == many[:databases]).all()


@pytest.mark.parametrize("oracle", [one for one in MEMBERS if inverse_of(one) is not None], ids=repr)
def test_inverse_rises_through_drawn_values(oracle: Oracle) -> None:
    inverse = inverse_of(oracle)
    assert inverse is not None
    shares = np.concatenate([[2.0**-1022], np.linspace(0.001, 0.999, 999), [1 - 2.0**-53]])
    before = shares.copy()
    values = inverse(shares)
    assert (shares == before).all()
    assert values.dtype == np.float64
    assert np.isfinite(values).all()
    assert (np.diff(values) >= 0).all()
    assert (inverse(shares[:-1].reshape(4, -1)) == values[:-1].reshape(4, -1)).all()
    drawn = oracle.draw(400, 10, rng=np.random.default_rng(4))
    if len(np.unique(drawn)) < 100:  # a discrete law
        assert set(np.unique(values)) >= set(np.unique(drawn))


@pytest.mark.parametrize(
    ("oracle", "values"),
    [
        (oracles.Bernoulli(0.25), [0, 0, 0, 1]),
        (oracles.Categorical((0.25, 0.5, 0.25)), [0, 1, 1, 2]),
        (oracles.Categorical((0.0, 0.25, 0.5, 0.0, 0.25)), [1, 2, 2, 4]),
        (oracles.Resample(np.array([5.0, 1.0, 9.0, 1.0])), [1, 1, 5, 9]),
    ],
    ids=repr,
)
def test_inverse_takes_smaller_value_at_jump(oracle: Any, values: list[float]) -> None:
    """F⁻¹(u) is the least x with F(x) >= u."""
    assert oracle.inverse(np.array([0.25, 0.5, 0.75, 1.0])).tolist() == values


def test_the_support_of_clipped_records_is_their_bounds() -> None:
    clipped: list[Any] = [one for one in MEMBERS if getattr(one, "bounds", None) is not None]
    assert len({type(one) for one in clipped}) >= 5
    assert all(one.support == one.bounds for one in clipped)


@pytest.mark.parametrize("kind", [kind for kind in kinds("oracles") if "bounds" in kind.__dataclass_fields__])
def test_what_are_no_bounds_is_refused(kind: type[Any]) -> None:
    built = next(member for member in MEMBERS if type(member) is kind)
    for bounds in ((), 0, False, "", [], (1, 0), (0, np.nan), np.zeros(2)):
        with pytest.raises(InvalidValueError) as caught:
            dataclasses.replace(built, bounds=bounds)
        assert caught.value.name == "bounds"
