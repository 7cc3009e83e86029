"""A list of questions without a page: one question as it is, several with one oracle, and the kinds of noise for all."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from dpcore import ExponentialMechanism, oracles, targets
from dpcore.errors import DpcoreError, InvalidValueError
from dpcore.guarantees.operating_points import exact
from pages import state
from pages.experiment import blocks
from pages.experiment.blocks import blocks_of
from pages.experiment.question_list import QuestionList
from pages.experiment.scenario import Noise, Scenario, TableRecords
from pages.experiment.tables import ours
from pages.exports.link import list_to_plain, saved_list
from pages.ledger.book import Book
from pages.ledger.press import of_list

LOANS = ours()["loan_defaults"]
BOUNDS = (0.0, 8.0)


def _asked(target: Any, **changes: Any) -> Scenario:
    return state.example().with_(target=target, n=len(LOANS), **changes)


_TARGETS = targets.Mean(BOUNDS), targets.Variance(BOUNDS), targets.Quantile(0.5, BOUNDS)
MEAN, VARIANCE, QUANTILE = map(_asked, _TARGETS)


def _list(*scenarios: Scenario) -> QuestionList:
    made = replace(QuestionList.of(scenarios[0]), questions=())
    for one in scenarios:
        made, _ = made.with_question(one, LOANS)
    return made


def test_list_of_one_is_its_scenario() -> None:
    assert QuestionList.of(MEAN).lines(LOANS) == (MEAN,)


def test_second_question_shares_oracle_and_epsilon() -> None:
    made, _ = QuestionList.of(MEAN).with_question(VARIANCE, LOANS)
    assert [one.oracle for one in made.questions] == [None, None]
    assert made.oracle is not None
    assert (made.total, made.shares) == (1.0, (0.5, 0.5))
    sampled = replace(made, noise=Noise.SAMPLED)
    asked = of_list("t", sampled, LOANS)
    assert [(one.ticket, one.number) for one in asked.lines] == [("t", 1), ("t", 2)]
    assert asked.lines[0].drawn_from is asked.lines[1].drawn_from
    assert sum(exact(one.scenario.gamma) for one in asked.lines) <= exact(0.05)


@pytest.mark.parametrize(
    ("scenarios", "may_sample", "kinds"),
    [
        ((MEAN,), True, [Noise.WORST_CASE, Noise.SAMPLED, Noise.BLOCKS]),
        ((MEAN,), False, [Noise.WORST_CASE, Noise.BLOCKS]),
        ((VARIANCE, QUANTILE), True, [Noise.WORST_CASE, Noise.SAMPLED, Noise.BLOCKS]),
        ((_asked(targets.Mean()),), True, [Noise.SAMPLED]),
        ((_asked(targets.Mean()),), False, [Noise.WORST_CASE]),  # which the ledger then refuses, by the question's name
    ],
)
def test_kinds_of_noise_begin_with_the_strongest(scenarios: tuple[Scenario, ...], may_sample: bool, kinds: list[Noise]) -> None:
    made = _list(*scenarios) if len(scenarios) > 1 else QuestionList.of(scenarios[0])
    assert made.kinds_of_noise(LOANS, may_sample=may_sample) == kinds


def test_blocks_are_for_each_question_that_has_them() -> None:
    (line,) = replace(QuestionList.of(QUANTILE), noise=Noise.BLOCKS).lines(LOANS)
    assert blocks_of(line) is not None
    assert isinstance(line.mechanism, ExponentialMechanism)
    assert replace(QuestionList.of(QUANTILE), noise=Noise.BLOCKS).is_proved(line)


def test_a_confidential_table_is_never_its_own_oracle() -> None:
    made = replace(_list(MEAN, VARIANCE), oracle=TableRecords(), noise=Noise.SAMPLED)
    with pytest.raises(InvalidValueError, match="a confidential table cannot be its own oracle"):
        _ = of_list("t", made, LOANS.declared(public=False)).lines[0].line


def test_equal_question_is_refused_and_removed_one_leaves_epsilon() -> None:
    made = _list(MEAN, VARIANCE)
    with pytest.raises(DpcoreError, match="question 3"):
        made.with_question(MEAN, LOANS)
    assert made.without(0).shares == (1.0,)
    assert made.without(0).without(0).questions == ()


def test_saved_list_keeps_questions_that_fit_the_table() -> None:
    given = list_to_plain(_list(MEAN, VARIANCE))
    gone = {**given["questions"][0], "target": {**given["questions"][0]["target"], "columns": ["gone"]}}
    made, said = saved_list({**given, "questions": [gone, given["questions"][1]]}, LOANS)
    assert made is not None
    assert [one.target for one in made.questions] == [_list(MEAN, VARIANCE).questions[1].target]
    assert [one.partition(" was left out")[0] for one in said] == ["Question 1 of the saved list"]
    for broken in (3, {"questions": [given["questions"][1]], "unknown": 1}):
        made, said = saved_list(broken, LOANS)
        assert made is None
        assert said[0].startswith("The saved list of questions was not opened.")


def test_sampled_questions_of_different_oracles_are_refused() -> None:
    first, second = QuestionList.of(MEAN), QuestionList.of(VARIANCE.with_(oracle=oracles.Exponential(2.0)))
    apart = replace(first, questions=(*first.questions, *second.questions), noise=Noise.SAMPLED)
    lines = [one.line for one in of_list("t", apart, LOANS).lines]
    assert "oracle" in Book().foresee(LOANS, lines)[1]
    together = [one.line for one in of_list("t", replace(_list(MEAN, VARIANCE), noise=Noise.SAMPLED), LOANS).lines]
    assert Book().foresee(LOANS, together)[1] == ""


def test_blocks_are_offered_without_simulating_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_cache", {})
    monkeypatch.setattr(blocks, "predict_block_error", lambda *_, **__: pytest.fail("it was simulated"))
    assert Noise.BLOCKS in QuestionList.of(MEAN).kinds_of_noise(LOANS, may_sample=True)
