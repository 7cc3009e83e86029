"""Errors, targets and oracles in words: no code, no program's values, and the values that a person needs."""

from __future__ import annotations

import ast
import dataclasses
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dpcore import curves, errors, oracles, targets
from dpcore.base.norms import NORMS, RANGE
from dpcore.errors import (
    BudgetExceededError,
    DatabaseMismatchError,
    DpcoreError,
    GammaOutOfReachError,
    InfiniteSensitivityError,
    InvalidValueError,
    NoiseSwallowedError,
    ReleaseFailedError,
    SampledLaterError,
    TableError,
    UnknownKindError,
    ZeroSensitivityError,
)
from dpcore.guarantees.privacy import PureDP, RandomDP
from dpcore.sampling.draws import Draws, EngineLostError, Remedy
from pages.experiment.scenario import TableCopula, TableRecords
from pages.files.tables import Column
from pages.wording.sentences import SENTENCES, oracle_words, plain, setting_words, target_words
from tests.contracts.members import members
from tests.pages.prose import refuse_code

ROOT = Path(__file__).parents[2]
KINDS = [
    kind for _, kind in inspect.getmembers(errors, inspect.isclass) if issubclass(kind, DpcoreError) and kind is not DpcoreError
]
DRAWS = Draws(np.array([1.0, np.inf]), 9)
VALUES: dict[str, tuple[Any, ...]] = {
    "str": ("epsilon", "one thing more"),
    "int": (1, 1_305),
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
    "dict[str, int]": ({"ValueError: f(x)=None": 3},),
    "tuple[str, ...]": (("Mean", "LinearSVM"),),
    "Draws": (DRAWS,),
}
NAMED: dict[tuple[str, str], tuple[Any, ...]] = {
    ("*", "bound"): ("TIME_UNIFORM",),
    ("*", "mechanism"): ("Exponential", "Laplace"),
    ("TableError", "problem"): ("The file is broken.",),
    ("TableError", "remedy"): ("Save it again.",),
    ("ReleaseFailedError", "why"): ("raised ValueError", "gave 3 scores for 4 candidates"),
    ("NormMismatchError", "expected"): ("LINF",),
    ("NormMismatchError", "got"): ("RANGE",),
    ("GuaranteeMismatchError", "expected"): ("PureDP", "random DP, for its sensitivity is sampled"),
}
COLUMNS = (Column("income", "Income", "€"), Column("age"))


def _built(kind: type[DpcoreError]) -> Iterator[DpcoreError]:
    values = {
        field.name: NAMED.get((kind.__name__, field.name))
        or NAMED.get(("*", field.name))
        or VALUES.get(str(field.type), VALUES["object"])
        for field in dataclasses.fields(kind)
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


def test_every_error_of_the_project_has_its_sentence() -> None:
    """Those that the app words itself, and none is left to its programmers' words."""
    import_module("pages.server.cluster")
    kinds, left = [DpcoreError], set[str]()
    while kinds:
        kind = kinds.pop()
        kinds += kind.__subclasses__()
        if kind.__module__.partition(".")[0] in ("dpcore", "pages") and not any(one in SENTENCES for one in kind.__mro__):
            left.add(kind.__name__)
    assert left == {"DpcoreError", "NotDrawnError"}  # which no person sees


def _said(call: ast.Call, module: ast.Module) -> Iterator[str]:
    """What of a message stands in the code: texts of its arguments, and of the names in them."""
    names = {node.id for part in call.args for node in ast.walk(part) if isinstance(node, ast.Name)}
    assigned = [
        node.value
        for node in ast.walk(module)
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id in names & WORDED for to in node.targets)
    ]
    for part in (*call.args[call.func.id == "InvalidValueError" :], *assigned):  # type: ignore[attr-defined]
        spoken = [node for node in ast.walk(part) if isinstance(node, (ast.JoinedStr, ast.Constant))]
        within = [node for node in ast.walk(part) if isinstance(node, (ast.JoinedStr, ast.Subscript))]
        inner = {id(child) for node in within for child in ast.walk(node) if child is not node}
        for node in spoken:
            if isinstance(node, ast.JoinedStr):
                yield "".join(str(piece.value) if isinstance(piece, ast.Constant) else "3" for piece in node.values)
            elif isinstance(node.value, str) and id(node) not in inner:
                yield node.value


