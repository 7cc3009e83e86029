"""Guarantees in sentences: no claim is too strong, and every number is rounded to where it promises less."""

from __future__ import annotations

import math

import pytest

from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP, Unit


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("confidence", [None, 0.95])
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_sentence_calls_random_dp_weaker(delta: float, confidence: float | None, adjacency: Adjacency) -> None:
    said = descriptions.sentence(RandomDP(1.0, delta, 0.05, confidence), adjacency)
    assert "weaker than differential privacy" in said
    rest = said.replace("random DP is weaker than differential privacy", "")
    assert "differential privacy" not in rest
    assert "pure DP" not in rest
    assert "approximate DP" not in rest


@pytest.mark.parametrize("guarantee", [PureDP(1.0), ApproxDP(1.0, 1e-6)])
def test_sentence_of_dp_names_no_oracle(guarantee: PureDP | ApproxDP) -> None:
    said = descriptions.sentence(guarantee)
    assert "whatever the table" in said
    assert "random" not in said
    assert "oracle" not in said


@pytest.mark.parametrize(
    ("gamma", "left_out", "kept"),
    [
        (0.05, "up to 1 in 20", "at least 95 %"),
        (0.5, "up to 1 in 2", "at least 50 %"),
        (0.07, "up to 7 %", "at least 93 %"),
        (0.00545, "up to 0.545 %", "at least 99.455 %"),  # 99.5 % would promise too much
        (0.0100401, "up to 1.01 %", "at least 98.99 %"),
        (1 / 2_999_999, "up to 0.0000334 %", "at least 99.9999666 %"),
        (0.99999, "up to 100 %", "at least 0 %"),
    ],
)
def test_sentence_rounds_shares_to_the_weaker_promise(gamma: float, left_out: str, kept: str) -> None:
    guarantee = RandomDP(1.0, 0.0, gamma, 0.95)
    assert f"{left_out} is not protected" in descriptions.sentence(guarantee)
    assert f"{kept} of random pairs" in descriptions.sentence(guarantee)


@pytest.mark.parametrize(("confidence", "said"), [(0.9, "90 %"), (0.99455, "99.455 %"), (0.98996, "98.99 %")])
def test_a_confidence_is_never_rounded_up(confidence: float, said: str) -> None:
    assert f"with confidence {said} over the sampler's draws" in descriptions.sentence(RandomDP(1.0, 0.0, 0.05, confidence))


_GUARANTEES = [PureDP(1.0), ApproxDP(1.0, 1e-6), RandomDP(1.0, 0.0, 0.05), RandomDP(1.0, 0.0, 0.05, 0.95)]


@pytest.mark.parametrize("guarantee", _GUARANTEES, ids=descriptions.name)
def test_sentence_names_a_given_unit(guarantee: Guarantee) -> None:
    change = "changes the probability of any set of answers by at most a factor of exp(ε)"
    assert f"replacing one row {change}" in descriptions.sentence(guarantee)
    assert f"replacing one row {change}" in descriptions.sentence(guarantee, unit=Unit())
    assert f"replacing one stay (one row) {change}" in descriptions.sentence(guarantee, unit=Unit("stay", several=True))
    by_user = descriptions.sentence(guarantee, Adjacency.REPLACE_ONE_USER, Unit("stay", several=True))
    assert f"replacing one person, with all rows of that person, {change}" in by_user


@pytest.mark.parametrize(
    ("guarantee", "said"),
    [
        (PureDP(1.0), "with k of them, at up to k times ε."),
        (ApproxDP(1.0, 1e-6), "at up to k times ε, and at up to k·exp((k − 1)ε) times δ."),
        (RandomDP(1.0, 0.0, 0.05), "Nothing is promised for all rows of one person together."),
    ],
)
def test_a_person_with_several_rows_is_not_protected(guarantee: Guarantee, said: str) -> None:
    protects = descriptions.protects(Unit("stay", several=True), guarantee)
    assert protects.startswith("One stay (one row) is protected, not one person.")
    assert said in protects
    assert ("leaves up to 1 in 20 of changes of a row" in protects) == isinstance(guarantee, RandomDP)


@pytest.mark.parametrize(
    ("guarantee", "times"),
    [
        (PureDP(1e-9), 51),
        (PureDP(1.0), 74),  # e/(1 + e) = 0.7311
        (RandomDP(1.0, 0.0, 0.05), 74),
        (ApproxDP(1.0, 1e-6), 74),
        (ApproxDP(1.0, 0.05), 75),  # 0.7311 + 0.05/(1 + e) = 0.7445
        (PureDP(math.log(3.0)), 75),
        (PureDP(5.0), 100),
        (PureDP(1e4), 100),
    ],
)
def test_a_guess_is_rounded_up(guarantee: Guarantee, times: int) -> None:
    assert descriptions.guess(guarantee) == f"at most {times}% of the time"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5])
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_guess_is_reached_and_never_exceeded(epsilon: float, delta: float) -> None:
    """The two laws that give most away under (ε, δ): with probability δ the record is told, else its side by odds of e^ε to 1."""
    odds = math.exp(epsilon) / (1 + math.exp(epsilon))
    here = (delta, (1 - delta) * odds, (1 - delta) * (1 - odds), 0.0)
    there = here[::-1]
    best = sum(max(pair) for pair in zip(here, there, strict=True)) / 2
    said = int(descriptions.guess(ApproxDP(epsilon, delta) if delta else PureDP(epsilon)).split()[2].rstrip("%"))
    assert said - 1 < 100 * best <= said


def test_sentence_of_huge_epsilon_does_not_overflow() -> None:
    assert "exp(ε) = ∞" in descriptions.sentence(PureDP(1e4))


def test_what_is_protected_where_records_are_people() -> None:
    for adjacency in (Adjacency.REPLACE_ONE_USER, Adjacency.ADD_OR_REMOVE_ONE_USER):
        said = descriptions.protects(Unit("visit", several=True), RandomDP(1.0, 0.0, 0.05), adjacency)
        assert said.startswith("One person is protected, with all rows of that person. ")
        assert "of changes of a person" in said
        assert "row is protected" not in said
        assert descriptions.unit_of(adjacency) == "a person"
        assert descriptions.counted_in(adjacency) == "people"
    assert descriptions.trial_of(Adjacency.ADD_OR_REMOVE_ONE_USER) == "one person left out"
    assert descriptions.guessed(Adjacency.ADD_OR_REMOVE_ONE_USER) == "whether somebody was in the table"
