"""Errors, targets and oracles in words: no code, no program's values, and the values that a person needs."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from dpcore import errors, oracles, targets
from dpcore.base.types import as_target
from dpcore.errors import (
    DpcoreError,
    InfiniteSensitivityError,
    NoiseUnderflowError,
    ReleaseFailedError,
    ZeroSensitivityError,
)
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.sampling.draws import Draws
from pages.experiment.descriptions import oracle_words, target_words
from pages.experiment.error_sentences import plain
from pages.experiment.scenario import TableCopula, TableRecords
from pages.files.tables import Column
from tests.contracts.members import members
from tests.pages.prose import refuse_code

ONLY_IN_CODE = (  # errors that no setting of the app can cause
    errors.BudgetExceededError,
    errors.DatabaseMismatchError,
    errors.ExploredPointError,
    errors.GuaranteeMismatchError,
    errors.MethodMismatchError,
    errors.NormMismatchError,
    errors.NotCertifiedError,
)
KINDS = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, DpcoreError) and kind not in (DpcoreError, *ONLY_IN_CODE)
]
DRAWS = Draws(np.array([1.0, np.inf]), 9)
VALUES: dict[str, tuple[Any, ...]] = {
    "str": ("epsilon", "one thing more"),
    "int": (1, 1_305),
    "int | None": (None, 2),
    "float": (0.0625, 1e-300, 3.0),
    "object": (
        None,
        True,
        (3, 1),
        ("a", "b"),
        [1.0, None],
        {"kind": "Mean"},
        "['x']",
        float("nan"),
        targets.Mean((0, 1)),
        np.zeros(3),
        len,
        10**5000,
        PureDP(1.0),
        RandomDP(1.0, 0.0, 0.05),
    ),
    "dict[str, int]": ({"raised ValueError": 3},),
    "tuple[str, ...]": (("Mean", "LinearSVM"),),
    "Draws": (DRAWS,),
}
NAMED: dict[tuple[str, str], tuple[Any, ...]] = {
    ("*", "bound"): ("TIME_UNIFORM",),
    ("*", "mechanism"): ("Exponential", "Laplace"),
    ("TableError", "problem"): ("The file is broken.",),
    ("TableError", "remedy"): ("Save it again.",),
    ("ReleaseFailedError", "why"): ("raised ValueError", "gave 3 scores for 4 candidates"),
}
COLUMNS = (Column("income", "Income", "€"), Column("age"))


def _built(kind: type[DpcoreError]) -> Iterator[DpcoreError]:
    values = {
        name: NAMED.get((kind.__name__, name)) or NAMED.get(("*", name)) or VALUES.get(str(argument.annotation), VALUES["object"])
        for name, argument in inspect.signature(kind).parameters.items()
    }
    for i in range(max(map(len, values.values()))):
        yield kind(**{name: known[i % len(known)] for name, known in values.items()})


@pytest.mark.parametrize("kind", KINDS)
def test_every_error_is_a_sentence_without_code(kind: type[DpcoreError]) -> None:
    for error in _built(kind):
        said = plain(error)
        refuse_code(said)
        assert said.endswith(".")
        assert said[0] in "εγδρ" or said[0] == said[0].upper()
        assert 10 < len(said) < 400


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroSensitivityError(0.0, 1e-15), ("would publish the exact answer", "is 0", "Take a smaller γ")),
        (InfiniteSensitivityError(199, 199, 190, {"raised KeyError": 199}), ("failed on 199 of 199 sampled pairs", "a larger γ")),
        (ReleaseFailedError("raised ZeroDivisionError"), ("charged in full", "could not be computed")),
        (ReleaseFailedError("gave no finite answer"), ("charged in full", "gave no finite answer")),
        (NoiseUnderflowError(0.5), ("charged in full", "0.5")),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_sentence_keeps_its_numbers_and_its_advice(error: DpcoreError, words: tuple[str, ...]) -> None:
    assert all(part in plain(error) for part in words), plain(error)


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (targets.Mean(), "the mean of Income"),
        (targets.Mean((0, 40)), "the mean of Income, between 0 and 40"),
        (targets.Quantile(0.9, (0, 40)), "the quantile 0.9 of Income, between 0 and 40"),
        (targets.Variance((0, 1e6), 1), "the variance of Income, between 0 and 1,000,000, divided by n − 1"),
        (targets.Histogram(edges=(0, 5, 10)), "the histogram of Income, bin edges 0, 5, 10"),
        (targets.Histogram(categories=("x", "y_1")), "the histogram of Income, categories “x”, “y_1”"),
        (targets.Proportion(category=1.0), "the share of Income, category 1"),
        (targets.Proportion(interval=(0, 20)), "the share of Income, between 0 and 20"),
        (targets.LetterCounts(longest=9), "the letter counts of Income, letters “abcdefghijklmnopqrstuvwxyz”, longest row 9"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_target_of_one_column_in_words(target: Any, words: str) -> None:
    assert target_words(target, COLUMNS[:1]) == words


@pytest.mark.parametrize(
    ("oracle", "words"),
    [
        (oracles.Exponential(2.0), "exponential, rate 2"),
        (oracles.Exponential(2.0, (0, 4)), "exponential, rate 2, between 0 and 4"),
        (oracles.Bernoulli(0.5), "Bernoulli, share of ones 0.5"),
        (oracles.Names(), "names"),
        (TableRecords(), "rows of the table itself"),
        (TableCopula(), "a Gaussian copula of the table itself"),
        (
            oracles.Mixture((oracles.Uniform(0, 1), oracles.Uniform(2, 3)), (0.25, 0.75)),
            "a mixture: 25 % uniform, lowest 0, highest 1; 75 % uniform, lowest 2, highest 3",
        ),
        (oracles.Copula(np.zeros((1_500, 2))), "Gaussian copula, from 1,500 public rows"),
        (oracles.Resample(np.zeros(1_500)), "rows drawn again, from 1,500 public rows"),
        (
            oracles.IndependentColumns((oracles.Uniform(0, 1), oracles.Bernoulli(0.5))),
            "independent columns: uniform, lowest 0, highest 1; and Bernoulli, share of ones 0.5",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_oracle_in_words(oracle: Any, words: str) -> None:
    assert oracle_words(oracle) == words


MEMBERS = [*members("targets"), *members("oracles")]


def test_members_in_words_differ_and_show_no_code() -> None:
    assert len(MEMBERS) > 60
    seen: dict[str, Any] = {}
    for member in MEMBERS:
        known = callable(member)
        said = target_words(member, COLUMNS) if known else oracle_words(member)
        refuse_code(said)
        assert not {"=", "("} & set(re.sub("“[^”]*”", "", said))  # what a person wrote is quoted as it is
        assert said not in seen or not known, (said, member, seen[said])
        seen[said] = member


def test_custom_members_are_named_without_code() -> None:
    assert target_words(as_target(lambda database: database[:1]), COLUMNS[:1]) == "a custom function of Income"
    assert oracle_words(TestOracle()) == "a custom oracle"


class TestOracle:
    """No dataclass."""

    __test__ = False
