"""Oracles beside the catalogue's, to try the contract on: wrong ones with a fault each, and right ones."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import erf, ndtri

from dpcore.base.arrays import Database, FloatArray
from dpcore.base.types import Oracle, jump
from tests.contracts import oracle_contract as contract
from tests.contracts.global_state import NUMPY

Draw = Callable[[int, int, np.random.Generator], Database]
_KEPT: dict[tuple[int, int], Database] = {}


@dataclass(frozen=True)
class Named(Oracle):
    """An oracle that draws as DRAWS has it under its name, and says so of itself."""

    name: str
    bounds: tuple[float, float] | None = None
    independent_records: bool = True
    draws_in_order: bool = False
    inverse: Callable[[FloatArray], FloatArray] | None = None
    difference_cdf: Callable[[FloatArray], FloatArray] | None = None
    chances: dict[float, float] | None = None
    support: tuple[float, float] | None = None

    def draw(self, databases: int, records: int, /, *, rng: np.random.Generator) -> Database:
        drawn = DRAWS[self.name](databases, records, rng)
        return drawn if self.bounds is None else np.minimum(drawn, self.bounds[1])


def _global_seed(databases: int, records: int, rng: np.random.Generator) -> Database:
    """From the process's own generator, which it seeds: reproducible, and it moves what others draw from."""
    NUMPY.seed(int(rng.integers(2**31)))
    return NUMPY.standard_normal((databases, records))


def _first_wider(databases: int, records: int, rng: np.random.Generator) -> Database:
    drawn = rng.standard_normal((databases, records))
    drawn[:, 0] *= 1.15
    return drawn


def _antithetic_pair(databases: int, records: int, rng: np.random.Generator) -> Database:
    drawn = rng.standard_normal((databases, records))
    if records == 2:
        drawn[:, 1] = -drawn[:, 0]
    return drawn


def _neighbours(databases: int, records: int, rng: np.random.Generator) -> Database:
    """A tenth of each database is that of the one before."""
    drawn = rng.standard_normal((databases, records))
    again = rng.random(databases) < 0.1
    again[0] = False
    drawn[again] = drawn[np.flatnonzero(again) - 1]
    return drawn


def _dealt(cards: int) -> Draw:
    """Without replacement."""
    return lambda databases, records, rng: rng.permuted(np.tile(np.arange(cards), (databases, 1)), axis=1)[:, :records] * 1.0


def normal_difference(d: FloatArray) -> FloatArray:
    """P(|x − x'| <= d) of two standard normal numbers."""
    return np.asarray(erf(np.maximum(d, 0.0) / 2))


def coin_difference(d: FloatArray) -> FloatArray:
    """P(|x − x'| <= d) of two fair coins."""
    return jump(0.5, 1.0)(d)


_SHARED: dict[str, Any] = {"independent_records": False}
DRAWS: dict[str, Draw] = {
    "normal": lambda b, r, rng: rng.standard_normal((b, r)),
    "a record too many": lambda b, r, rng: rng.standard_normal((b, r + 1)),
    "coin": lambda b, r, rng: rng.integers(2, size=(b, r)) * 1.0,
    "not finite": lambda b, r, rng: np.where(rng.random((b, r)) < 0.5, np.inf, 1.0),
    "whole numbers": lambda b, r, rng: rng.integers(5, size=(b, r)),
    "numpy's generator": lambda b, r, rng: NUMPY.standard_normal((b, r)) + 0 * rng.random(),
    "a little of numpy's generator": lambda b, r, rng: rng.standard_normal((b, r)) + 1e-9 * NUMPY.random_sample(),
    "numpy's generator, seeded": _global_seed,
    "Python's generator": lambda b, r, rng: rng.standard_normal((b, r)) + 1e-9 * random.random(),
    "its own seed": lambda b, r, rng: np.random.default_rng(3).standard_normal((b, r)) + 0 * rng.random(),
    "by records first": lambda b, r, rng: rng.standard_normal((r, b)).T.copy(),
    "what it drew before": lambda b, r, rng: _KEPT.setdefault((b, r), rng.standard_normal((b, r))),
    "15 % wider where more are drawn": lambda b, r, rng: rng.standard_normal((b, r)) * (1.15 if r > 4 else 1.0),
    "centred by its own mean": lambda b, r, rng: (x := rng.standard_normal((b, r))) - x.mean(axis=1, keepdims=True),
    "two that mirror each other": _antithetic_pair,
    "sorted": lambda b, r, rng: np.sort(rng.standard_normal((b, r)), axis=1),
    "a walk": lambda b, r, rng: np.cumsum(rng.standard_normal((b, r)), axis=1),
    "a first record 15 % wider": _first_wider,
    "one shift a call": lambda b, r, rng: rng.standard_normal((b, r)) + 0.5 * rng.standard_normal(),
    "a tenth as the database before": _neighbours,
    "a shared shift": lambda b, r, rng: rng.standard_normal((b, r)) + 0.25 * rng.standard_normal((b, 1)),
    "a shared size": lambda b, r, rng: rng.standard_normal((b, r)) * np.exp(0.25 * rng.standard_normal((b, 1))),
    "20 cards, dealt": _dealt(20),
    "400 cards, dealt": _dealt(400),
}


