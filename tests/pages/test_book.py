"""A press on the book itself: what fails is charged too, and however many threads press, one ticket is one release."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from dpcore import targets
from dpcore.base.norms import L1, L2
from dpcore.base.types import Database, FloatArray
from dpcore.guarantees.operating_points import Bound
from dpcore.guarantees.privacy import Adjacency, ApproxDP, PureDP, RandomDP
from dpcore.ledger.accounting import Event, Ledger, Standing
from dpcore.mechanisms import noise as release_noise
from dpcore.mechanisms.gaussian import Gaussian
from dpcore.mechanisms.laplace import Laplace
from dpcore.oracles import Uniform
from dpcore.targets import Mean, Quantile
from pages.experiment import cost
from pages.experiment.scenario import Scenario
from pages.files.persons import Persons
from pages.files.tables import Column, Table
from pages.state import state
from pages.state.book import Book, line_of
from pages.state.press import of_one, press

N = 40
DIGEST = "0f"


def fails_far_out(database: Database) -> FloatArray:
    """The mean of a table without a value above 1; no draw of a uniform oracle on [0, 1] has one."""
    if database.max() > 1:
        raise LookupError(f"a row of {database.max()}")
    return np.array([database.mean()])


def always_fails(database: Database) -> FloatArray:
    raise LookupError("no answer")


def swallows(database: Database) -> FloatArray:
    """An answer beyond the spacing of floats on a table with a value above 1, else its mean."""
    return np.array([1e18 if database.max() > 1 else database.mean()])


def _table(largest: float) -> Table:
    values = np.linspace(0, 1, N)
    values[-1] = largest
    return Table("t.csv", (Column("x", bounds=(0, 1)),), {"x": values}, public=False, digest=DIGEST)


def _scenario(target: object) -> Scenario:
    changes = {"table": "t.csv", "columns": ("x",), "target": target, "oracle": Uniform(0, 1), "norm": L1, "n": N}
    return replace(state.example(), **changes)


def _pressed(book: Book, ticket: str, scenario: Scenario, table: Table) -> None:
    """A press, and the wait for its draws."""
    with ThreadPoolExecutor(1) as executor:
        press(book, of_one(ticket, scenario, table, worst_case=False), executor)
        assert book.drawing is None or book.drawing.job.wait(20)


@pytest.mark.parametrize("target", [fails_far_out, swallows])
def test_a_release_that_fails_on_the_table_is_charged_in_full_and_quotes_no_record(target: object) -> None:
    book = Book()
    _pressed(book, "one", _scenario(target), _table(12345.678))
    (entry,), ((ledger,),) = book.entries, book.ledgers.values()
    assert entry.release is None
    assert "charged in full" in entry.problem
    assert "12345" not in entry.problem
    assert [line.event for line in ledger.lines] == [Event.FAILED]
    assert ledger.total() == RandomDP(1.0, 0.0, 0.05)


def test_draws_without_a_sensitivity_are_charged_their_gamma() -> None:
    book = Book()
    _pressed(book, "one", _scenario(always_fails), _table(1))
    (entry,), ((ledger,),) = book.entries, book.ledgers.values()
    assert "failed on 199 of 199 trials" in entry.problem
    assert [line.event for line in ledger.lines] == [Event.DRAWS]
    assert ledger.total() == RandomDP(0.0, 0.0, 0.05)


def test_many_threads_with_one_ticket_make_one_release() -> None:
    book, scenario, table = Book(), replace(_scenario(fails_far_out)), _table(1)
    threads = [threading.Thread(target=_pressed, args=(book, "one", scenario, table)) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert [entry.ticket for entry in book.entries] == ["one"]
    assert [len(ledger.lines) for ledger in book.ledgers[DIGEST]] == [1]


def test_two_planned_tickets_draw_afresh_and_charge_twice() -> None:
    book, scenario, table = Book(), _scenario(fails_far_out), _table(1)
    for _ in range(2):
        assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) == ""
    for ticket in ("one", "two"):
        _pressed(book, ticket, scenario, table)
    releases = [entry.release for entry in book.entries if entry.release is not None]
    assert len({release.provenance["seed"] for release in releases}) == 2
    assert len({release.provenance["sample_id"] for release in releases}) == 2
    assert book.ledgers[DIGEST][0].total() == RandomDP(2.0, 0.0, 0.1)


def test_another_oracle_opens_a_ledger_of_its_own() -> None:
    book = Book()
    _pressed(book, "one", _scenario(fails_far_out), _table(1))
    _pressed(book, "two", replace(_scenario(fails_far_out), oracle=Uniform(0, 0.5)), _table(1))
    first, second = book.ledgers[DIGEST]
    assert (len(first.lines), len(second.lines)) == (1, 1)
    assert first.total() == RandomDP(1.0, 0.0, 0.05)
    assert second.total() is None  # its target and oracle were chosen after the first response
    assert [line.words for line in second.lines] == ["release, chosen after an answer: no guarantee"]


def test_a_plan_may_hold_several_oracles_each_in_a_ledger_of_its_own() -> None:
    book, table = Book(), _table(1)
    scenarios = [_scenario(fails_far_out), replace(_scenario(fails_far_out), oracle=Uniform(0, 0.5))]
    for scenario in scenarios:
        assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) == ""
    for number, scenario in enumerate(scenarios):
        _pressed(book, str(number), scenario, table)
    assert [entry.line and entry.line.standing for entry in book.entries] == [Standing.FIXED] * 2
    _pressed(book, "again", scenarios[0], table)
    assert book.entries[-1].line is not None
    assert book.entries[-1].line.guarantee is None


def test_a_plan_is_closed_by_the_first_response_and_may_be_changed_before() -> None:
    book, table = Book(), _table(1)
    scenario, other = _scenario(fails_far_out), _scenario(Quantile(0.5, (0, 1)))
    for planned in (scenario, other):
        assert book.plan(planned, table, line_of(planned, table, worst_case=False), worst_case=False) == ""
    assert book.unplan(table, 0) == ""
    assert [item.scenario for item in book.plans[DIGEST]] == [other]
    assert [len(ledger.pending) for ledger in book.ledgers[DIGEST]] == [1]
    _pressed(book, "one", scenario, table)
    assert "before the first answer" in book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False)
    assert "stays as it is" in book.unplan(table, 0)
    _pressed(book, "two", other, table)
    assert book.entries[-1].line is not None
    assert book.entries[-1].line.standing is Standing.FIXED


def test_a_release_of_elsewhere_that_came_first_takes_plans_and_guarantees_with_it() -> None:
    book, table, scenario = Book(), _table(1), _scenario(fails_far_out)
    book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False)
    book.enter(table, N, PureDP(1.0), made="2026-01-02", note="a report", first=True)
    _pressed(book, "one", scenario, table)
    assert [line.standing for line in book.ledgers[DIGEST][0].lines] == [Standing.PROVED, Standing.NONE]
    assert book.plans == {}


def test_a_plan_that_is_refused_leaves_no_ledger_of_the_table() -> None:
    book, table, scenario = Book(budgets={DIGEST: RandomDP(0.5, 0.0, 0.01)}), _table(1), _scenario(fails_far_out)
    assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) != ""
    assert book.ledgers == {}


def test_a_plan_survives_the_removal_of_one_line_under_a_budget_that_was_lowered() -> None:
    book, table, scenario = Book(budgets={DIGEST: RandomDP(5.0, 0.0, 0.5)}), _table(1), _scenario(fails_far_out)
    for _ in range(3):
        assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) == ""
    book.budgets[DIGEST] = RandomDP(0.5, 0.0, 0.01)
    assert book.unplan(table, 0) == ""
    assert len(book.plans[DIGEST]) == 2
    assert [len(ledger.pending) for ledger in book.ledgers[DIGEST]] == [2]


def test_what_a_server_forgot_is_a_caveat_of_each_table_until_something_is_entered_of_it() -> None:
    book, other = Book(lost=True), replace(_table(1), digest="1f")
    book.enter(_table(1), N, PureDP(1.0), made="", note="", first=True)
    assert not book.forgotten
    assert book.caveats(_table(1)) == ()
    assert "forgotten by the server" in book.caveats(other)[0]


def test_a_release_of_elsewhere_that_came_later_leaves_the_plan() -> None:
    book, table, scenario = Book(), _table(1), _scenario(fails_far_out)
    for _ in range(2):
        book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False)
    _pressed(book, "one", scenario, table)
    book.enter(table, N, PureDP(1.0), made="2026-01-02", note="a report", first=False)
    _pressed(book, "two", scenario, table)
    assert book.ledgers[DIGEST][0].total() == RandomDP(3.0, 0.0, 0.1)


def test_terms_that_changed_since_the_receipt_are_said_before_anything_is_drawn() -> None:
    """Two tabs of one book: the other one released meanwhile, so this line would be chosen after a response."""
    book, table, scenario = Book(), _table(1), _scenario(fails_far_out)
    shown = book.foresee(table, line_of(scenario, table, worst_case=False))
    _pressed(book, "other tab", scenario, table)
    with ThreadPoolExecutor(1) as executor:
        said = press(book, of_one("one", scenario, table, worst_case=False).shown([shown]), executor)
    assert "Nothing was drawn or charged" in said
    assert len(book.entries) == 1
    assert "one" not in book.spent


def test_a_press_beyond_the_budget_keeps_its_ticket() -> None:
    book = Book(budgets={DIGEST: RandomDP(0.5, 0.0, 0.5)})
    _pressed(book, "one", _scenario(fails_far_out), _table(1))
    assert (book.entries, book.ledgers) == ([], {})
    book.budgets[DIGEST] = RandomDP(1.0, 0.0, 0.05)
    _pressed(book, "one", _scenario(fails_far_out), _table(1))
    assert len(book.entries) == 1


def test_a_budget_on_the_average_over_the_draws_refuses_a_low_confidence() -> None:
    book = Book(budgets={DIGEST: RandomDP(1.0, 0.0, 0.05)})
    low = replace(_scenario(fails_far_out), bound=Bound.TOLERANCE, confidence=0.5, m=14)
    assert low.point.joint_gamma > 0.05
    _pressed(book, "one", low, _table(1))
    assert (book.entries, book.ledgers) == ([], {})


def test_a_table_that_cannot_be_read_draws_nothing_and_charges_nothing() -> None:
    book, table = Book(), replace(_table(1), columns=(Column("x"),))
    _pressed(book, "one", _scenario(fails_far_out), table)
    assert "bounds of “x”" in book.entries[0].problem
    assert book.ledgers == {}


def test_draws_that_calibrate_nothing_are_charged_their_gamma() -> None:
    """Δ̂/ε beyond the floats is an error after the draws, and tells of them: its γ is spent."""
    book, wide = Book(), Uniform(-8e307, 8e307)
    table = Table("t.csv", (Column("x", bounds=(-8e307, 8e307)),), {"x": np.array([0.0, 1.0])}, public=False, digest=DIGEST)
    scenario = replace(_scenario(Mean((-8e307, 8e307))), oracle=wide, n=2, m=1, gamma=0.5, epsilon=0.01)
    for press_number in range(12):
        _pressed(book, str(press_number), scenario, table)
    (ledger,) = book.ledgers[DIGEST]
    assert len(ledger.lines) == 12 == len(book.entries)
    assert Event.DRAWS in {line.event for line in ledger.lines}  # each press with probability 0.95
    assert all(line.gamma == 0.5 for line in ledger.lines)


def test_an_error_of_the_machine_after_the_table_was_asked_is_charged_in_full(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(release_noise, "add_laplace", full)
    book = Book()
    monkeypatch.setattr(cost, "QUICK", 0.0)
    _pressed(book, "one", _scenario(fails_far_out), _table(0.5))
    monkeypatch.setattr(cost, "QUICK", 1.0)
    with pytest.raises(MemoryError):  # quick draws are made in the press itself
        _pressed(book, "two", _scenario(Mean((0, 1))), _table(0.5))
    assert all("charged in full" in entry.problem for entry in book.entries)
    assert [line.event for ledger in book.ledgers[DIGEST] for line in ledger.lines] == [Event.FAILED, Event.FAILED]


def _two_columns() -> Table:
    values = np.linspace(0, 1, N)
    columns = (Column("x", bounds=(0, 1)), Column("y", bounds=(0, 1)))
    return Table("t.csv", columns, {"x": values, "y": values[::-1].copy()}, public=False, digest=DIGEST)


def test_a_place_of_the_plan_is_for_its_own_column() -> None:
    """The same target, oracle and point on another column, chosen after an answer, is another question."""
    book, table, scenario = Book(), _two_columns(), _scenario(Quantile(0.5, (0, 1)))
    assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) == ""
    with ThreadPoolExecutor(1) as executor:
        press(book, of_one("first", _scenario(Mean((0, 1))), table, worst_case=True), executor)
    _pressed(book, "other", replace(scenario, columns=("y",)), table)
    _pressed(book, "planned", scenario, table)
    lines = [entry.line for entry in book.entries]
    assert [line and line.standing for line in lines] == [Standing.PROVED, Standing.NONE, Standing.FIXED]


def test_a_place_of_the_plan_is_for_the_bounds_that_fill_missing_values() -> None:
    """A column that is declared anew after an answer is another function of the file."""
    book, table, scenario = Book(), _table(1), _scenario(fails_far_out)
    assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) == ""
    with ThreadPoolExecutor(1) as executor:
        press(book, of_one("first", _scenario(Mean((0, 1))), table, worst_case=True), executor)
    anew = table.declared(Column("x", bounds=(0, 7)))
    assert book.foresee(anew, line_of(scenario, anew, worst_case=False)).standing is Standing.NONE
    public = replace(table, public=True)
    assert book.foresee(public, line_of(scenario, public, worst_case=False)).standing is Standing.NONE
    labelled = table.declared(Column("x", label="X", unit="m", bounds=(0, 1)))
    assert book.foresee(labelled, line_of(scenario, labelled, worst_case=False)).standing is Standing.FIXED


def test_every_answer_about_the_table_counts_in_each_of_its_ledgers() -> None:
    """The larger γ sums the lines of its own ledger: an answer in another one, of any size or oracle, leaves none."""
    mean = replace(_scenario(Mean((0, 1))), epsilon=0.5)
    book, table = Book(), _table(1)
    _pressed(book, "one", mean, table)
    assert book.foresee(table, line_of(mean, table, worst_case=False)).standing is Standing.LARGER
    _pressed(book, "two", replace(mean, oracle=Uniform(0, 0.5), epsilon=20.0), table)
    assert len(book.ledgers[DIGEST]) == 2
    assert book.foresee(table, line_of(mean, table, worst_case=False)).standing is Standing.NONE


def test_draws_without_an_answer_leave_the_other_ledgers_as_they_were() -> None:
    mean = replace(_scenario(Mean((0, 1))), epsilon=0.5)
    book, table = Book(), _table(1)
    _pressed(book, "one", mean, table)
    book.ledgers[DIGEST].append(Ledger(after_responses=True))
    _pressed(book, "two", replace(_scenario(always_fails), oracle=Uniform(0, 0.5)), table)
    assert book.foresee(table, line_of(mean, table, worst_case=False)).standing is Standing.LARGER


def test_what_is_entered_for_another_size_knows_of_the_answers_before() -> None:
    book, table = Book(), _table(1)
    _pressed(book, "one", _scenario(Mean((0, 1))), table)
    for first in (True, False):
        book.enter(table, N + 1 + first, PureDP(0.1), made="2026-01-02", note="a report", first=first)
        assert book.ledgers[DIGEST][-1].after_responses


def test_a_response_says_what_holds_of_it_once_an_earlier_release_is_entered() -> None:
    """Its card, its badge and its JSON, as the ledger's line."""
    book, table = Book(), _table(1)
    _pressed(book, "one", _scenario(Quantile(0.5, (0, 1))), table)
    _pressed(book, "two", replace(_scenario(Quantile(0.5, (0, 1))), oracle=Uniform(0, 0.5)), table)
    entry = book.entries[0]
    assert entry.covered
    book.enter(table, N, PureDP(1.0), made="2026-01-02", note="a report", first=False)
    assert book.entries[0].covered
    book.enter(table, N, PureDP(1.0), made="2026-01-02", note="a report", first=True)
    late = book.entries[0]
    assert late.line is book.ledgers[DIGEST][0].lines[1]
    assert not late.covered
    assert late.promise.startswith("No guarantee covers this answer")
    assert json.loads(late.as_json())["guarantee"] == "none"
    assert (late.ticket, late.release, late.made) == (entry.ticket, entry.release, entry.made)
    assert book.entries[1].line is book.ledgers[DIGEST][1].lines[0]


