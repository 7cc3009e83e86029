"""What scenarios side by side come to: one comparison where all promise the same of one question, and else none."""

from __future__ import annotations

import math
from typing import Any

import pytest
from pages.old.experiment.conclusion import GUARANTEE, NOTHING, ORACLE, PROTECTED, SIZE, Compared, conclusion

RANDOM = ((GUARANTEE, "random DP, γ = 0.05"), (PROTECTED, "one row changed"), (ORACLE, "Exponential"), (SIZE, "500"))
PURE = ((GUARANTEE, "pure DP"), (PROTECTED, "one row changed"))


def _one(label: str, off: float | None = 1.0, right: str = "70", **more: Any) -> Compared:
    given: dict[str, Any] = {"terms": RANDOM, "asks": "the mean", "where": "where protected"}
    return Compared(label=label, off=off, right=right, **(given | more))


def _said(*some: Compared, settings: tuple[str, ...] = ("ε",)) -> str:
    return conclusion(some, settings, " | ".join(one.label for one in some))


def test_what_epsilon_buys_and_what_it_costs_from_the_first_to_the_last() -> None:
    some = (_one("ε = 0.3", 0.0651, "57"), _one("ε = 1", 0.0195), _one("ε = 3", 0.00651, "89"))
    assert (
        _said(*some)
        == "From ε = 0.3 to 3 the answer is ten times as accurate; where protected, a guesser goes from 57 to 89 in 100"
    )


def test_a_bound_is_said_as_one_and_is_never_beside_an_exact_number() -> None:
    first, last = (_one(f"ε = {at}", right=right, bounded=True, where="") for at, right in ((1, "74"), (2, "89")))
    assert _said(first, last) == "From ε = 1 to 2 the answer is about as accurate; a guesser's limit goes from 74 to 89 in 100"
    assert "guesser" not in _said(first, _one("ε = 2", where=""))
    assert _said(_one("a"), _one("b")).endswith("a guesser stays at 70 in 100")
    assert "guesser" not in _said(_one("a"), _one("b", right=""))


DIFFERENT = {
    "kind": PURE,
    "gamma": ((GUARANTEE, "random DP, γ = 0.5"), *RANDOM[1:]),
    "confidence": ((GUARANTEE, "random DP, γ = 0.05, confidence 0.9"), *RANDOM[1:]),
    "neighbours": (RANDOM[0], (PROTECTED, "one person replaced"), *RANDOM[2:]),
    "oracle": (*RANDOM[:2], (ORACLE, "Uniform"), RANDOM[3]),
    "size": (*RANDOM[:3], (SIZE, "1,000")),
}


@pytest.mark.parametrize("other", DIFFERENT.values(), ids=list(DIFFERENT))
@pytest.mark.parametrize("place", [0, 1, 2])
def test_different_guarantees_are_never_in_one_sentence_with_a_comparison(other: Any, place: int) -> None:
    some = [_one("ε = 1", 10.0), _one("ε = 2", 5.0), _one("ε = 3", 1.0)]
    some[place] = _one(f"ε = {place + 1}", some[place].off, terms=other)
    said = _said(*some)
    assert said.startswith(f"The guarantees differ, {NOTHING}")
    assert not any(word in said for word in ("times", "twice", "accurate", "guesser", "wide", "From"))


def test_the_guarantees_are_named_and_so_is_what_else_differs() -> None:
    some = (_one("a", terms=PURE), _one("b", 0.1), _one("c", 0.2))
    assert _said(*some, settings=("γ", "ε")) == (f"The guarantees differ, {NOTHING}: pure DP | random DP, γ = 0.05 (ε differs)")
    people = (_one("a"), _one("b", terms=DIFFERENT["neighbours"]))
    assert _said(*people, settings=(PROTECTED, "m")) == f"The guarantees differ, {NOTHING} (who is protected and m differ)"


def test_answers_to_different_questions_are_not_compared() -> None:
    said = _said(_one("mean"), _one("median", 0.001, asks="the median"), settings=("target",))
    assert said == f"The questions differ, {NOTHING}: mean | median"


@pytest.mark.parametrize(
    ("off", "other"), [(None, 1.0), (1.0, None), (math.inf, 1.0), (1.0, math.inf), (0.0, 1.0), (1.0, 0.0), (math.nan, 1.0)]
)
def test_a_missing_or_infinite_width_or_none_at_all_gives_no_ratio(off: float | None, other: float | None) -> None:
    said = _said(_one("ε = 1", off), _one("ε = 2", other))
    assert said == "From ε = 1 to 2, where protected, a guesser stays at 70 in 100"
    assert _said(_one("ε = 1", off, right=""), _one("ε = 2", other, right="")) == ""


def test_a_wider_answer_is_never_called_more_accurate() -> None:
    assert "the ± is four times as wide" in _said(_one("ε = 1", 0.25), _one("ε = 2", 1.0))