def _ten_percent(u: FloatArray) -> FloatArray:
    return np.asarray(1.1 * ndtri(u))


def normal_inverse(u: Any) -> Any:
    """Of the standard normal law: pickle finds it without a look into every module."""
    return ndtri(u)


# an oracle's name, the check that must see what is wrong, and what the oracle says of itself
WRONG: list[tuple[str, Callable[[Any], None], dict[str, Any]]] = [
    ("a record too many", contract.draws_databases_of_records, {}),
    ("not finite", contract.draws_databases_of_records, {}),
    ("whole numbers", contract.draws_databases_of_records, {}),
    ("numpy's generator", contract.depends_on_its_generator_alone, {}),
    ("a little of numpy's generator", contract.depends_on_its_generator_alone, {}),
    ("numpy's generator, seeded", contract.depends_on_its_generator_alone, {}),
    ("Python's generator", contract.depends_on_its_generator_alone, {}),
    ("its own seed", contract.depends_on_its_generator_alone, {}),
    ("by records first", contract.depends_on_its_generator_alone, {"draws_in_order": True}),
    ("what it drew before", contract.gives_its_draws_away, {}),
    ("15 % wider where more are drawn", contract.shorter_databases_have_the_law_of_the_first_records, {}),
    ("centred by its own mean", contract.shorter_databases_have_the_law_of_the_first_records, {}),
    ("two that mirror each other", contract.shorter_databases_have_the_law_of_the_first_records, {}),
    ("sorted", contract.no_place_is_special, {}),
    ("a walk", contract.no_place_is_special, {}),
    ("a first record 15 % wider", contract.no_place_is_special, {}),
    ("one shift a call", contract.databases_are_independent, {}),
    ("a tenth as the database before", contract.databases_are_independent, {}),
    ("a shared shift", contract.records_are_independent_where_it_says_so, {}),
    ("a shared size", contract.records_are_independent_where_it_says_so, {}),
    ("20 cards, dealt", contract.records_are_independent_where_it_says_so, {}),
    ("400 cards, dealt", contract.records_are_independent_where_it_says_so, {}),
    ("normal", contract.keeps_its_bounds, {"bounds": (-1.0, 1.0)}),
    ("normal", contract.keeps_its_bounds, {"bounds": (-9.0, 9.0)}),
    ("normal", contract.its_inverse_has_the_law_of_its_draws, {"inverse": _ten_percent}),
    ("normal", contract.its_inverse_has_the_law_of_its_draws, {"inverse": lambda u: ndtri(1 - u)}),
    ("normal", contract.its_inverse_has_the_law_of_its_draws, {"inverse": lambda u: ndtri(u) + 0.1}),
    ("normal", contract.its_inverse_has_the_law_of_its_draws, {"inverse": normal_inverse, "independent_records": False}),
    ("normal", contract.its_difference_has_the_law_of_its_draws, {"difference_cdf": lambda d: normal_difference(d / 1.1)}),
    ("normal", contract.its_difference_has_the_law_of_its_draws, {"difference_cdf": lambda d: normal_difference(d * 1.1)}),
    ("normal", contract.its_difference_has_the_law_of_its_draws, {"difference_cdf": lambda d: erf(d / 2)}),
    ("coin", contract.its_difference_has_the_law_of_its_draws, {"difference_cdf": jump(0.46, 1.0)}),
    ("coin", contract.its_difference_has_the_law_of_its_draws, {"difference_cdf": jump(0.5, 1.1)}),
    ("normal", contract.its_difference_has_the_law_of_its_draws, _SHARED | {"difference_cdf": normal_difference}),
    ("coin", contract.its_chances_are_those_of_its_draws, {"chances": {0.0: 0.45, 1.0: 0.55}}),
    ("coin", contract.its_chances_are_those_of_its_draws, {"chances": {0.0: 1.0}}),
    ("coin", contract.its_chances_are_those_of_its_draws, {"chances": {0.0: 0.5, 1.0: 0.5, 2.0: 0.1}}),
    ("coin", contract.its_chances_are_those_of_its_draws, _SHARED | {"chances": {0.0: 0.5, 1.0: 0.5}}),
    ("coin", contract.stays_in_its_support, {"support": (0.0, 0.9)}),
    ("normal", contract.stays_in_its_support, {"support": (0.0, np.inf)}),
]
