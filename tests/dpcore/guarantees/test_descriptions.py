"""Guarantees in sentences, and numbers for people."""

from __future__ import annotations

import math

import pytest

from dpcore.guarantees import descriptions
from dpcore.guarantees.privacy import Adjacency, ApproxDP, Guarantee, PureDP, RandomDP, Unit


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("confidence", [None, 0.95])
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_random_dp_is_never_called_differential_privacy_without_weaker_than(
    delta: float, confidence: float | None, adjacency: Adjacency
) -> None:
    said = descriptions.sentence(RandomDP(1.0, delta, 0.05, confidence), adjacency)
    assert "weaker than differential privacy" in said
    rest = said.replace("random DP is weaker than differential privacy", "")
    assert "differential privacy" not in rest
    assert "pure DP" not in rest
    assert "approximate DP" not in rest


@pytest.mark.parametrize("guarantee", [PureDP(1.0), ApproxDP(1.0, 1e-6)])
def test_dp_proper_speaks_of_every_table_and_of_no_draws(guarantee: PureDP | ApproxDP) -> None:
    said = descriptions.sentence(guarantee)
    assert "whatever the table" in said
    assert "random" not in said
    assert "oracle" not in said


def test_pure_dp_reads_so() -> None:
    assert descriptions.sentence(PureDP(1.0)) == (
        "Pure DP, ε = 1: whatever the table, replacing one row changes the probability of any set of answers by at most "
        "a factor of exp(ε) = 2.72."
    )


def test_random_dp_with_a_confidence_reads_so() -> None:
    assert descriptions.sentence(RandomDP(0.5, 0.0, 0.01, 0.9), Adjacency.ADD_OR_REMOVE_ONE_USER) == (
        "Random DP, ε = 0.5, γ = 0.01, confidence 0.9: adding or removing one person, with all rows of that person, "
        "changes the probability of any set of "
        "answers by at most a factor of exp(ε) = 1.65 with confidence 90 % over the sampler's draws, on at least 99 % of "
        "random pairs of tables from the oracle. Of random changes like these, drawn from the oracle, up to 1 in 100 is not "
        "protected: those that involve unusual people. This is no count of people: in the table itself it can be nobody, or "
        "more. Differential privacy leaves no change out. So random DP is weaker than differential privacy."
    )


def test_random_dp_on_average_over_the_draws_reads_so() -> None:
    assert descriptions.sentence(RandomDP(1.0, 1e-6, 0.03)) == (
        "Random DP, ε = 1, δ = 1e-06, γ = 0.03: replacing one row changes the probability of any set of answers by at most "
        "a factor of exp(ε) = 2.72, plus δ = 1e-06, with probability at least 97 %, over a random pair of tables from the oracle "
        "and over the sampler's draws. Of random changes like these, drawn from the oracle, up to 3 % is not protected: those "
        "that involve unusual rows. This share is an average over the draws, and one run can leave out more. It is no count "
        "of people: in the table itself it can be nobody, or more. Differential privacy leaves no change out. "
        "So random DP is weaker than differential privacy."
    )


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
def test_a_share_is_rounded_to_where_it_promises_less(gamma: float, left_out: str, kept: str) -> None:
    guarantee = RandomDP(1.0, 0.0, gamma, 0.95)
    assert f"{left_out} is not protected" in descriptions.sentence(guarantee)
    assert f"{kept} of random pairs" in descriptions.sentence(guarantee)


@pytest.mark.parametrize(("confidence", "said"), [(0.9, "90 %"), (0.99455, "99.455 %"), (0.98996, "98.99 %")])
def test_a_confidence_is_never_rounded_up(confidence: float, said: str) -> None:
    assert f"with confidence {said} over the sampler's draws" in descriptions.sentence(RandomDP(1.0, 0.0, 0.05, confidence))


_GUARANTEES = [PureDP(1.0), ApproxDP(1.0, 1e-6), RandomDP(1.0, 0.0, 0.05), RandomDP(1.0, 0.0, 0.05, 0.95)]


@pytest.mark.parametrize("guarantee", _GUARANTEES, ids=descriptions.name)
def test_the_sentence_names_the_unit_where_one_is_given(guarantee: Guarantee) -> None:
    change = "changes the probability of any set of answers by at most a factor of exp(ε)"
    assert f"replacing one row {change}" in descriptions.sentence(guarantee)
    assert f"replacing one row {change}" in descriptions.sentence(guarantee, unit=Unit())
    assert f"replacing one stay (one row) {change}" in descriptions.sentence(guarantee, unit=Unit("stay", several=True))
    by_user = descriptions.sentence(guarantee, Adjacency.REPLACE_ONE_USER, Unit("stay", several=True))
    assert f"replacing one person, with all rows of that person, {change}" in by_user


def test_what_is_protected_where_one_person_can_have_several_rows() -> None:
    stay = Unit("stay", several=True)
    assert descriptions.protects(stay, PureDP(1.0)) == (
        "One stay (one row) is protected, not one person. A person with several rows is less protected: with k of them, at up to "
        "k times ε."
    )
    assert descriptions.protects(stay, ApproxDP(1.0, 1e-6)) == (
        "One stay (one row) is protected, not one person. A person with several rows is less protected: with k of them, at up to "
        "k times ε, and at up to k·exp((k − 1)ε) times δ."
    )
    assert descriptions.protects(stay, RandomDP(1.0, 0.0, 0.05)) == (
        "One stay (one row) is protected, not one person. Nothing is promised for all rows of one person together. "
        "Random DP leaves up to 1 in 20 of changes of a row, drawn from the oracle, unprotected on average. "
        "That is no count of people."
    )
    assert descriptions.protects(Unit(several=True), PureDP(1.0)).startswith("One row is protected, not one person. ")
    assert descriptions.protects(Unit("MRI scan", several=True), PureDP(1.0)).startswith("One MRI scan (one row) is protected")


@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_what_is_said_of_k_rows_holds_and_a_tenth_less_would_not(rows: int) -> None:
    """k changes of one row, each at P = exp(ε)·P' + δ, the most that is allowed."""
    epsilon, delta, other = 0.01, 1e-3, 1e-6
    most = other
    for _ in range(rows):
        most = math.exp(epsilon) * most + delta
    said = rows * math.exp((rows - 1) * epsilon) * delta
    assert most <= math.exp(rows * epsilon) * other + said * (1 + 1e-12)
    assert most > math.exp(rows * epsilon) * other + 0.9 * said


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
    assert descriptions.guess(guarantee) == f"at most {times} times in 100"


@pytest.mark.parametrize("epsilon", [0.1, 1.0, 2.5])
@pytest.mark.parametrize("delta", [0.0, 0.1])
def test_no_guess_is_right_more_often_than_is_said_and_one_is_right_as_often(epsilon: float, delta: float) -> None:
    """The two laws that give most away under (ε, δ): with probability δ the record is told, else its side by odds of e^ε to 1."""
    odds = math.exp(epsilon) / (1 + math.exp(epsilon))
    here = (delta, (1 - delta) * odds, (1 - delta) * (1 - odds), 0.0)
    there = here[::-1]
    best = sum(max(pair) for pair in zip(here, there, strict=True)) / 2
    said = int(descriptions.guess(ApproxDP(epsilon, delta) if delta else PureDP(epsilon)).split()[2])
    assert said - 1 < 100 * best <= said


def test_a_huge_epsilon_promises_nothing_and_does_not_overflow() -> None:
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