def test_several_oracles_are_planned_beside_a_worst_case_too() -> None:
    """The worst case has no oracle, and stands first in the plan."""
    book, table = Book(), _table(1)
    mean = _scenario(Mean((0, 1)))
    other = replace(mean, oracle=Uniform(0, 0.5))
    for scenario, worst_case in ((mean, True), (mean, False), (other, False)):
        assert book.plan(scenario, table, line_of(scenario, table, worst_case=worst_case), worst_case=worst_case) == ""
    for ticket, scenario in (("one", mean), ("two", other)):
        _pressed(book, ticket, scenario, table)
    assert [entry.line and entry.line.standing for entry in book.entries] == [Standing.FIXED] * 2


def test_the_plan_stays_while_a_release_is_drawn() -> None:
    """What is being drawn is not charged yet, so a budget would hold a plan beside it that it has no room for."""
    book, table, scenario = Book(), _table(1), _scenario(fails_far_out)
    line = line_of(scenario, table, worst_case=False)
    assert book.plan(scenario, table, line, worst_case=False) == ""
    drawing: Any = SimpleNamespace(open=True)
    book.drawing = drawing
    assert "is being drawn" in book.plan(scenario, table, line, worst_case=False)
    assert "is being drawn" in book.unplan(table, 0)
    assert len(book.plans[DIGEST]) == 1


