"""Oracles of people beside the catalogue's, wrong ones with a fault each, to try the contract on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpcore.base.arrays import Database
from dpcore.base.types import Oracle
from dpcore.base.users import CODE, KEY, PERSON
from dpcore.errors import InvalidValueError
from tests.contracts import people_contract as contract
from tests.contracts.global_state import NUMPY

_KEPT: dict[int, Database] = {}
_LAST: list[float] = [0.0]
Codes = NDArray[np.int64]


@dataclass(frozen=True)
class OfPeople(Oracle):
    """People of one row or two with normal values, with a fault."""

    fault: str = ""
    independent_records: bool = True
    draws_people = True
    person = "person"

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        if databases != 1 and self.fault != "any number of databases":
            raise InvalidValueError("databases", "1", databases)
        if self.fault == "what it drew before" and records in _KEPT:
            return _KEPT[records]
        whose = np.repeat(np.arange(records), rng.integers(1, 3, size=records))
        rows: Database = np.zeros(len(whose), dtype=[("x", float), ("person", PERSON)])
        rows["x"] = rng.standard_normal(len(whose)) + 0.5 * rng.standard_normal(records)[whose]
        rows["person"][CODE] = whose
        rows["person"][KEY] = rng.integers(2**64, size=records, dtype=np.uint64)[whose]
        rows["x"] = rows["x"] * _factor(rows, whose, records, self.fault) + _shift(rows, whose, records, rng, self.fault)
        rows["person"][KEY] = _keys(rows, whose, rng, self.fault)
        if self.fault == "sorted":
            rows["x"] = np.sort(rows["x"])
        rows["person"][CODE] += self.fault == "codes from 1"
        rows["person"][CODE][-1] += self.fault == "one person more"
        return _KEPT.setdefault(records, rows[None]) if self.fault == "what it drew before" else rows[None]


def _last(rows: Database) -> float:
    """The first number of the table before, of whoever asked for that."""
    last, _LAST[0] = _LAST[0], float(rows["x"][0])
    return last


def _shift(rows: Database, whose: Codes, r: int, rng: np.random.Generator, fault: str) -> Any:
    """What is added to the values, for most faults nothing."""
    if fault == "keys that go with values":
        return 0.1 * (rows["person"][KEY] / 2.0**63 - 1)
    if fault == "by the number of rows where more are drawn":
        return 0.1 * np.bincount(whose)[whose] if r > 5 else 0
    if fault == "neighbours alike":
        return 0.4 * rng.standard_normal(r // 2 + 1)[whose // 2]
    if fault == "a tenth as the database before":
        return 0.2 * _last(rows) * (whose == 0)
    if fault == "numpy's generator":
        return NUMPY.standard_normal()
    return 0.3 * rng.standard_normal() if fault == "a shared shift" else 0


def _factor(rows: Database, whose: Codes, r: int, fault: str) -> Any:
    """What the values are multiplied by, for most faults 1."""
    if fault == "two that mirror each other" and r == 2:
        return np.where(whose == 1, -1, 1) * np.sign(rows["x"][0] * rows["x"])
    ends = {"a first person 25 % wider": whose == 0, "a last person 25 % wider": whose == r - 1}
    wider: dict[str, Any] = {"25 % wider where more are drawn": r > 5, **ends}
    return 1 + 0.25 * wider.get(fault, False)


def _keys(rows: Database, whose: Codes, rng: np.random.Generator, fault: str) -> Any:
    faults = {"keys that count": whose, "a key a row": rng.integers(2**64, size=len(rows), dtype=np.uint64)}
    keys = rows["person"][KEY]
    return keys >> np.uint64(32) if fault == "keys of 32 bits" else faults.get(fault, keys)


WRONG: list[tuple[str, Callable[[Any], None]]] = [
    ("codes from 1", contract.draws_whole_people),
    ("one person more", contract.draws_whole_people),
    ("any number of databases", contract.refuses_several_databases),
    ("numpy's generator", contract.depends_on_its_generator_alone),
    ("what it drew before", contract.gives_its_draws_away),
    ("keys that count", contract.keys_are_random_numbers_one_a_person),
    ("a key a row", contract.keys_are_random_numbers_one_a_person),
    ("keys of 32 bits", contract.keys_are_random_numbers_one_a_person),
    ("keys that go with values", contract.keys_are_random_numbers_one_a_person),
    ("25 % wider where more are drawn", contract.smaller_databases_have_the_law_of_the_first_people),
    ("by the number of rows where more are drawn", contract.smaller_databases_have_the_law_of_the_first_people),
    ("two that mirror each other", contract.smaller_databases_have_the_law_of_the_first_people),
    ("a first person 25 % wider", contract.no_place_is_special),
    ("a last person 25 % wider", contract.no_place_is_special),
    ("sorted", contract.no_place_is_special),
    ("a tenth as the database before", contract.databases_are_independent),
    ("a shared shift", contract.people_are_independent_where_it_says_so),
    ("neighbours alike", contract.people_are_independent_where_it_says_so),
]
