"""A ledger as plain data: every kind of line comes back, nothing sampled is accepted afterwards, and nothing strange is read."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import L1, ApproxDP, Bound, LaplaceMechanism, Ledger, OperatingPoint, PureDP, RandomDP
from dpcore.base.serialization import from_plain, kind_to_plain
from dpcore.errors import DpcoreError, IncompatibleReleasesError, InvalidValueError, SampledLaterError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import MOST_LINES, Planned
from dpcore.oracles import Uniform
from tests.dpcore.ledger.made import MEAN, MEDIAN, POINT, N, proof, proved, release, sample

DAY = "2026-11-22 19:40 UTC"
POINTS = (
    POINT,
    OperatingPoint.for_both(300, 0.1, bound=Bound.TOLERANCE, confidence=0.9),
    OperatingPoint.for_both(2_000, 0.1, bound=Bound.TIME_UNIFORM, confidence=0.9),
)


def _planned(target: Any, place: int = 0) -> Planned:
    return Planned(target, Uniform(0, 1), L1, N, POINTS[place], mechanism=LaplaceMechanism(), privacy=PureDP(1.0), part="columns")


STEPS: dict[str, Any] = {
    "sampled": lambda ledger: ledger.add(release(), about="a mean", answer="0.5", made=DAY),
    "tolerant": lambda ledger: ledger.add(release(at=POINTS[1])),
    "live": lambda ledger: ledger.add(release(at=POINTS[2])),
    "median": lambda ledger: ledger.add(release(MEDIAN)),
    "planned median": lambda ledger: ledger.add(release(MEDIAN, POINTS[1]), part="columns"),
    "proved": lambda ledger: ledger.add(proved(0.5)),
    "draws": lambda ledger: ledger.add(sample(seed=3)),
    "ended": lambda ledger: ledger.add_draws(MEAN, Uniform(0, 1), norm=L1, n=N, at=POINTS[0], looked=False),
    "seen": lambda ledger: ledger.add_draws(MEAN, Uniform(0, 1), norm=L1, n=N, at=POINTS[0]),
    "failed": lambda ledger: ledger.add_failed(proof(0.5), n=N),
}


def _made(steps: list[str], planned: int) -> Ledger:
    ledger = Ledger(RandomDP(1e6, 0.5, 0.9)) if planned == 3 else Ledger()
    if planned:
        ledger = ledger.planned([_planned(MEAN), _planned(MEDIAN, 1)][:planned])
    for name in steps:
        try:
            ledger = STEPS[name](ledger)
        except DpcoreError:
            continue
    return ledger


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(list(STEPS)), max_size=6), st.integers(0, 3))
def test_ledger_survives_json_and_samples_nothing(steps: list[str], planned: int) -> None:
    ledger = _made(steps, planned)
    text = json.dumps(ledger.to_json(), allow_nan=False)
    again = Ledger.from_json(json.loads(text))
    for one, back in zip(ledger.lines, again.lines, strict=True):
        assert (back, back.about, back.answer, back.made) == (one, one.about, one.answer, one.made)
    assert (again.budget, again.plan, again.responded) == (ledger.budget, (), True)
    assert again.total() == Ledger(lines=ledger.lines).total()
    assert not again.fixed_beforehand
    assert Ledger.from_json(again.to_json()) == again
    with pytest.raises(SampledLaterError):
        replace(again, budget=None).add(release(MEDIAN))


def test_a_loaded_plan_is_none() -> None:
    """Whether its releases were made since, no file knows."""
    after = Ledger().planned([_planned(MEAN), _planned(MEDIAN)]).add(release(), part="columns")
    with pytest.raises(SampledLaterError):
        Ledger.from_json(after.to_json()).add(release(MEDIAN), part="columns")
    assert after.add(release(MEDIAN), part="columns").pending == ()


STRANGE = [None, True, -1, 0.5, 2, 1e300, "x", "FIXED", [], [1], {}, {"a": 1}, math.nan, math.inf, 10**400, "\ud800"]


@pytest.mark.parametrize(("steps", "planned"), [(["sampled", "planned median", "proved"], 2), (["tolerant"], 0), (["draws"], 0)])
def test_strange_fields_are_refused(steps: list[str], planned: int) -> None:
    """Each field deleted, and replaced by whatever there is: refused by name, or a line whose guarantee can be built."""
    said = _made(steps, planned).to_json()
    for line in said["lines"]:
        for held in (line, line["drawn"]):
            for name in list(held or ()):
                kept = held.pop(name)
                with pytest.raises(InvalidValueError):
                    Ledger.from_json(said)
                for value in STRANGE:
                    held[name] = value
                    _readable(said)
                held[name] = kept
        line["more"] = 1
        with pytest.raises(InvalidValueError):
            Ledger.from_json(said)
        del line["more"]


def _readable(said: dict[str, Any]) -> None:
    try:
        found = Ledger.from_json(said)
    except (InvalidValueError, IncompatibleReleasesError):
        return
    for line in found.lines:
        assert line.guarantee.epsilon >= 0
        assert math.isfinite(line.epsilon + line.delta + line.gamma)


WRONG: dict[str, dict[str, Any]] = {
    "an answer that costs nothing": {"epsilon": 0.0},
    "draws of a proved sensitivity": {"event": "DRAWS"},
    "a later proved one": {"later": True},
    "a doubled one with a δ": {"doubled": True, "delta": 0.1},
    "a doubled one of added ones": {"doubled": True, "adjacency": "ADD_OR_REMOVE_ONE_RECORD"},
    "no records": {"n": 0},
}


@pytest.mark.parametrize("changes", WRONG.values(), ids=list(WRONG))
def test_numbers_that_do_not_go_together_are_refused(changes: dict[str, Any]) -> None:
    said = Ledger().add(proved(0.5)).to_json()
    said["lines"][0] |= changes
    with pytest.raises(InvalidValueError):
        Ledger.from_json(said)


def test_joint_gamma_of_another_is_refused() -> None:
    said = Ledger().add(release()).to_json()
    said["lines"][0]["drawn"]["joint_gamma"] = 0.001
    with pytest.raises(InvalidValueError):
        Ledger.from_json(said)


@pytest.mark.parametrize(
    "changes", [{"n": N + 1}, {"adjacency": "REPLACE_ONE_USER"}, {"adjacency": "ADD_OR_REMOVE_ONE_RECORD"}], ids=str
)
def test_lines_of_two_ledgers_are_refused(changes: dict[str, Any]) -> None:
    said = Ledger().add(release()).add(proved(0.5)).to_json()
    said["lines"][1] |= changes
    with pytest.raises((IncompatibleReleasesError, InvalidValueError)):
        Ledger.from_json(said)
    other = _made(["sampled", "planned median"], 2).to_json()
    other["lines"][1]["drawn"]["oracle_id"] = "another"
    with pytest.raises(IncompatibleReleasesError):
        Ledger.from_json(other)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"lines": [{}] * (MOST_LINES + 1)}, "lines"),
        ({"lines": None}, "lines"),
        ({"budget": {"kind": "RDP"}}, "guarantee"),
        ({"more": 1}, "ledger"),
        ({"plan": []}, "ledger"),
        ({"after_responses": False}, "ledger"),
    ],
)
def test_what_is_no_ledger_is_refused_by_name(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Ledger.from_json(Ledger().to_json() | changes)
    assert caught.value.name == named


def test_guarantees_come_back() -> None:
    for one in (PureDP(1.0), ApproxDP(1.0, 1e-6), RandomDP(0.0, 0.0, 0.1, 0.9)):
        assert from_plain(Guarantee, kind_to_plain(one)) == one