def _planned_under_two_oracles(book: Book, table: Table) -> list[Scenario]:
    median = _scenario(Quantile(0.5, (0, 1)))
    scenarios = [median, replace(median, oracle=Uniform(0, 0.5))]
    for scenario in scenarios:
        assert book.plan(scenario, table, line_of(scenario, table, worst_case=False), worst_case=False) == ""
    return scenarios


def test_an_answer_in_any_ledger_is_an_answer_about_the_table() -> None:
    book, table = Book(), _table(1)
    first, second = _planned_under_two_oracles(book, table)
    _pressed(book, "one", second, table)
    assert [len(ledger.lines) for ledger in book.ledgers[DIGEST]] == [0, 1]
    assert book.responded(table)
    assert "before the first answer" in book.plan(first, table, line_of(first, table, worst_case=False), worst_case=False)
    other = replace(first, oracle=Uniform(0, 0.25))
    assert book.foresee(table, line_of(other, table, worst_case=False)).standing is Standing.NONE


def test_a_release_of_elsewhere_is_known_in_every_ledger_of_the_table() -> None:
    book, table = Book(), _table(1)
    first, second = _planned_under_two_oracles(book, table)
    book.enter(table, N, PureDP(0.1), made="2026-01-02", note="a report", first=False)
    assert [ledger.responded for ledger in book.ledgers[DIGEST]] == [True, True]
    mean = replace(second, target=Mean((0, 1)))
    assert book.foresee(table, line_of(mean, table, worst_case=False)).standing is Standing.NONE
    _pressed(book, "one", first, table)
    _pressed(book, "two", second, table)
    assert [entry.line and entry.line.standing for entry in book.entries] == [Standing.FIXED] * 2
    book.enter(table, N, PureDP(0.1), made="2026-01-01", note="a report", first=True)
    assert [entry.line and entry.line.standing for entry in book.entries] == [Standing.NONE] * 2
    assert [ledger.plan for ledger in book.ledgers[DIGEST]] == [(), ()]


