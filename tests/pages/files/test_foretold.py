"""A forecast ± against what is released, over made-up tables that no forecast has seen."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from dpcore.base.norms import L1
from dpcore.base.users import CODE, KEY, PERSON
from dpcore.errors import InvalidValueError
from dpcore.guarantees.privacy import Adjacency, PureDP
from dpcore.mechanisms.laplace import LaplaceMechanism
from dpcore.oracles import Uniform
from dpcore.oracles.users import with_rows_as
from dpcore.result_types.numbers import Ratio
from dpcore.targets import ContributionBounded, Mean, Query
from pages.files.persons import Guesses, counted_rows, foretold

_BOUNDS = (0.0, 20_000.0)
_PEOPLE = 800
_TABLES = [  # law of the rows, its mean, share blank, the guess as a multiple of the mean
    ("const", 1.0, 0.0, 1.0),
    ("poisson", 1.1, 0.3, 1.45),
    ("geometric", 1.5, 0.6, 1.0),
    ("lognormal", 2.0, 0.1, 0.75),
    ("poisson", 3.0, 0.0, 0.67),
    ("geometric", 4.0, 0.45, 1.4),
    ("const", 6.0, 0.2, 1.2),
    ("lognormal", 8.0, 0.5, 1.0),
    ("geometric", 10.0, 0.0, 0.7),
    ("poisson", 12.0, 0.6, 1.4),
]


def _rows(law: str, mean: float, rng: np.random.Generator) -> Any:
    if law == "const":
        return np.full(_PEOPLE, round(mean))
    if law == "poisson":
        return 1 + rng.poisson(mean - 1, _PEOPLE)
    if law == "geometric":
        return rng.geometric(1 / mean, _PEOPLE)
    return np.ceil(rng.lognormal(math.log(mean) - 0.32, 0.8, _PEOPLE)).astype(int)


def _table(law: str, mean: float, blank: float, rng: np.random.Generator) -> Any:
    rows = _rows(law, mean, rng)
    whose = np.repeat(np.arange(_PEOPLE), rows)
    made = np.empty(len(whose), dtype=[("cost", float), ("who", PERSON)])
    made["cost"] = np.clip(rng.lognormal(8.2, 0.7, len(whose)), *_BOUNDS)
    made["cost"][rng.random(len(whose)) < blank] = np.nan
    made["who"][CODE], made["who"][KEY] = whose, whose.astype(np.uint64)
    return made


def _question(cap: int) -> Any:
    return ContributionBounded(Query(Mean(_BOUNDS), ("cost",)), "who", cap)


def _between(guesses: Guesses, cap: int, epsilon: float, rng: np.random.Generator) -> tuple[Any, float, float]:
    """The law of the noise, and the least and the largest ± that are foretold, by made-up people alone."""
    asked = _question(cap)
    oracle: Any = with_rows_as(None, {"cost": Uniform(*_BOUNDS)}, "who", guesses.rows)
    proved = asked.global_sensitivity(L1, _PEOPLE, Adjacency.REPLACE_ONE_USER)
    law = LaplaceMechanism().law(asked, proved.value, PureDP(epsilon))
    may_be = foretold(asked, oracle, guesses)
    made_up = asked(oracle.draw(1, _PEOPLE, rng=rng)[0])
    low, high = Ratio(("mean",), "€", _BOUNDS).predicted_margins(law, made_up, 0.95, least=may_be.least, most=may_be.most)
    return law, low, high


@pytest.mark.parametrize(("shape", "mean", "blank", "off"), _TABLES)
@pytest.mark.parametrize("epsilon", [0.5, 2.0])
def test_what_is_released_lies_in_the_range_that_was_foretold(
    shape: str, mean: float, blank: float, off: float, epsilon: float
) -> None:
    """With a guess of rows that is off by up to 1.5, within 10 % of it; and the range is at most twice as wide as its low end."""
    rng = np.random.default_rng(29)
    table = _table(shape, mean, blank, rng)
    guesses = Guesses(max(1.0, len(table) / _PEOPLE * off), 1 - blank)
    law, low, high = _between(guesses, guesses.cap, epsilon, rng)
    exact, answer = _question(guesses.cap)(table), Ratio(("mean",), "€", _BOUNDS)
    released = [answer.within(law, one, 0.95) for one in law.simulate(exact, size=20, rng=rng)]
    assert high - low <= 2 * low
    assert all(low / 1.1 <= near <= 1.1 * high for near in released)


@pytest.mark.parametrize("mean", [1.1, 3.0, 12.0])
@pytest.mark.parametrize("blank", [0.0, 0.6])
def test_without_guesses_the_range_is_wide_and_holds_all_the_same(mean: float, blank: float) -> None:
    rng = np.random.default_rng(30)
    exact = _question(3)(_table("geometric", mean, blank, rng))
    law, low, high = _between(Guesses(), 3, 2.0, rng)
    near = Ratio(("mean",), "€", _BOUNDS).within(law, exact, 0.95)
    assert low / 1.1 <= near <= 1.1 * high


@pytest.mark.parametrize(("mean", "cap", "known"), [(1.0, 1, 1.0), (1.5, 2, 1.0), (4.0, 3, 0.4), (12.0, 20, 0.7)])
def test_rows_that_count_are_those_of_simulated_people(mean: float, cap: int, known: float) -> None:
    rng = np.random.default_rng(31)
    there = rng.binomial(rng.geometric(1 / mean, 400_000), known)
    counted = np.minimum(there, cap)
    assert abs(counted_rows(mean, cap, known) - counted.mean()) <= 5 * counted.std() / math.sqrt(len(there)) + 1e-12


@pytest.mark.parametrize("rows", [1.0, 1.5, 3.0, 40.0])
def test_the_oracle_makes_up_people_with_as_many_rows_as_guessed(rows: float) -> None:
    oracle: Any = with_rows_as(None, {"x": Uniform(0.0, 1.0)}, "who", rows)
    drawn = oracle.draw(1, 100_000, rng=np.random.default_rng(32))
    assert abs(drawn.shape[1] / 100_000 / rows - 1) < 0.02
    assert Guesses(rows).cap == round(rows)


@pytest.mark.parametrize(
    "bad", [{"rows": 0.5}, {"rows": math.nan}, {"rows": True}, {"rows": "3"}, {"known": 0.0}, {"known": 1.2}]
)
def test_a_guess_that_cannot_be_is_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(InvalidValueError):
        Guesses(**bad)
