"""A ledger as plain data: every kind of line comes back, none comes back as more than it was, and nothing strange is read."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dpcore import L1, Adjacency, ApproxDP, Bound, GlobalSensitivity, Laplace, Ledger, OperatingPoint, PureDP, RandomDP
from dpcore.base.plain import from_plain, kind_to_plain, to_plain
from dpcore.errors import DpcoreError, IncompatibleReleasesError, InvalidValueError
from dpcore.guarantees.privacy import Guarantee
from dpcore.ledger.accounting import Line, Planned, Standing
from dpcore.ledger.saved import MOST_LINES, line_from_plain
from dpcore.oracles import Uniform
from dpcore.sampling.sampler import sample_sensitivity
from dpcore.targets import Mean, Quantile

N = 6
DATABASE = np.linspace(0, 1, N)
DAY = "2026-11-22 19:40 UTC"
POINTS = (
    OperatingPoint.for_gamma(0.05),
    OperatingPoint.for_both(300, 0.1, bound=Bound.TOLERANCE, confidence=0.9),
    OperatingPoint.for_both(2_000, 0.1, bound=Bound.TIME_UNIFORM, confidence=0.9),
)


def _sample(place: int = 0, target: Any = None, seed: int = 1) -> Any:
    return sample_sensitivity(target or Mean(), Uniform(0, 1), norm=L1, n=N, at=POINTS[place], seed=seed)


def _release(place: int = 0, target: Any = None, epsilon: float = 1.0) -> Any:
    return Laplace().calibrate(_sample(place, target).sensitivity(), PureDP(epsilon)).release(DATABASE)


def _proved() -> Any:
    proved = GlobalSensitivity(Mean(), 1.0, L1, Adjacency.REPLACE_ONE_RECORD, "By definition.", N)
    return Laplace().calibrate(proved, PureDP(0.5))


def _planned(target: Any, place: int = 0) -> Planned:
    return Planned(target, Uniform(0, 1), L1, N, POINTS[place], mechanism=Laplace(), privacy=PureDP(1.0), part="columns")


STEPS: dict[str, Any] = {
    "sampled": lambda ledger: ledger.add(_release(), about="a mean", answer="0.5", made=DAY),
    "tolerant": lambda ledger: ledger.add(_release(1)),
    "live": lambda ledger: ledger.add(_release(2)),
    "median": lambda ledger: ledger.add(_release(0, Quantile(0.5))),
    "proved": lambda ledger: ledger.add(_proved().release(DATABASE)),
    "draws": lambda ledger: ledger.add(_sample(seed=3)),
    "ended": lambda ledger: ledger.add_draws(Mean(), Uniform(0, 1), norm=L1, n=N, at=POINTS[0], looked=False),
    "seen": lambda ledger: ledger.add_draws(Mean(), Uniform(0, 1), norm=L1, n=N, at=POINTS[0]),
    "failed": lambda ledger: ledger.add_failed(_proved(), n=N),
    "entered": lambda ledger: ledger.enter(PureDP(0.2), n=N, made="a day", note="elsewhere"),
    "entered later": lambda ledger: ledger.enter(ApproxDP(0.2, 1e-9), n=N, made="", note="", first=False),
    "entered random": lambda ledger: ledger.enter(RandomDP(0.2, 0, 0.1, 0.9), n=N, made="", note=""),
    "entered nothing": lambda ledger: ledger.enter(None, n=N, made="", note=""),
    "late": lambda ledger: ledger.late(),
}


def _made(steps: list[str], planned: int) -> Ledger:
    ledger = Ledger(RandomDP(1e6, 0.5, 0.9)) if planned == 3 else Ledger()
    if planned:
        ledger = ledger.planned([_planned(Mean()), _planned(Quantile(0.5), 1)][:planned])
    for name in steps:
        try:
            ledger = STEPS[name](ledger)
        except DpcoreError:
            continue
    return ledger


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(list(STEPS)), max_size=6), st.integers(0, 3))
def test_a_ledger_comes_back_through_json_with_every_line_and_never_as_more(steps: list[str], planned: int) -> None:
    ledger = _made(steps, planned)
    text = json.dumps(ledger.to_json(), allow_nan=False)
    again = Ledger.from_json(json.loads(text), loaded=DAY)
    for one, back in zip((*ledger.lines, *ledger.plan), (*again.lines, *again.plan), strict=True):
        held = back.standing is Standing.HELD
        assert line_from_plain(to_plain(one), planned=one in ledger.plan) == one
        assert (back.guarantee, back.charge, back.about, back.answer) == (one.guarantee, one.charge, one.about, one.answer)
        assert held or back.standing is one.standing
        assert held == (one.standing in (Standing.FIXED, Standing.LARGER) or (one in ledger.plan and ledger.responded))
    assert all(line.loaded == DAY for line in again.lines)
    assert again.budget == ledger.budget
    assert (again.responded, len(again.pending)) == (ledger.responded, len(ledger.pending))
    assert Ledger.from_json(again.to_json(), loaded=DAY) == again


def test_what_was_sampled_joins_no_total_once_it_was_loaded_and_dp_proper_does() -> None:
    """Else a file from which an answer was taken out would prove what is left of it."""
    saved = Ledger().add(_release()).to_json()
    loaded = Ledger.from_json(saved)
    assert (loaded.lines[0].standing, loaded.lines[0].words) == (
        Standing.HELD,
        "release, from a file, fixed beforehand by its holder's word",
    )
    assert loaded.total() is loaded.joint() is None
    proved = Ledger.from_json(Ledger().add(_proved().release(DATABASE)).to_json())
    assert proved.total() == PureDP(0.5)


def test_a_loaded_plan_holds_by_word_once_there_was_an_answer_and_is_fixed_before_the_first() -> None:
    plan = [_planned(Mean()), _planned(Quantile(0.5))]
    before = Ledger.from_json(Ledger().planned(plan).to_json())
    assert [line.standing for line in before.add(_release(), part="columns").lines] == [Standing.FIXED]
    after = Ledger.from_json(Ledger().planned(plan).add(_release(), part="columns").to_json())
    assert len(after.pending) == 1
    made = after.add(_release(0, Quantile(0.5)), part="columns")
    assert made.lines[-1].standing is Standing.HELD
    assert made.lines[-1].guarantee == RandomDP(1.0, 0.0, 0.05)
    assert not made.fixed_beforehand
    assert made.add(_release(0, Quantile(0.5)), part="columns").lines[-1].standing is Standing.NONE  # its place was taken


def test_a_loaded_line_never_stands_again_without_its_word() -> None:
    """Whatever is entered before it: a larger γ of a sum over records would be proved only by a whole ledger."""
    loaded = Ledger.from_json(Ledger().add(_release()).to_json())
    entered = loaded.enter(PureDP(0.1), n=N, made="", note="", first=True)
    assert entered.lines[-1].standing is Standing.HELD
    fresh = Ledger().add(_release()).enter(PureDP(0.1), n=N, made="", note="", first=True)
    assert fresh.lines[-1].standing is Standing.LARGER
    assert loaded.late().lines[0].standing is Standing.NONE


def test_a_plan_by_word_lends_no_gamma_and_no_oracle_to_what_is_asked_later() -> None:
    generous = OperatingPoint.for_gamma(0.2)
    plan = Planned(Mean(), Uniform(0, 1), L1, N, generous)
    proved = _proved().release(DATABASE)
    real = Ledger().planned([plan]).add(proved)
    loaded = Ledger(plan=Ledger.from_json(real.to_json()).plan).add(proved)
    assert real.foresee(_planned(Mean(), 0)).gamma == pytest.approx(0.33, abs=0.01)  # exp(0.5) · 0.2
    assert loaded.foresee(_planned(Mean(), 0)).gamma == pytest.approx(0.083, abs=0.001)  # exp(0.5) · 0.05


def test_a_larger_gamma_sums_no_line_of_a_file_for_the_file_may_lack_another() -> None:
    real = Ledger().add(_proved().release(DATABASE))
    assert real.foresee(_planned(Mean(), 0)).standing is Standing.LARGER
    assert Ledger.from_json(real.to_json()).foresee(_planned(Mean(), 0)).standing is Standing.NONE


def test_what_is_sampled_first_for_a_plan_by_word_stands_on_that_word_too() -> None:
    held = replace(_planned(Mean()).line, standing=Standing.HELD)
    assert Ledger(plan=(held,)).foresee(_planned(Mean())).standing is Standing.HELD


def test_a_total_counts_no_release_to_come_that_will_stand_apart() -> None:
    real = Ledger().planned([_planned(Mean())]).add(_proved().release(DATABASE))
    loaded = Ledger.from_json(real.to_json())
    assert (real.total(), loaded.total()) == (RandomDP(0.5, 0.0, 0.05), PureDP(0.5))


def test_lines_of_two_ledgers_join_as_they_stand_where_they_add_up() -> None:
    first, second = Ledger().add(_proved().release(DATABASE)), Ledger.from_json(Ledger().add(_release()).to_json())
    assert first.joined(second).lines == (*first.lines, *second.lines)
    other = sample_sensitivity(Mean(), Uniform(0, 2), norm=L1, n=N, at=POINTS[0], seed=1)
    with pytest.raises(IncompatibleReleasesError):
        second.joined(Ledger().add(other))


STRANGE = [None, True, -1, 0.5, 2, 1e300, "x", "FIXED", [], [1], {}, {"a": 1}, math.nan, math.inf, 10**400, "\ud800"]


@pytest.mark.parametrize("steps", [["sampled", "proved", "median", "entered random"], ["tolerant", "entered nothing"], ["draws"]])
def test_no_field_of_another_kind_makes_a_line_that_promises_more(steps: list[str]) -> None:
    """Each field deleted, and replaced by whatever there is: refused by name, or a line whose guarantee can be built."""
    for line in _made(steps, 1).to_json()["lines"]:
        for place in ((line,), (line, "drawn")):
            held = line if len(place) == 1 else line["drawn"]
            if held is None:
                continue
            for name in list(held):
                kept = held.pop(name)
                with pytest.raises(InvalidValueError):
                    line_from_plain(line)
                for value in STRANGE:
                    held[name] = value
                    _readable(line)
                held[name] = kept


def _readable(said: dict[str, Any]) -> None:
    try:
        found = line_from_plain(said)
    except InvalidValueError:
        return
    assert isinstance(found, Line)
    assert found.guarantee is None or found.guarantee.epsilon >= 0
    assert (found.standing is Standing.PROVED) <= (found.drawn is None and found.gamma == 0)


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"lines": [{}] * (MOST_LINES + 1)}, "lines"),
        ({"lines": None}, "lines"),
        ({"after_responses": 1}, "after_responses"),
        ({"budget": {"kind": "RDP"}}, "guarantee"),
        ({"more": 1}, "ledger"),
        ({"plan": "x"}, "plan"),
    ],
)
def test_what_is_no_ledger_is_refused_by_name(changes: dict[str, Any], named: str) -> None:
    with pytest.raises(InvalidValueError) as caught:
        Ledger.from_json(Ledger().to_json() | changes)
    assert caught.value.name == named


def test_the_same_charge_twice_is_refused() -> None:
    said = Ledger().add(_proved().release(DATABASE)).to_json()
    with pytest.raises(InvalidValueError, match="charge"):
        Ledger.from_json(said | {"lines": said["lines"] * 2})


def test_a_charge_has_a_name_and_what_is_planned_may_have_none() -> None:
    said = Ledger().add(_proved().release(DATABASE)).to_json()
    (line,) = said["lines"]
    with pytest.raises(InvalidValueError, match="32 hexadecimal digits"):
        Ledger.from_json(said | {"lines": [line | {"charge": ""}]})
    assert line_from_plain(line | {"charge": ""}, planned=True).charge == ""


def test_guarantees_come_back() -> None:
    for one in (PureDP(1.0), ApproxDP(1.0, 1e-6), RandomDP(0.0, 0.0, 0.1, 0.9)):
        assert from_plain(Guarantee, kind_to_plain(one)) == one
