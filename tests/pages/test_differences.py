"""What differs among scenarios, in words as short as tell them apart."""

from __future__ import annotations

from typing import Any

import pytest

from dpcore import Condition, oracles, targets
from dpcore.guarantees.privacy import Guarantee, PureDP, RandomDP
from dpcore.mechanisms.base import Mechanism
from pages import state
from pages.experiment.choices import first_mechanism
from pages.experiment.question import asked
from pages.experiment.scenario import Scenario
from pages.old.state.differences import differences

TABLES = state.catalog()
EXAMPLE = state.example()
BMI = EXAMPLE.with_(
    table="diabetes", columns=("bmi",), n=442, target=targets.Mean((10.0, 70.0)), oracle=oracles.Uniform(10.0, 70.0)
)

SUM = BMI.with_(target=targets.Sum((10.0, 70.0)))


def _asking(target: Any, one: Scenario = EXAMPLE, **more: Any) -> Scenario:
    mechanism: Mechanism[Any, Any] = first_mechanism(target)
    return one.with_(target=target, mechanism=mechanism, norm=mechanism.norm, **more)


def _asked(one: Scenario, *conditions: Condition) -> Scenario:
    return one.with_(**asked(one, TABLES[one.table], conditions))


SAID = {
    "ε": ([EXAMPLE.with_(epsilon=0.5), EXAMPLE.with_(epsilon=2.0)], "ε = 0.5 | ε = 2"),
    "of three": ([EXAMPLE, EXAMPLE.with_(epsilon=2.0), EXAMPLE.with_(epsilon=5.0)], "ε = 1 | ε = 2 | ε = 5"),
    "two settings": ([EXAMPLE, EXAMPLE.with_(m=1999, epsilon=2.0)], "m = 199, ε = 1 | m = 1,999, ε = 2"),
    "three": ([EXAMPLE, EXAMPLE.with_(m=999, gamma=0.1, epsilon=2.0)], "they differ in m, γ and ε"),
    "none": ([EXAMPLE, EXAMPLE], "nothing differs"),
    "kinds of targets": ([EXAMPLE, _asking(targets.Quantile(0.5, (0.0, 40.0)))], "mean | quantile"),
    "bounds": ([EXAMPLE, EXAMPLE.with_(target=targets.Mean((0.0, 40.0)))], "no public bounds | public bounds 0 to 40"),
    "oracles": ([EXAMPLE, EXAMPLE.with_(oracle=oracles.Uniform(0.0, 1.0))], "exponential | uniform"),
    "oracles of one kind": (
        [EXAMPLE, EXAMPLE.with_(oracle=oracles.Exponential(2.0))],
        "exponential, rate 1 | exponential, rate 2",
    ),
    "tables": ([EXAMPLE, BMI.with_(target=targets.Mean((10.0, 70.0)), oracle=EXAMPLE.oracle)], "Loan defaults | Diabetes"),
    "columns, whose bounds are theirs": (
        [BMI, BMI.with_(columns=("age",), target=targets.Mean((0.0, 120.0)))],
        "Body mass index | Age",
    ),
    "seeds": ([EXAMPLE, EXAMPLE.with_(seed=7)], "seed 1 | seed 7"),
    "conditions": ([SUM, _asked(SUM, Condition("age", interval=(20, 40)))], "they differ in target and oracle"),
}


@pytest.mark.parametrize("name", SAID)
def test_the_heading_says_what_differs(name: str) -> None:
    scenarios, heading = SAID[name]
    assert differences([(one, TABLES[one.table]) for one in scenarios]).heading == heading


RANDOM, PURE = RandomDP(1.0, 0.0, 0.5), PureDP(1.0)
HALF = EXAMPLE.with_(gamma=0.5)
PROMISED: dict[str, tuple[list[Scenario], tuple[Guarantee | None, ...], str, tuple[str, ...]]] = {
    "one kind": ([HALF, EXAMPLE], (RANDOM, RandomDP(1.0, 0.0, 0.05)), "γ = 0.5 | γ = 0.05", ("γ = 0.5", "γ = 0.05")),
    "γ of one": ([HALF, EXAMPLE], (RANDOM, PURE), "random DP, γ = 0.5 | pure DP", ("random DP, γ = 0.5", "pure DP")),
    "γ tells apart": (
        [HALF, EXAMPLE, EXAMPLE.with_(gamma=0.1)],
        (RANDOM, PURE, PURE),
        "random DP, γ = 0.5 | pure DP, γ = 0.05 | pure DP, γ = 0.1",
        ("random DP, γ = 0.5", "pure DP, γ = 0.05", "pure DP, γ = 0.1"),
    ),
    "no answer": ([HALF, EXAMPLE], (RANDOM, None), "γ = 0.5 | γ = 0.05", ("γ = 0.5", "γ = 0.05")),
    "many": (
        [EXAMPLE, EXAMPLE.with_(m=999, gamma=0.1, epsilon=2.0)],
        (PURE, RANDOM),
        "pure DP | random DP; they also differ in m, γ and ε",
        ("pure DP", "random DP"),
    ),
}


@pytest.mark.parametrize("name", PROMISED)
def test_guarantees_of_different_kinds_are_a_difference_of_their_own(name: str) -> None:
    scenarios, promised, heading, legends = PROMISED[name]
    said = differences([(one, TABLES[one.table]) for one in scenarios], promised)
    assert (said.heading, said.legends) == (heading, legends)