def test_a_plan_is_held_against_the_budget_with_its_epsilon() -> None:
    book, table, scenario = Book(budgets={DIGEST: RandomDP(1.5, 0.0, 0.5)}), _table(1), _scenario(fails_far_out)
    line = line_of(scenario, table, worst_case=False)
    assert book.plan(scenario, table, line, worst_case=False) == ""
    assert "This needs ε = 1; 0.5 is left" in book.plan(scenario, table, line, worst_case=False)


def test_a_larger_gamma_that_grew_since_the_receipt_is_said_before_anything_is_drawn() -> None:
    book, table, mean = Book(), _table(1), replace(_scenario(Mean((0, 1))), epsilon=0.2)
    _pressed(book, "one", mean, table)
    shown = book.foresee(table, line_of(mean, table, worst_case=False))
    _pressed(book, "other tab", mean, table)
    now = book.foresee(table, line_of(mean, table, worst_case=False))
    assert shown.standing is now.standing is Standing.LARGER
    assert shown.gamma < now.gamma
    with ThreadPoolExecutor(1) as executor:
        said = press(book, of_one("two", mean, table, worst_case=False).shown([shown]), executor)
        assert "Nothing was drawn or charged" in said
        assert press(book, of_one("two", mean, table, worst_case=False).shown([now]), executor) == ""


