"""Guarantees in sentences, and numbers for people."""

from __future__ import annotations

import math

import pytest

from dpcore import words
from dpcore.privacy import Adjacency, ApproxDP, PureDP, RandomDP


@pytest.mark.parametrize("delta", [0.0, 1e-6])
@pytest.mark.parametrize("confidence", [None, 0.95])
@pytest.mark.parametrize("adjacency", list(Adjacency))
def test_random_dp_is_never_called_differential_privacy_without_weaker_than(
    delta: float, confidence: float | None, adjacency: Adjacency
) -> None:
    said = words.sentence(RandomDP(1.0, delta, 0.05, confidence), adjacency)
    assert "weaker than differential privacy" in said
    rest = said.replace("random DP is weaker than differential privacy", "")
    assert "differential privacy" not in rest
    assert "pure DP" not in rest
    assert "approximate DP" not in rest


@pytest.mark.parametrize("guarantee", [PureDP(1.0), ApproxDP(1.0, 1e-6)])
def test_dp_proper_speaks_of_every_table_and_of_no_draws(guarantee: PureDP | ApproxDP) -> None:
    said = words.sentence(guarantee)
    assert "whatever the table" in said
    assert "random" not in said
    assert "oracle" not in said


def test_pure_dp_reads_so() -> None:
    assert words.sentence(PureDP(1.0)) == (
        "Pure DP, ε = 1: whatever the table, replacing one record changes the probability of any set of responses by at most "
        "a factor of exp(ε) = 2.72."
    )


def test_random_dp_with_a_confidence_reads_so() -> None:
    assert words.sentence(RandomDP(0.5, 0.0, 0.01, 0.9), Adjacency.ADD_OR_REMOVE_ONE_USER) == (
        "Random DP, ε = 0.5, γ = 0.01, confidence 0.9: adding or removing one user changes the probability of any set of "
        "responses by at most a factor of exp(ε) = 1.65 with confidence 90 % over the sampler's draws, on at least 99 % of "
        "random pairs of tables from the oracle. On the other pairs, up to 1 %, which are those with unusual records, nothing is "
        "promised: random DP is weaker than differential privacy."
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (0.0123456, "0.0123"),
        (1234.5, "1,230"),
        (999.9, "1,000"),
        (1.23e-7, "1.23e-07"),
        (123456.0, "123,000"),
        (2.5e7, "2.5e+07"),
        (-0.5, "-0.5"),
        (math.inf, "∞"),
        (math.nan, "not a number"),
    ],
)
def test_numbers_have_three_digits(value: float, said: str) -> None:
    assert words.figure(value) == said


@pytest.mark.parametrize(
    ("share", "said"),
    [(0.05, "5 %"), (0.001, "0.1 %"), (0.9995, "over 99.9 %"), (1.0, "100 %"), (0.9994, "99.9 %"), (0.0126, "1.26 %")],
)
def test_shares_are_percentages(share: float, said: str) -> None:
    assert words.percent(share) == said


def test_a_huge_epsilon_promises_nothing_and_does_not_overflow() -> None:
    assert "exp(ε) = ∞" in words.sentence(PureDP(1e4))