SAID_AS_WRITTEN = ("InvalidValueError", "TableError", "ReleaseFailedError")
WORDED = {"expected", "problem", "remedy", "asked", "rules", "_REMEDY", "_MEND", "_SHORT", "_SMALLER", "_TOTAL", "_SAYS", "again"}


@pytest.mark.slow
def test_no_message_in_the_code_needs_to_be_put_into_plain_words() -> None:
    """What people read is what was written: refusals of every file, and why a release failed."""
    found = 0
    for path in [*(ROOT / "dpcore").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]:
        module = ast.parse(path.read_text(encoding="utf-8"))
        for call in ast.walk(module):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in (
                "InvalidValueError",
                "TableError",
                "ReleaseFailedError",
            ):
                for said in _said(call, module):
                    refuse_code(said)
                    found += 1
    assert found > 500


def test_a_sentence_about_a_file_keeps_its_own_words() -> None:
    error = TableError("The header names “a_b” more than once.", "Choose it under Use, on the page Release.")
    assert plain(error) == "The header names “a_b” more than once. Choose it under Use, on the page Release."


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (InvalidValueError("q", "from 0 to 1", 7.0), "The quantile must be from 0 to 1, but 7 was given."),
        (
            InvalidValueError("bounds", "two numbers, the lower one first", (3, 1)),
            "The public bounds must be two numbers, the lower one first, but “3, 1” was given.",
        ),
        (
            InvalidValueError("m", "a whole number of at least 1", 199.0),
            "The number of trials must be a whole number of at least 1, but “199.0” was given.",
        ),
        (
            InvalidValueError("m", "a whole number of at least 1", True),
            "The number of trials must be a whole number of at least 1, but “true” was given.",
        ),
        (
            InvalidValueError("rate", "a number above 0", None),
            "The rate must be a number above 0, but nothing was given.",
        ),
        (
            InvalidValueError("confidence", "left out under the rank bound", 0.9),
            "The confidence must be left out under the rank bound, but 0.9 was given.",
        ),
        (
            InvalidValueError("epsilon", "a number from 0.01 to 20", "x_1"),
            "ε must be a number from 0.01 to 20, but “x_1” was given.",
        ),
        (
            InvalidValueError("selection", "“gumbel” or “permute-and-flip”", "best"),
            "The way of choosing must be “gumbel” or “permute-and-flip”, but “best” was given.",
        ),
        (
            InvalidValueError("mechanism", "Bernstein for a curve, and for nothing else", "Laplace"),
            "The mechanism must be Bernstein for a curve, and for nothing else, but Laplace was given.",
        ),
        (
            GammaOutOfReachError(1, 0.05, "RANK", 0.5, 19),
            "One trial supports no γ below 0.5 under the rank bound, and 0.05 was asked for. "
            "Take at least 19 trials, or a larger γ.",
        ),
        (
            UnknownKindError("target", "Median", ("LinearSVM", "Mean")),
            "“Median” is no target that this app has. It has: Linear SVM, Mean.",
        ),
        (
            UnknownKindError("field of Mean", "strange", ("bounds",)),
            "“strange” is no setting of the mean. It has: public bounds.",
        ),
        (UnknownKindError("field of Names", "strange", ()), "“strange” is no setting of the names. It has none."),
        (
            DatabaseMismatchError("a number of rows of", 500, 499),
            "The sensitivity is for tables of 500 rows, and this one has 499. Sample the sensitivity again for this table.",
        ),
        (
            BudgetExceededError(PureDP(1.0), PureDP(1.4), "ε"),
            "The budget is pure DP, ε = 1, and with this release pure DP, ε = 1.4 would be spent, more ε than there is. "
            "Nothing was added. Ask for less, or raise the budget.",
        ),
        (
            SampledLaterError("an answer about this table"),
            "Noise that is sized by trials has no guarantee after an answer about this table, which may have led to this "
            "question. Take the worst case if one is proved, or blocks. For another table, ask all such questions in one list.",
        ),
        (
            BudgetExceededError(PureDP(1.0), PureDP(1.4)),
            "The budget is pure DP, ε = 1, and with this release pure DP, ε = 1.4 would be spent. Nothing was added. "
            "Ask for less, or raise the budget.",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_sentence_says_what_was_expected_what_came_and_what_to_do(error: DpcoreError, words: str) -> None:
    assert plain(error) == words


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ZeroSensitivityError(0.0, 1e-15), ("would publish the exact answer", "is 0", "Take a smaller γ")),
        (InfiniteSensitivityError(199, 199, 190, {"KeyError: 'x'": 199}), ("failed on 199 of 199 trials", "a larger γ")),
        (ReleaseFailedError("raised ZeroDivisionError"), ("charged in full", "could not be computed")),
        (ReleaseFailedError("gave no finite answer"), ("charged in full", "gave no finite answer")),
        (NoiseSwallowedError(0.5), ("charged in full", "0.5")),
        (EngineLostError(DRAWS, "KilledWorker", "out of memory", Remedy.MEMORY), ("2 of 2 trials", "memory")),
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
        (targets.Proportion(category=1.0), "the proportion of Income, category 1"),
        (targets.Proportion(interval=(0, 20)), "the proportion of Income, between 0 and 20"),
        (targets.LetterCounts(longest=9), "the letter counts of Income, letters a to z, at most 9 letters of a row"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_target_of_one_column_in_words(target: Any, words: str) -> None:
    assert target_words(target, COLUMNS[:1]) == words


def test_a_target_of_several_columns_in_words() -> None:
    assert target_words(targets.Mean(((0, 40), (0, 120))), COLUMNS) == (
        "the mean of Income and age, Income between 0 and 40, age between 0 and 120"
    )
    assert target_words(targets.LinearSVM(((0, 40),)), COLUMNS) == (
        "the linear SVM of Income and age, Income between 0 and 40, cost of errors 3"
    )
    assert target_words(targets.OnLattice(curves.PriestleyChao(0.2, (0, 40)), 25), COLUMNS) == (
        "the kernel regression of Income and age, bandwidth 0.2, Income between 0 and 40, degree 25"
    )


@pytest.mark.parametrize(
    ("oracle", "words"),
    [
        (oracles.Exponential(2.0), "exponential, rate 2"),
        (oracles.Exponential(2.0, (0, 4)), "exponential, rate 2, between 0 and 4"),
        (oracles.Bernoulli(0.5), "Bernoulli, share of ones 0.5"),
        (oracles.Names(), "names"),
        (TableRecords(), "rows of this table"),
        (TableCopula(), "copula of this table"),
        (
            oracles.Mixture((oracles.Uniform(0, 1), oracles.Uniform(2, 3)), (0.25, 0.75)),
            "a mixture: 25 % uniform, lowest 0, highest 1; 75 % uniform, lowest 2, highest 3",
        ),
        (oracles.Copula(np.zeros((1_500, 2))), "Gaussian copula, from 1,500 public rows"),
        (oracles.Resample(np.zeros(1_500)), "rows drawn again, from 1,500 public rows"),
        (
            oracles.Product((oracles.Uniform(0, 1), oracles.Bernoulli(0.5))),
            "independent columns: uniform, lowest 0, highest 1; and Bernoulli, share of ones 0.5",
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_an_oracle_in_words(oracle: Any, words: str) -> None:
    assert oracle_words(oracle) == words


MEMBERS = [*members("targets"), *members("oracles")]


def test_no_member_of_the_catalogue_shows_code_and_no_two_read_alike() -> None:
    assert len(MEMBERS) > 60
    seen: dict[str, Any] = {}
    for member in MEMBERS:
        known = callable(member)
        said = target_words(member, COLUMNS) if known else oracle_words(member)
        refuse_code(said)
        assert not {"=", "("} & set(re.sub("“[^”]*”", "", said))  # what a person wrote is quoted as it is
        assert said not in seen or not known, (said, member, seen[said])
        seen[said] = member


def test_what_is_not_of_the_catalogue_is_named_without_code() -> None:
    assert target_words(lambda database: database[:1], COLUMNS[:1]) == "a function of its own of Income"
    assert oracle_words(TestOracle()) == "an oracle of its own"


class TestOracle:
    """No dataclass."""

    __test__ = False


def test_a_norm_and_one_that_there_is_not_are_said_without_code() -> None:
    assert setting_words("norm", RANGE, COLUMNS) == "the norm range"
    said = plain(UnknownKindError("norm", "RANGE_2", tuple(NORMS)))
    assert said == "“RANGE_2” is no norm that this app has. It has: L1, L2, L∞, range."