def test_a_press_on_a_table_that_protects_people_now_draws_nothing() -> None:
    book, table = Book(), _table(1)
    people = replace(table, persons=Persons("x"))
    with ThreadPoolExecutor(1) as one:
        said = press(book, of_one("one", _scenario(Mean((0, 1))), people, worst_case=True), one)
    assert "anew whose its rows are" in said
    assert not book.entries
    assert not book.ledgers


@pytest.mark.parametrize("replaced_first", [True, False])
def test_a_budget_of_a_table_sees_twice_the_epsilon_of_a_row_that_is_added_or_removed(replaced_first: bool) -> None:
    """0.5 and 0.5 come to 1.5, whichever was first; approximate DP joins in no way, and is refused beside a replaced row."""
    counted, database = targets.Count(category=1.0), np.array([1.0, 0.0, 1.0, 3.0])
    adjacencies = [Adjacency.REPLACE_ONE_RECORD, Adjacency.ADD_OR_REMOVE_ONE_RECORD]

    def noise(adjacency: Adjacency) -> Any:
        proved = counted.global_sensitivity(L1, 4, adjacency)
        assert proved is not None
        return Laplace().calibrate(proved, PureDP(0.5))

    first, second = adjacencies if replaced_first else adjacencies[::-1]
    book, table = Book(), _table(1)
    book.budgets[book.name_of(table)] = PureDP(1.4)
    assert book.refusal(table, Ledger().foresee(noise(first))) == ""
    book.charge(table, lambda ledger: ledger.add(noise(first).release(database)))
    assert "This needs ε = 1;" in book.refusal(table, Ledger().foresee(noise(second)))
    book.budgets[book.name_of(table)] = PureDP(1.5)
    assert book.refusal(table, Ledger().foresee(noise(second))) == ""
    removed = counted.global_sensitivity(L2, 4, Adjacency.ADD_OR_REMOVE_ONE_RECORD)
    assert removed is not None
    book.budgets[book.name_of(table)] = ApproxDP(9.0, 1e-3)
    said = book.refusal(table, Ledger().foresee(Gaussian().calibrate(removed, ApproxDP(0.1, 1e-9))))
    assert ("no budget holds both" in said) is replaced_first
